import { html } from './view.js';
import { base, get, post } from './api.js';
import { Change } from './change.js';
import { command, short, time, when } from './format.js';
import { useLive } from './live.js';
import { link, onlyBy } from './links.js';
import { CopyCommand, Empty, Facts, Filters, Headers, Pages, Payload, pending, Reveal, seconds, State, Table, Text, Trouble } from './parts.js';

const overdue = one => Date.parse(one.dueAt) < Date.now();

function OneActions({ one, database, reload }) {
  const path = base(database) + '/scheduled/';
  return html`<${Change} label="Send now" quiet title=${'Publish ' + one.type + ' now'} text="The next relay publishes it, before its time."
      run=${values => post(path + one.id + '/publish', { reason: values.reason })} command=${() => command('outbox scheduled publish') + ' ' + one.id} onDone=${reload} />
    <${Change} label="Discard" danger title=${'Discard ' + one.type} text="It is not published. It stays among the messages as discarded, with your reason, until the cleanup."
      run=${values => post(path + 'discard', { filter: { ids: [one.id] }, reason: values.reason })}
      command=${() => command('outbox scheduled discard', { id: one.id })} onDone=${reload} />`;
}

function List({ database, query, mayChange }) {
  const { db, ...filter } = query;
  const live = useLive(() => get(base(database) + '/scheduled', filter), [database, JSON.stringify(query)]);
  if (!live.value) {
    return pending(live);
  }
  const { items, next, searched } = live.value;
  const { destination, type, key } = filter;
  const selected = destination || type || key;
  return html`<div class="bar"><h1>Scheduled messages</h1><span class="grow"></span>
      ${mayChange && items.length > 0 && selected && onlyBy(query, 'destination', 'type', 'key') && html`<div class="bar actions"><${Change} label="Discard all that match" danger title="Discard all scheduled messages that match"
        text="They are not published. They stay among the messages as discarded, with your reason, until the cleanup."
        run=${values => post(base(database) + '/scheduled/discard', { filter: { destination, type, key }, reason: values.reason })}
        command=${() => command('outbox scheduled discard', { destination, type, key })} onDone=${live.reload} /></div>`}</div>
    <p class="note">Messages for later: a relay publishes each when it is due.</p><${Trouble} live=${live} />
    <${Filters} page="scheduled" database=${database} query=${query} fields=${[{ name: 'destination', label: 'Destination' }, { name: 'type', label: 'Type' }, { name: 'key', label: 'Key' }]} />
    ${items.length === 0 ? html`<${Empty}>${selected ? 'No scheduled message matches' + (next ? ' among the ' + searched + ' that were searched.' : '. Clear the filters to see all.') : 'No message is scheduled.'}<//>`
      : html`<${Table} label="Scheduled messages" columns=${['Message', 'Due', 'Destination', 'Key', ...(mayChange ? ['Actions'] : [])]}>${items.map(one => html`<tr key=${one.id}>
        <th scope="row"><a href=${link('scheduled', { db: database, id: one.id })}>${short(one.type || one.category.toLowerCase())}</a></th>
        <td class="nowrap"><span title=${time(one.dueAt)}>${when(one.dueAt)}</span>${overdue(one) && html` <${State} of="overdue" />`}</td>
        <td><${Text} of=${one.destination} most=${80} /></td><td><${Text} of=${one.key || '–'} most=${80} /></td>
        ${mayChange && html`<td><div class="bar"><${OneActions} one=${one} database=${database} reload=${live.reload} /></div></td>`}</tr>`)}<//>`}
    <${Pages} page="scheduled" query=${query} next=${next} />`;
}

function One({ database, query, mayChange, session }) {
  const live = useLive(() => get(base(database) + '/scheduled/' + encodeURIComponent(query.id), { reveal: query.reveal }), [database, query.id, query.reveal], seconds(query));
  const crumbs = html`<p class="crumbs"><a href=${link('scheduled', { db: database })}>Scheduled messages</a></p>`;
  if (live.status === 404) {
    return html`${crumbs}<h1>Not scheduled any more</h1><${Empty}>${live.error}<//>
      <p><a href=${link('messages', { db: database, message: query.id })}>Look for it among the messages</a></p>`;
  }
  if (!live.value) {
    return pending(live);
  }
  const { message: one, payload, headers, commands } = live.value;
  const correlation = headers['correlation-id'];
  return html`${crumbs}<div class="bar"><h1>${short(one.type || one.category.toLowerCase())}</h1><${State} of=${overdue(one) ? 'overdue' : 'scheduled'} /><span class="grow"></span>
      ${mayChange && html`<div class="bar actions"><${OneActions} one=${one} database=${database} reload=${live.reload} /></div>`}</div><${Trouble} live=${live} />
    <${Facts} rows=${[['Id', html`<code>${one.id}</code>`], ['Due', time(one.dueAt) + ', ' + when(one.dueAt)], ['Destination', short(one.destination)],
      ['Key', one.key && short(one.key)], ['Correlation', correlation && html`<a href=${link('correlation', { db: database, id: correlation })}>${short(correlation)}</a>`]]} />
    <div class="bar"><h2>Payload</h2><span class="grow"></span><${Reveal} page="scheduled" query=${query} session=${session} /></div><${Payload} of=${payload} />
    <h2>Headers</h2><${Headers} of=${headers} />
    ${mayChange && html`<p><${CopyCommand} line=${commands.publish} /></p>`}`;
}

export function Scheduled(props) {
  return props.query.id ? html`<${One} key=${props.query.id} ...${props} />` : html`<${List} ...${props} />`;
}
