// What several pages are made of.
import { html, useState } from './view.js';
import { age, bytes, copyable, indented, short, time, visible } from './format.js';
import { go, link } from './links.js';

const TONES = {
  good: ['SUCCEEDED', 'COMPLETED', 'DISPATCHED', 'ok', 'alive'],
  bad: ['FAILED', 'COMPENSATION_BLOCKED', 'IN_DOUBT', 'failing', 'unavailable', 'not served', 'blocked', 'overdue', 'gone'],
  warn: ['WAITING', 'HELD', 'PAUSED', 'COMPENSATING', 'COMPENSATION_WAITING', 'REFUSING', 'retrying', 'paused'],
  run: ['RUNNING', 'NEW', 'PENDING', 'PROCESSING'],
};

const WORDS = {
  COMPENSATION_WAITING: 'compensation waiting', COMPENSATION_BLOCKED: 'compensation blocked',
  COMPENSATION_SKIPPED: 'compensation skipped', IN_DOUBT: 'in doubt',
};

export function tone(status) {
  return Object.keys(TONES).find(name => TONES[name].includes(status)) || 'quiet';
}

export function State({ of, text }) {
  return html`<span class=${'state ' + tone(of)}>${text || WORDS[of] || of}</span>`;
}

/** An age, with the time itself where the pointer rests. */
export function Age({ of }) {
  return of ? html`<time datetime=${of} title=${time(of)}>${age(of)}</time>` : '–';
}

/** What stands in place of a page while there is nothing to show, or null. */
export function pending(live) {
  if (live.value) {
    return null;
  }
  return live.error ? html`<h1>Not shown</h1><p class="error" role="alert">${live.error}</p>` : html`<p class="empty" role="status">Loading…</p>`;
}

export function Trouble({ live }) {
  return live.error ? html`<p class="error" role="alert">${live.error}</p>` : null;
}

export function Empty({ children }) {
  return html`<p class="empty">${children}</p>`;
}

/** A table that scrolls within itself where the screen is narrow. */
export function Table({ label, columns, children }) {
  return html`<div class="scroll" role="region" aria-label=${label} tabindex="0"><table><thead><tr>${columns.map(column => {
    const [title, kind] = Array.isArray(column) ? column : [column];
    return html`<th scope="col" class=${kind || ''}>${title}</th>`;
  })}</tr></thead><tbody>${children}</tbody></table></div>`;
}

export function Text({ of, most }) {
  return html`<span class="message">${short(of, most)}</span>`;
}

export function Facts({ rows }) {
  return html`<dl class="facts">${rows.filter(([, value]) => value !== '' && value !== null && value !== undefined).map(([name, value]) => html`
    <div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

export function Copy({ text, label = 'Copy' }) {
  const [done, setDone] = useState(false);
  const copy = async () => {
    await copied(text);
    setDone(true);
    setTimeout(() => setDone(false), 2000);
  };
  return html`<button type="button" class="quiet" onClick=${copy}>${done ? 'Copied' : label}</button>`;
}

/** A command line; it is wrapped between its words, not before or after a hyphen. */
export function CommandLine({ of }) {
  return html`<code class="line">${of.split(' ').map(word => html`<span>${word}</span> `)}</code>`;
}

export function CopyCommand({ line, label = 'Copy as CLI command' }) {
  return html`<${Copy} text=${copyable(line)} label=${label} />`;
}

/** For an admin: leads to the same page with what is masked, and back. */
export function Reveal({ page, query, session }) {
  const revealed = query.reveal === 'true';
  return session.role === 'admin' && html`<a class="button quiet" href=${link(page, { ...query, reveal: revealed ? '' : 'true' })}
    title=${revealed ? '' : 'This is written into the audit'}>${revealed ? 'Mask it again' : 'Show what is masked'}</a>`;
}

/** How often a page is read again: what is revealed is not, because each time is written into the audit. */
export const seconds = (query, usual = 5) => (query.reveal ? 3600 : usual);

/** The clipboard is there on localhost and with TLS alone; elsewhere the text is selected and copied the old way. */
async function copied(text) {
  if (navigator.clipboard) {
    return navigator.clipboard.writeText(text).catch(() => {});
  }
  const area = document.createElement('textarea');
  area.value = text;
  (document.querySelector('dialog[open]') || document.body).append(area);
  area.select();
  document.execCommand('copy');
  area.remove();
}

const SHOWN = 20000;

/** A payload, an error or a stack trace: always text, the beginning of it when it is long. */
export function Long({ text, label, json }) {
  const [all, setAll] = useState(false);
  const whole = String(text ?? '');
  const shown = all ? whole : whole.slice(0, SHOWN);
  return html`<div class="long"><pre tabindex="0" role="region" aria-label=${label}>${visible(json && whole.length <= SHOWN ? indented(shown) : shown)}</pre>
    <p class="bar"><${Copy} text=${whole} />
      ${whole.length > SHOWN && html`<button type="button" class="quiet" onClick=${() => setAll(!all)}>
        ${all ? 'Show the beginning' : 'Show all ' + bytes(whole.length)}</button>`}</p></div>`;
}

export function Payload({ of }) {
  return html`<p class="note">${of.contentType}, ${bytes(of.size)}${of.binary ? ', binary, shown in Base64' : ''}</p>
    ${of.size === 0 ? html`<${Empty}>It has no payload.<//>` : html`<${Long} text=${of.text} label="Payload" json=${!of.binary} />`}`;
}

export function Headers({ of }) {
  const names = Object.keys(of).sort();
  return names.length === 0 ? html`<${Empty}>It has no headers.<//>` : html`<${Table} label="Headers" columns=${['Header', 'Value']}>
    ${names.map(name => html`<tr key=${name}><th scope="row">${visible(name)}</th><td><code>${short(of[name], 2000)}</code></td></tr>`)}<//>`;
}

/** Filters of a list. They are kept in the address. */
export function Filters({ page, database, query, fields }) {
  return html`<${FilterForm} key=${JSON.stringify(query)} page=${page} database=${database} query=${query} fields=${fields} />`;
}

function FilterForm({ page, database, query, fields }) {
  const [values, setValues] = useState(Object.fromEntries(fields.map(field => [field.name, query[field.name] || ''])));
  const search = wanted => go(page, { db: database, ...trimmed(wanted) });
  const change = (field, value) => {
    const wanted = { ...values, [field.name]: value };
    setValues(wanted);
    if (field.options) {
      search(wanted);
    }
  };
  const submit = event => {
    event.preventDefault();
    search(values);
  };
  const filtered = fields.some(field => query[field.name]);
  return html`<form class="filters" role="search" onSubmit=${submit}>
    ${fields.filter(field => !field.hidden).map(field => html`<label key=${field.name}><span>${field.label}</span>${field.options
      ? html`<select value=${values[field.name]} onChange=${event => change(field, event.target.value)}>
          ${field.options.map(([value, text]) => html`<option value=${value} selected=${value === values[field.name]}>${text}</option>`)}</select>`
      : html`<input type="search" name=${field.name} value=${values[field.name]} placeholder=${field.hint || ''}
          onInput=${event => change(field, event.target.value)} />`}</label>`)}
    <button>Search</button>
    ${filtered && html`<a class="button quiet" href=${link(page, { db: database })}>Clear</a>`}</form>`;
}

function trimmed(values) {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value.trim()]));
}

export function Pages({ page, query, next, cursor = 'after' }) {
  const first = { ...query };
  delete first[cursor];
  return (query[cursor] || next) ? html`<nav class="bar pages" aria-label="Pages of the list">
    ${query[cursor] && html`<a href=${link(page, first)}>First page</a>`}
    ${next && html`<a href=${link(page, { ...query, [cursor]: next })}>Next page</a>`}</nav>` : null;
}
