import { html } from './view.js';
import { base, get, post } from './api.js';
import { Change } from './change.js';
import { command, counted, when } from './format.js';
import { useLive } from './live.js';
import { link, onlyBy } from './links.js';
import { Age, Empty, Filters, Pages, pending, State, Table, Text, Trouble } from './parts.js';
import { Process } from './process.js';
import { StartProcess } from './submit.js';

const STATES = ['NEW', 'RUNNING', 'COMPENSATING', 'PAUSED', 'FAILED', 'COMPENSATED', 'CANCELLED', 'SUCCEEDED'];

function Row({ one, database }) {
  return html`<tr>
    <th scope="row"><a href=${link('processes', { db: database, id: one.id })}>${one.type} ${one.key}</a></th>
    <td><${State} of=${one.status} /></td>
    <td>${one.step}${one.retries > 0 && html`<span class="note">, retry ${one.retries}</span>`}</td>
    <td><${Age} of=${one.updatedAt} /></td>
    <td>${one.dueAt ? when(one.dueAt) : '–'}</td>
    <td><${Text} of=${one.reason || '–'} most=${160} /></td>
    <td><${Age} of=${one.createdAt} /></td></tr>`;
}

const BULK = {
  retry: { label: 'Retry all that match', text: 'Tries what is blocked or waits for its next attempt again at once, in every process that matches the filters, on all pages.' },
  resume: { label: 'Resume all that match', text: 'Lets every paused process go on that matches the filters, on all pages.' },
  pause: { label: 'Pause all that match', quiet: true, text: 'Replies are noted, and nothing new is begun, in every process that matches the filters, on all pages.' },
  cancel: { label: 'Cancel all that match', danger: true, text: 'Ends every process that matches the filters, on all pages. What they have done is compensated.' },
};
const BULK_OF = { FAILED: ['retry'], COMPENSATING: ['retry'], PAUSED: ['resume', 'cancel'], RUNNING: ['retry', 'pause', 'cancel'], NEW: ['pause', 'cancel'] };

/** The same change of all processes of a state; it becomes an operation. */
function All({ database, query, reload }) {
  const filter = query.type ? { type: query.type } : {};
  return onlyBy(query, 'status', 'type', 'order') && (BULK_OF[query.status] || []).map(verb => html`<${Change} key=${verb} ...${BULK[verb]} onDone=${reload}
    run=${values => post(base(database) + '/processes/' + verb, { filter: { ...filter, statuses: [query.status] }, reason: values.reason })}
    command=${() => command('process ' + verb, { status: query.status.toLowerCase(), ...filter })} />`);
}

function List({ database, query, mayChange }) {
  const { db, order, ...filter } = query;
  const live = useLive(async () => {
    const [page, counts] = await Promise.all([get(base(database) + '/processes', filter), get(base(database) + '/processes/counts')]);
    return { ...page, counts: counts.statuses };
  }, [database, JSON.stringify(query)]);
  if (!live.value) {
    return pending(live);
  }
  const { items, next, counts } = live.value;
  const longest = order === 'waiting';
  const rows = longest ? [...items].sort((a, b) => a.updatedAt.localeCompare(b.updatedAt)) : items;
  const filtered = filter.status || filter.type || filter.key;
  return html`<div class="bar"><h1>Processes</h1><span class="grow"></span>
      ${mayChange && html`<div class="bar actions">${(items.length > 0 || next) && html`<${All} database=${database} query=${query} reload=${live.reload} />`}
        <${StartProcess} database=${database} onDone=${live.reload} /></div>`}</div><${Trouble} live=${live} />
    <nav class="tabs" aria-label="States">
      <a href=${link('processes', { ...query, status: '', after: '' })} aria-current=${filter.status ? undefined : 'true'}>all</a>
      ${STATES.map(state => html`<a href=${link('processes', { ...query, status: state, after: '' })}
        aria-current=${filter.status === state ? 'true' : undefined}>${state.toLowerCase()} <b>${counted(counts[state])}</b></a>`)}</nav>
    <${Filters} page="processes" database=${database} query=${query} fields=${[
      { name: 'key', label: 'Key', hint: 'order-4711' }, { name: 'type', label: 'Type', hint: 'PlaceOrder' },
      { name: 'status', hidden: true },
      { name: 'order', label: 'Order', options: [['', 'latest first'], ['waiting', 'longest in its state first']] }]} />
    ${rows.length === 0
      ? html`<${Empty}>${filtered ? 'No process matches. Clear the filters to see all.' : 'No process has been started in this database.'}<//>`
      : html`<${Table} label="Processes" columns=${['Process', 'State', 'Step', 'In state', 'Next', 'Reason', 'Started']}>
        ${rows.map(one => html`<${Row} key=${one.id} one=${one} database=${database} />`)}<//>
      ${longest && (next || query.after) && html`<p class="note">Sorted within this page.</p>`}`}
    <${Pages} page="processes" query=${query} next=${next} />`;
}

export function Processes(props) {
  return props.query.id ? html`<${Process} key=${props.query.id} ...${props} />` : html`<${List} ...${props} />`;
}
