// What belongs together, as a tree of causes and effects.
import { html } from './view.js';
import { base, get } from './api.js';
import { number, short, time } from './format.js';
import { useLive } from './live.js';
import { go, link } from './links.js';
import { Empty, pending, State, Trouble } from './parts.js';

const MAX_DEPTH = 12;

const WORDS = { process: 'process', command: 'command', message: 'message', failed: 'failed message' };

const page = (one, db) => ({
  process: link('processes', { db, id: one.link }), command: link('commands', { db, id: one.link }),
  message: link('messages', { db, message: one.link }), failed: link('failures', { db, failed: one.link }),
}[one.kind]);

function Branch({ items, children, database, depth }) {
  return html`<ul>${items.map(one => {
    const below = children.get(one.id) || [];
    return html`<li key=${one.id}><div class="node"><span class="kind">${WORDS[one.kind]}</span> <a class="message" href=${page(one, database)}>${short(one.name || one.link)}</a>
      <${State} of=${one.status} /> ${one.note && html`<span class="note">${short(one.note)}</span>`} <time class="note" datetime=${one.at}>${time(one.at)}</time></div>
      ${below.length > 0 && html`<${Branch} items=${below} children=${children} database=${database} depth=${depth + 1} />`}</li>`;
  })}</ul>`;
}

/** By their causes; what is very deep is shown beside its cause. */
function arranged(items) {
  const children = new Map();
  const under = new Map();
  for (const one of items) {
    const parent = one.parent && one.depth >= MAX_DEPTH ? under.get(one.parent) : one.parent;
    under.set(one.id, parent);
    const key = parent || '';
    children.set(key, [...(children.get(key) || []), one]);
  }
  return children;
}

export function Correlation({ database, query }) {
  const live = useLive(() => query.id ? get(base(database) + '/correlation', { id: query.id }) : Promise.resolve({ items: [] }), [database, query.id]);
  if (!live.value) {
    return pending(live);
  }
  const { items, more, searched } = live.value;
  const children = arranged(items);
  const search = event => {
    event.preventDefault();
    go('correlation', { db: database, id: new FormData(event.target).get('id').trim() });
  };
  return html`<h1>Causes and effects</h1><p class="note">Processes, commands and messages of one correlation id, each below what caused it.</p><${Trouble} live=${live} />
    <form class="filters" role="search" onSubmit=${search}><label><span>Correlation id</span><input class="wide" name="id" required autocomplete="off" value=${query.id || ''} /></label><button>Search</button></form>
    ${!query.id ? html`<${Empty}>Open it from a process, a command or a message, or search for an id.<//>`
      : items.length === 0 ? html`<${Empty}>Nothing has the correlation id ${short(query.id)} among the latest ${number(searched)} messages. What was cleaned up is not found.<//>`
      : html`<div class="tree" role="group" aria-label="Causes and effects"><${Branch} items=${children.get('') || []} children=${children} database=${database} depth=${0} /></div>
        <p class="note">Of the outbox the latest ${number(searched)} messages are searched.${more ? ' There is more than the 500 that are shown.' : ''}</p>`}`;
}
