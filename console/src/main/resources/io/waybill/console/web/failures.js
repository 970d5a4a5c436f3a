import { html } from './view.js';
import { base, get, post } from './api.js';
import { Change } from './change.js';
import { command, many, number, quoted, short, time } from './format.js';
import { useLive } from './live.js';
import { link, onlyBy } from './links.js';
import { History } from './messages.js';
import { Age, CopyCommand, Empty, Facts, Headers, Long, Pages, Payload, pending, Reveal, seconds, State, Table, Text, Trouble } from './parts.js';

/** What can be done with all messages of a group: those of handlers and those of the outbox are changed by different requests. */
function groupActions(group, database, reload) {
  const handler = group.kind === 'handler';
  const filter = handler ? { ...group.filter } : { statuses: ['FAILED'], destination: group.filter.destination, errorGroup: group.filter.errorGroup };
  const again = group.filter.retried === 'true';
  if (again) {
    filter.retried = true;
  }
  const verbs = handler ? ['failures/retry', 'failures/discard'] : ['messages/replay', 'messages/discard'];
  const words = verb => (verb === 'retry' && !handler ? 'replay' : verb) + (again ? ' --retried' : '');
  const line = verb => handler
    ? command('failed ' + words(verb), { group: group.filter.group, from: group.filter.source, handler: group.filter.handler })
    : command('outbox ' + words(verb), { status: 'FAILED', destination: filter.destination, 'error-group': filter.errorGroup });
  const change = (path, verb) => ({
    run: values => post(base(database) + '/' + path, { filter, reason: values.reason, ...(values.queue ? { target: 'queue' } : {}) }),
    command: values => line(verb) + (values.queue ? ' --to-queue' : ''), onDone: reload });
  const redirect = { run: values => post(base(database) + '/messages/redirect', { filter, destination: values.destination, reason: values.reason }),
    command: values => line('redirect --to ' + quoted(values.destination || 'DESTINATION')), onDone: reload };
  return { retry: change(verbs[0], 'retry'), redirect, discard: change(verbs[1], 'discard'), handler };
}

const TO_QUEUE = [{ name: 'queue', label: 'Send them back to the topic or queue they came from, instead of to the handler', kind: 'check', value: false }];

/** Whether a list shows what a change of its group selects, and nothing less. */
const whole = query => (query.kind === 'handler' ? onlyBy(query, 'kind', 'group', 'source', 'handler', 'retried')
  : query.status === 'FAILED' && onlyBy(query, 'kind', 'status', 'destination', 'errorGroup', 'retried'));

function GroupActions({ group, database, reload }) {
  const actions = groupActions(group, database, reload);
  const all = group.count ? many(group.count, 'message') : 'every message of this group';
  return html`<${Change} label="Retry all" title=${'Retry ' + all} fields=${actions.handler ? TO_QUEUE : []}
      text=${(actions.handler ? 'Gives them to ' + group.handler : 'Publishes them to ' + group.source) + ' again. What fails again is listed here anew.'} ...${actions.retry} />
    ${!actions.handler && html`<${Change} label="Redirect all" quiet title=${'Redirect ' + all} fields=${[{ name: 'destination', label: 'Destination' }]}
      text="Publishes them to another destination. Messages that are held behind them go with them, in the order of their keys." ...${actions.redirect} />`}
    <${Change} label="Discard all" danger title=${'Discard ' + all} text="Gives them up. They are not tried again." ...${actions.discard} />`;
}

function Group({ group, database, mayChange, reload }) {
  return html`<li class="group">
    <div class="bar"><span class="count">${number(group.count)}</span>
      <a class="message title" href=${link('failures', { db: database, ...group.filter, kind: group.kind })}>${short(group.error)}</a></div>
    <p class="note">${group.kind === 'handler' ? short(group.handler) + ' could not handle messages of ' + short(group.source) : 'could not be published to ' + short(group.source)};${' '}first <${Age} of=${group.first} /> ago, last <${Age} of=${group.last} /> ago</p>
    ${group.failedAgain > 0 && html`<p><a class="state bad" href=${link('failures', { db: database, ...group.filter, kind: group.kind, retried: 'true' })}>${number(group.failedAgain) + ' of these failed again after a retry'}</a></p>`}
    ${mayChange && html`<p class="bar"><${GroupActions} group=${group} database=${database} reload=${reload} /></p>`}</li>`;
}

function Groups({ database, mayChange }) {
  const live = useLive(() => get(base(database) + '/failures'), [database]);
  if (!live.value) {
    return pending(live);
  }
  const { items, more } = live.value;
  return html`<h1>Failures</h1><${Trouble} live=${live} />
    ${items.length === 0 ? html`<${Empty}>Nothing has failed. Messages appear here when their last attempt has failed; those that are still tried again are among the${' '}
      <a href=${link('messages', { db: database, status: 'WAITING' })}>waiting messages</a>.<//>` : html`<ul class="groups">
      ${items.map(group => html`<${Group} key=${group.kind + group.id + group.source + group.error} group=${group}
        database=${database} mayChange=${mayChange} reload=${live.reload} />`)}</ul>`}
    ${more && html`<p class="note">There are more groups than these: retry or discard some, or use <code>waybill failed groups</code>.</p>`}`;
}

function GroupMessages({ database, query, mayChange }) {
  const handler = query.kind === 'handler';
  const { db, kind, ...filter } = query;
  const live = useLive(() => get(base(database) + (handler ? '/failures/messages' : '/messages'), filter), [database, JSON.stringify(query)]);
  if (!live.value) {
    return pending(live);
  }
  const { items, next } = live.value;
  const { after, ...selected } = filter;
  const group = { kind, filter: selected, handler: query.handler, source: handler ? query.source : query.destination };
  return html`<p class="crumbs"><a href=${link('failures', { db: database })}>Failures</a></p>
    <div class="bar"><h1>${query.retried === 'true' ? 'Failed again after a retry' : 'Failed messages'}</h1><span class="grow"></span>
      ${mayChange && items.length > 0 && whole(query) && html`<div class="bar actions"><${GroupActions} group=${group} database=${database} reload=${live.reload} /></div>`}</div>
    <p class="note">${handler ? short(query.handler) + ' could not handle them; they came from ' + short(query.source) : 'could not be published to ' + short(query.destination)}</p>
    <${Trouble} live=${live} />
    ${items.length === 0 ? html`<${Empty}>${query.retried === 'true' ? 'No message of this group has failed again after a retry.' : 'No message of this group is left.'} <a href=${link('failures', { db: database })}>All failures</a><//>`
      : html`<${Table} label="Failed messages" columns=${['Message', 'Key', 'Error', ['Attempts', 'right'], 'First failed', 'Last failed']}>
      ${items.map(one => html`<tr key=${one.id}>
        <th scope="row"><a href=${handler ? link('failures', { db: database, failed: one.id }) : link('messages', { db: database, message: one.id })}>${short(one.type)}</a></th>
        <td><${Text} of=${one.key || '–'} most=${80} /></td><td><${Text} of=${one.error} /></td><td class="right">${one.attempts}${one.retries > 0 && html`<br /><span class="note">retried ${one.retries} ×</span>`}</td>
        <td><${Age} of=${one.firstFailedAt || one.createdAt} /></td><td>${one.lastFailedAt ? html`<${Age} of=${one.lastFailedAt} />` : '–'}</td></tr>`)}<//>`}
    <${Pages} page="failures" query=${query} next=${next} />`;
}

function Attempts({ one, attempts }) {
  return html`<ol class="journey">${attempts.length === 0 && html`<li class="bad"><strong>first failed</strong> <span class="note">${time(one.firstFailedAt)}</span></li>
    <li class="bad"><strong>last failed</strong> <span class="note">${time(one.lastFailedAt)}</span><div>${many(one.attempts, 'attempt')} so far</div></li>`}
    <${History} attempts=${attempts} />
    <li><strong>${one.state.toLowerCase()}</strong><div>${one.state === 'FAILED' ? 'It is not tried again until somebody retries it.' : 'It is tried again by itself, or follows an earlier message of its key.'}</div></li></ol>`;
}

function OneActions({ found, database, reload }) {
  const one = found.message;
  const filter = { ids: [one.id] };
  const path = base(database) + '/failures/';
  return html`<div class="bar actions">
    <${Change} label="Retry" fields=${TO_QUEUE} text=${'Gives the message to ' + one.handler + ' again.'} onDone=${reload}
      run=${values => post(path + 'retry', { filter, reason: values.reason, ...(values.queue ? { target: 'queue' } : {}) })}
      command=${values => found.commands.retry + (values.queue ? ' --to-queue' : '')} />
    ${!found.payload.binary && html`<${Change} label="Edit and retry" quiet text="Changes the payload and gives the message to its handler again. Values shown as *** would be stored like that."
      fields=${[{ name: 'payload', label: 'Payload', kind: 'area', value: found.payload.text }]} onDone=${reload}
      run=${values => post(path + 'messages/' + one.id + '/edit', { payload: values.payload, retry: true, reason: values.reason })}
      command=${values => [command('failed edit ' + one.id, { payload: values.payload }), found.commands.retry]} />`}
    <${Change} label="Discard" danger text="Gives the message up. It is not tried again." onDone=${reload}
      run=${values => post(path + 'discard', { filter, reason: values.reason })} command=${() => found.commands.discard} /></div>`;
}

function Failed({ database, query, mayChange, session }) {
  const live = useLive(() => get(base(database) + '/failures/messages/' + encodeURIComponent(query.failed), { reveal: query.reveal }),
    [database, query.failed, query.reveal], seconds(query));
  if (live.status === 404) {
    return html`<p class="crumbs"><a href=${link('failures', { db: database })}>Failures</a></p><h1>Not failed any more</h1><${Empty}>${live.error}<//>
      <p><a href=${link('audit', { db: database })}>The audit</a> says who changed what.</p>`;
  }
  if (!live.value) {
    return pending(live);
  }
  const found = live.value;
  const one = found.message;
  return html`<p class="crumbs"><a href=${link('failures', { db: database })}>Failures</a> › ${' '}<a href=${link('failures', { db: database, group: one.group, source: one.source, handler: one.handler, kind: 'handler' })}>the same error</a></p>
    <div class="bar"><h1>${short(one.type)}</h1><${State} of=${one.state} /><span class="grow"></span>
      ${mayChange && html`<${OneActions} found=${found} database=${database} reload=${live.reload} />`}</div><${Trouble} live=${live} />
    <section class="explain bad" aria-label="Error"><p><strong>${short(one.kind)}</strong>: <${Text} of=${one.error} most=${2000} /></p></section>
    <${Facts} rows=${[['Id', one.id], ['Message', html`<code>${one.messageId}</code>`], ['Handler', short(one.handler)], ['From', short(one.source)],
      ['Key', one.key && short(one.key)], ['Correlation', one.correlation && html`<a href=${link('correlation', { db: database, id: one.correlation })}>${short(one.correlation)}</a>`]]} />
    <h2>Attempts</h2><${Attempts} one=${one} attempts=${found.attempts} />
    <div class="bar"><h2>Payload</h2><span class="grow"></span><${Reveal} page="failures" query=${query} session=${session} /></div><${Payload} of=${found.payload} />
    <h2>Headers</h2><${Headers} of=${found.headers} />
    <h2>Stack trace</h2>${found.stack ? html`<${Long} text=${found.stack} label="Stack trace" />` : html`<${Empty}>None was stored.<//>`}
    <p><${CopyCommand} line=${found.commands.show} /></p>`;
}

export function Failures(props) {
  if (props.query.failed) {
    return html`<${Failed} key=${props.query.failed} ...${props} />`;
  }
  return props.query.kind ? html`<${GroupMessages} ...${props} />` : html`<${Groups} ...${props} />`;
}
