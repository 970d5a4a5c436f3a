import { useEffect, useLayoutEffect, useState } from './view.js';
import { timed } from './api.js';

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

// From when the page is that is shown; shared updates may be some seconds old when they arrive.
let updated = 0;
const watchers = new Set();

function report(at) {
  updated = at;
  watchers.forEach(watcher => watcher(at));
}

/** How many seconds ago the page was read from the database; nothing before it was. */
export function useUpdated() {
  const [at, setAt] = useState(updated);
  const [, tick] = useState(0);
  useEffect(() => {
    watchers.add(setAt);
    const timer = setInterval(() => tick(count => count + 1), 1000);
    return () => { watchers.delete(setAt); clearInterval(timer); };
  }, []);
  return at ? Math.max(0, Math.round((Date.now() - at) / 1000)) : null;
}

// While a dialog is open nothing behind it changes: an update could remove what it belongs to, and the dialog with it.
let held = 0;

/** Holds all updates as long as a part of the page is there. */
export function useHold() {
  useLayoutEffect(() => {
    held++;
    return () => { held--; };
  }, []);
}

/** Loads something now and every few seconds, unless updates are paused or held, or the page is hidden. */
export function useLive(load, inputs, seconds = 5) {
  const [state, setState] = useState({ value: null, error: '' });
  const [round, setRound] = useState(0);
  const stopped = usePaused();
  useEffect(() => {
    let current = true;
    let busy = false;
    const run = async live => {
      const unwanted = () => !current || (live && held > 0);
      if (busy || unwanted()) {
        return;
      }
      busy = true;
      try {
        const { value, at } = await timed(live, load);
        if (!unwanted()) {
          setState({ value, error: '' });
          report(at);
        }
      } catch (error) {
        unwanted() || setState(old => ({ value: old.value, error: error.message, status: error.status }));
      }
      busy = false;
    };
    run(false);
    const timer = stopped ? null : setInterval(() => document.hidden || run(true), seconds * 1000);
    return () => { current = false; clearInterval(timer); };
  }, [...inputs, stopped, round]);
  return { ...state, reload: () => setRound(old => old + 1) };
}
