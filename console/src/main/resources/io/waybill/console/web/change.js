// A change: says what will happen, asks for the reason, does it, and says what became of it.
import { html, useEffect, useRef, useState } from './view.js';
import { copyable } from './format.js';
import { useHold } from './live.js';
import { CommandLine, Copy } from './parts.js';

/** @param tone how it looks: good, warn or bad */
export function notify(text, tone = 'good') {
  window.dispatchEvent(new CustomEvent('waybill-notice', { detail: { text, tone } }));
}

/** Says what became of a change. */
export function notifyOf(done) {
  if (done.outcome) {
    return notify(done.what + ': ' + done.outcome + (done.says ? '. ' + done.says : ''), done.outcome === 'done' ? 'good' : 'warn');
  }
  if (done.running) {
    return notify('It goes on; the page Audit shows its progress.');
  }
  return done.changed === 0
    ? notify('Nothing was changed: ' + done.what[0].toLowerCase() + done.what.slice(1) + (done.refused || done.conflicting ? '.' : '. Somebody else may have been first.'), 'warn')
    : notify(done.what + '.');
}

/**
 * A button with its dialog.
 *
 * @param text what will happen
 * @param fields what is asked for besides the reason: name, label, value, kind (text, area, check), optional
 * @param run is given the values, and returns what the server said
 * @param command the same as one or more command lines, from the values and without the reason; absent where there is none
 */
export function Change({ label, title, text, danger, quiet, fields = [], run, command, onDone }) {
  const [open, setOpen] = useState(false);
  return html`<button type="button" class=${danger ? 'danger' : quiet ? 'quiet' : ''} onClick=${() => setOpen(true)}>${label}</button>
    ${open && html`<${Ask} label=${label} title=${title} text=${text} danger=${danger} fields=${fields} run=${run} command=${command}
      onDone=${onDone} close=${() => setOpen(false)} />`}`;
}

function Ask({ label, title, text, danger, fields, run, command, onDone, close }) {
  const dialog = useRef();
  const [values, setValues] = useState({ reason: '', ...Object.fromEntries(fields.map(field => [field.name, field.value ?? ''])) });
  const [state, setState] = useState({ busy: false, error: '' });
  useHold();
  useEffect(() => {
    const before = document.activeElement;
    dialog.current.showModal();
    return () => before && before.isConnected && before.focus();
  }, []);
  const submit = async event => {
    event.preventDefault();
    setState({ busy: true, error: '' });
    try {
      notifyOf(await run(values));
      close();
      onDone && onDone();
    } catch (e) {
      setState({ busy: false, error: e.message });
    }
  };
  const set = (name, value) => setValues(old => ({ ...old, [name]: value }));
  const line = command && copyable(command(values), values.reason || 'why');
  return html`<dialog ref=${dialog} onClose=${close} aria-labelledby="ask-title"><form onSubmit=${submit}>
    <h2 id="ask-title">${title || label}</h2>
    ${text && html`<p>${text}</p>`}
    ${fields.map(field => html`<${Field} key=${field.name} field=${field} value=${values[field.name]} set=${value => set(field.name, value)} />`)}
    <label>Reason <input name="reason" required autocomplete="off" value=${values.reason} onInput=${event => set('reason', event.target.value)}
      placeholder="Written into the audit" autofocus=${fields.length === 0} /></label>
    ${line && html`<details><summary>The same on the command line</summary><p class="command"><${CommandLine} of=${line} /></p></details>`}
    ${state.error && html`<p class="error" role="alert">${state.error}</p>`}
    <p class="bar end">${line && html`<${Copy} text=${line} label="Copy as CLI command" />`}<span class="grow"></span>
      <button type="button" class="quiet" onClick=${close}>Cancel</button>
      <button class=${danger ? 'danger' : ''} disabled=${state.busy}>${state.busy ? 'Working…' : label}</button></p></form></dialog>`;
}

function Field({ field, value, set }) {
  if (field.kind === 'check') {
    return html`<label class="check"><input type="checkbox" name=${field.name} checked=${value} onChange=${event => set(event.target.checked)} /> ${field.label}</label>`;
  }
  return html`<label>${field.label} ${field.kind === 'area'
    ? html`<textarea name=${field.name} rows="8" spellcheck="false" value=${value} onInput=${event => set(event.target.value)}></textarea>`
    : html`<input name=${field.name} autocomplete="off" placeholder=${field.hint} required=${!field.optional} value=${value} onInput=${event => set(event.target.value)} />`}</label>`;
}
