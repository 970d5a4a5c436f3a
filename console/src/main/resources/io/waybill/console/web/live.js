import { useEffect, useState } from './vendor/htm-preact.js';

/** Loads something now and every few seconds, unless it is paused or the page is hidden. */
export function useLive(load, inputs, seconds = 5) {
  const [state, setState] = useState({ value: null, error: '' });
  const [paused, setPaused] = useState(false);
  const [round, setRound] = useState(0);
  useEffect(() => {
    let current = true;
    const run = () => load().then(
      value => current && setState({ value, error: '' }),
      error => current && setState(old => ({ value: old.value, error: error.message })));
    run();
    const timer = paused ? null : setInterval(() => document.hidden || run(), seconds * 1000);
    return () => { current = false; clearInterval(timer); };
  }, [...inputs, paused, round]);
  return { ...state, paused, setPaused, reload: () => setRound(old => old + 1) };
}
