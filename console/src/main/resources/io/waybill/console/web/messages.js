import { html } from './view.js';
import { base, get, post } from './api.js';
import { Change } from './change.js';
import { command, many, number, quoted, short, time, when } from './format.js';
import { useLive } from './live.js';
import { link, onlyBy } from './links.js';
import { Age, CopyCommand, Empty, Facts, Filters, Headers, Pages, Payload, pending, Reveal, seconds, State, Table, Text, Trouble } from './parts.js';

const STATES = ['PENDING', 'WAITING', 'HELD', 'FAILED', 'DISPATCHED', 'DISCARDED'];
const AGES = [['', 'any'], ['60', 'over 1 min'], ['600', 'over 10 min'], ['3600', 'over 1 h'], ['86400', 'over 1 day']];
const FIELDS = [
  { name: 'id', label: 'Id', hint: 'its beginning' }, { name: 'key', label: 'Key', hint: 'order-4711' },
  { name: 'destination', label: 'Destination' }, { name: 'type', label: 'Type' }, { name: 'correlation', label: 'Correlation' },
  { name: 'error', label: 'Error contains' },
  { name: 'status', label: 'State', options: [['', 'any'], ...STATES.map(state => [state, state.toLowerCase()])] },
  { name: 'olderThanSeconds', label: 'Age', options: AGES },
  { name: 'retried', label: 'Retried', options: [['', 'or not'], ['true', 'before']] },
];

export function MessageTable({ items, database }) {
  return html`<${Table} label="Messages" columns=${['Message', 'State', 'Destination', 'Key', 'Age', ['Attempts', 'right'], 'Error']}>
    ${items.map(one => html`<tr key=${one.id}>
      <th scope="row"><a href=${link('messages', { db: database, message: one.id })}>${short(one.type) || one.id}</a><br /><code class="note">${one.id.slice(0, 13)}…</code></th>
      <td><${State} of=${one.status} /></td><td><${Text} of=${one.destination} /></td>
      <td>${one.key ? html`<a href=${link('messages', { db: database, queue: one.key, destination: one.destination })}>${short(one.key, 60)}</a>` : '–'}</td>
      <td><${Age} of=${one.createdAt} /></td><td class="right">${one.attempts}</td><td><${Text} of=${one.error || '–'} most=${160} /></td></tr>`)}<//>`;
}

/** What a change of all messages that match selects. */
function bulk(query) {
  const filter = { statuses: [query.status], destination: query.destination, type: query.type, key: query.key, error: query.error,
    retried: query.retried === 'true' ? true : undefined, olderThanSeconds: query.olderThanSeconds ? Number(query.olderThanSeconds) : undefined };
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined && value !== ''));
}

function All({ database, query, reload }) {
  if (query.status !== 'FAILED' || !onlyBy(query, 'status', 'destination', 'type', 'key', 'error', 'retried', 'olderThanSeconds')) {
    return null;
  }
  const filter = bulk(query);
  const line = verb => command('outbox ' + verb + (filter.retried ? ' --retried' : ''), { status: filter.statuses.join(','), destination: filter.destination, type: filter.type, key: filter.key,
    error: filter.error, 'older-than': filter.olderThanSeconds ? Math.ceil(filter.olderThanSeconds / 60) : undefined });
  const redirect = { run: values => post(base(database) + '/messages/redirect', { filter, destination: values.destination, reason: values.reason }),
    command: values => line('redirect --to ' + quoted(values.destination || 'DESTINATION')), onDone: reload };
  const make = verb => ({ run: values => post(base(database) + '/messages/' + verb, { filter, reason: values.reason }), command: () => line(verb), onDone: reload });
  return html`<div class="bar actions"><${Change} label="Retry all that match" text="Publishes every failed message again that matches the filters, on all pages." ...${make('replay')} />
    <${Change} label="Redirect all that match" quiet fields=${[{ name: 'destination', label: 'Destination' }]}
      text="Publishes every failed message that matches the filters to another destination, on all pages, with what is held behind it." ...${redirect} />
    <${Change} label="Discard all that match" danger text="Gives up every failed message that matches the filters, on all pages. It is not published." ...${make('discard')} /></div>`;
}

function List({ database, query, mayChange }) {
  const { db, ...filter } = query;
  const live = useLive(() => get(base(database) + '/messages', filter), [database, JSON.stringify(query)]);
  const filtered = FIELDS.some(field => query[field.name]);
  const form = html`<${Filters} page="messages" database=${database} query=${query} fields=${FIELDS} />`;
  if (!live.value) {
    return html`<h1>Messages</h1>${form}${live.error ? html`<${Trouble} live=${live} />` : html`<p class="empty" role="status">Loading…</p>`}`;
  }
  const { items, next, searched } = live.value;
  return html`<div class="bar"><h1>Messages</h1><span class="grow"></span>${mayChange && (items.length > 0 || next) && html`<${All} database=${database} query=${query} reload=${live.reload} />`}</div>
    ${form}<${Trouble} live=${live} />
    ${items.length === 0
      ? html`<${Empty}>${next ? 'None of the first ' + number(searched) + ' messages matches. Look at the next page, or add a filter with an index: key, destination or state.'
        : filtered ? 'No message matches. Clear the filters to see all.' : 'The outbox is empty: nothing waits to be published.'}<//>`
      : html`<${MessageTable} items=${items} database=${database} />`}
    <${Pages} page="messages" query=${query} next=${next} />`;
}

/** Failed attempts and what operators did, as stops of a journey. */
export function History({ attempts }) {
  return attempts.map((one, i) => html`<li key=${i} class=${one.kind === 'failed' ? 'bad' : ''}>
    <strong>${one.kind === 'failed' ? 'attempt failed' : 'operator'}</strong> <span class="note">${time(one.at)}</span><div class="message"><${Text} of=${one.text} most=${200} /></div></li>`);
}

/** Where the message has been and where it is. */
function Journey({ one, attempts, database }) {
  const known = attempts.some(attempt => attempt.kind === 'failed');
  const stops = [['appended', one.createdAt, 'to the outbox for ' + one.destination]];
  if (one.attempts > 0 && !known) {
    stops.push(['tried', null, many(one.attempts, 'attempt') + (one.error ? ', the last one failed: ' + short(one.error, 500) : '')]);
  }
  if (one.status === 'WAITING' || (one.status === 'PENDING' && one.availableAt)) {
    stops.push(['next attempt', one.availableAt, one.availableAt ? when(one.availableAt) : 'when somebody unblocks its key']);
  }
  if (one.status === 'HELD') {
    stops.push(['held', null, html`behind an earlier message of its key. <a href=${link('messages', { db: database, queue: one.key, destination: one.destination })}>See what blocks it</a>`]);
  }
  if (one.dispatchedAt) {
    stops.push(['published', one.dispatchedAt, 'accepted by the broker or its handler']);
  }
  if (one.status === 'FAILED') {
    stops.push(['failed', null, 'it is not tried again until somebody retries it']);
  }
  if (one.status === 'DISCARDED') {
    stops.push(['discarded', null, 'the audit says by whom and why']);
  }
  const stop = ([name, at, text]) => html`<li class=${name === 'failed' || (name === 'tried' && one.error) ? 'bad' : name === 'published' ? 'good' : ''}>
    <strong>${name}</strong> ${at && html`<span class="note">${time(at)}</span>`}<div class="message">${text}</div></li>`;
  return html`<ol class="journey">${stop(stops[0])}<${History} attempts=${attempts} />${stops.slice(1).map(stop)}</ol>`;
}

export function MessageActions({ found, database, reload }) {
  const one = found.message;
  const path = base(database) + '/messages/' + one.id + '/replay';
  const filter = { ids: [one.id] };
  return html`<div class="bar actions">
    ${found.actions.includes('replay') && html`
      <${Change} label="Retry" text="Publishes the message again." run=${values => post(path, { reason: values.reason })} command=${() => found.commands.replay} onDone=${reload} />
      ${!found.payload.binary && html`<${Change} label="Edit and retry" quiet text="Publishes the message with this payload. Values shown as *** would be sent like that."
        fields=${[{ name: 'payload', label: 'Payload', kind: 'area', value: found.payload.text }]} run=${values => post(path, { payload: values.payload, reason: values.reason })}
        command=${values => command(found.commands.edit.replace('waybill ', ''), { payload: values.payload })} onDone=${reload} />`}
      <${Change} label="Redirect" quiet text="Publishes the message to another destination. Messages of its key that are held behind it go with it, in their order."
        fields=${[{ name: 'destination', label: 'Destination', value: one.destination }]} onDone=${reload}
        run=${values => post(base(database) + '/messages/redirect', { filter, destination: values.destination, reason: values.reason })}
        command=${values => command(found.commands.redirect.replace('waybill ', ''), { to: values.destination })} />`}
    ${found.actions.includes('discard') && html`<${Change} label="Discard" danger text="Gives the message up: it is not published."
      run=${values => post(base(database) + '/messages/discard', { filter, reason: values.reason })} command=${() => found.commands.discard} onDone=${reload} />`}</div>`;
}

function One({ database, query, mayChange, session }) {
  const live = useLive(() => get(base(database) + '/messages/' + encodeURIComponent(query.message), { reveal: query.reveal }),
    [database, query.message, query.reveal], seconds(query));
  if (!live.value) {
    return pending(live);
  }
  const found = live.value;
  const one = found.message;
  return html`<p class="crumbs"><a href=${link('messages', { db: database })}>Messages</a></p>
    <div class="bar"><h1>${short(one.type)}</h1><${State} of=${one.status} /><span class="grow"></span>
      ${mayChange && html`<${MessageActions} found=${found} database=${database} reload=${live.reload} />`}</div><${Trouble} live=${live} />
    <${Facts} rows=${[['Id', html`<code>${one.id}</code>`], ['Kind', one.category.toLowerCase()],
      ['Destination', html`<a href=${link('messages', { db: database, destination: one.destination })}>${short(one.destination)}</a>`],
      ['Key', one.key && html`<a href=${link('messages', { db: database, queue: one.key, destination: one.destination })}>${short(one.key)}</a>`],
      ['Message key', short(one.messageKey)], ['Correlation', one.correlation && html`<a href=${link('correlation', { db: database, id: one.correlation })}>${short(one.correlation)}</a>`],
      ['Position', one.position], ['Shard', String(found.shard)]]} />
    <h2>Journey</h2><${Journey} one=${one} attempts=${found.attempts} database=${database} />
    <div class="bar"><h2>Payload</h2><span class="grow"></span><${Reveal} page="messages" query=${query} session=${session} /></div><${Payload} of=${found.payload} />
    <h2>Headers</h2><${Headers} of=${found.headers} />
    <p><${CopyCommand} line=${found.commands.show} /></p>`;
}

/** The messages of one key that are not published yet, the first one first. */
function Queue({ database, query, mayChange }) {
  const live = useLive(() => get(base(database) + '/messages',
    { key: query.queue, destination: query.destination, status: 'PENDING,WAITING,HELD,FAILED', limit: 100 }), [database, JSON.stringify(query)]);
  if (!live.value) {
    return pending(live);
  }
  const { items, next } = live.value;
  const blocker = items.find(one => one.status === 'WAITING' || one.status === 'FAILED');
  const held = items.filter(one => one.status === 'HELD').length;
  return html`<p class="crumbs"><a href=${link('messages', { db: database })}>Messages</a></p>
    <h1>Key ${short(query.queue)}</h1><p class="note">of ${short(query.destination)}: messages that are not published yet, in their order</p><${Trouble} live=${live} />
    ${blocker && html`<section class="explain bad" aria-label="What blocks it"><p><a href=${link('messages', { db: database, message: blocker.id })}>${short(blocker.type)}</a>
      ${blocker.status === 'FAILED' ? ' failed' : ' was refused'} after ${many(blocker.attempts, 'attempt')}${held > 0 ? ' and holds ' + many(held, 'message') + ' behind it' : ''}:${' '}<${Text} of=${blocker.error || 'no error is stored'} most=${500} /></p>
      <p class="note">${blocker.status === 'WAITING' && blocker.availableAt ? 'Tried again ' + when(blocker.availableAt) + '.' : 'It waits until somebody acts.'}</p>
      ${mayChange && html`<p class="bar"><${Change} label="Unblock" title=${'Unblock ' + query.queue} text="Lets the key move on at once, beginning with the message it waits for."
        run=${values => post(base(database) + '/keys/unblock', { destination: query.destination, key: query.queue, reason: values.reason })}
        command=${() => 'waybill outbox unblock ' + quoted(query.destination) + ' ' + quoted(query.queue)} onDone=${live.reload} /></p>`}</section>`}
    ${items.length === 0 ? html`<${Empty}>Nothing of this key waits: all of its messages are published.<//>` : html`<${MessageTable} items=${items} database=${database} />`}
    ${next && html`<p class="note">There are more than these.</p>`}`;
}

export function Messages(props) {
  if (props.query.message) {
    return html`<${One} key=${props.query.message} ...${props} />`;
  }
  return props.query.queue ? html`<${Queue} ...${props} />` : html`<${List} ...${props} />`;
}
