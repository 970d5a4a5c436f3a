import { useEffect, useState } from './vendor/htm-preact.js';

// Whether updates are paused holds for every page.
let paused = false;
const listeners = new Set();

export function setPaused(wanted) {
  paused = wanted;
  listeners.forEach(listener => listener(wanted));
}

export function usePaused() {
  const [value, setValue] = useState(paused);
  useEffect(() => {
    listeners.add(setValue);
    return () => listeners.delete(setValue);
  }, []);
  return value;
}

/** Loads something now and every few seconds, unless updates are paused or the page is hidden. */
export function useLive(load, inputs, seconds = 5) {
  const [state, setState] = useState({ value: null, error: '' });
  const [round, setRound] = useState(0);
  const stopped = usePaused();
  useEffect(() => {
    let current = true;
    let busy = false;
    const run = async () => {
      if (busy) {
        return;
      }
      busy = true;
      try {
        const value = await load();
        current && setState({ value, error: '' });
      } catch (error) {
        current && setState(old => ({ value: old.value, error: error.message, status: error.status }));
      }
      busy = false;
    };
    run();
    const timer = stopped ? null : setInterval(() => document.hidden || run(), seconds * 1000);
    return () => { current = false; clearInterval(timer); };
  }, [...inputs, stopped, round]);
  return { ...state, reload: () => setRound(old => old + 1) };
}
