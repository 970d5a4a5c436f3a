import { html, useState } from './vendor/htm-preact.js';
import { get, post } from './api.js';
import { age, number, time } from './format.js';
import { useLive } from './live.js';
import { link } from './links.js';

/** A change with its reason: asks, does it, and says what became of it. */
function Change({ label, danger, run, command, onDone }) {
  const [asking, setAsking] = useState(false);
  const [said, setSaid] = useState('');
  const submit = async event => {
    event.preventDefault();
    const reason = new FormData(event.target).get('reason');
    try {
      const done = await run(reason);
      setSaid(done.what);
      setAsking(false);
      onDone();
    } catch (e) {
      setSaid(e.message);
    }
  };
  return html`<span class="change">
    ${!asking && html`<button class=${danger ? 'danger' : ''} onClick=${() => setAsking(true)}>${label}</button>`}
    ${asking && html`<form onSubmit=${submit}>
      <label>Reason <input name="reason" required autofocus /></label>
      <button class=${danger ? 'danger' : ''}>${label}</button>
      <button type="button" class="quiet" onClick=${() => setAsking(false)}>Cancel</button>
      <button type="button" class="quiet" title=${command} onClick=${() => navigator.clipboard.writeText(command)}>Copy as CLI command</button>
    </form>`}
    ${said && html`<span class="note" role="status">${said}</span>`}</span>`;
}

function actions(group, base) {
  const handler = group.kind === 'handler';
  const path = base + (handler ? '/failures/' : '/messages/');
  const filter = handler ? group.filter : { statuses: ['FAILED'], destination: group.filter.destination, error: group.filter.error };
  return {
    retry: reason => post(path + (handler ? 'retry' : 'replay'), { filter, reason }),
    discard: reason => post(path + 'discard', { filter, reason }),
    command: verb => handler
      ? 'waybill failed ' + verb + ' --group ' + group.id
      : 'waybill outbox ' + (verb === 'retry' ? 'replay' : verb) + ' --status FAILED --destination ' + group.source,
  };
}

function Group({ group, base, database, mayChange, reload }) {
  const act = actions(group, base);
  return html`<li class="group">
    <div class="bar"><span class="count">${number(group.count)}</span>
      <a class="message" href=${link('failures', { db: database, ...group.filter, kind: group.kind })}>${group.error}</a></div>
    <p class="note">${group.kind === 'handler' ? group.handler + ' could not handle messages of ' + group.source : 'could not be published to ' + group.source},
      first ${age(group.first)} ago, last ${age(group.last)} ago</p>
    ${mayChange && html`<p class="bar"><${Change} label="Retry all" run=${act.retry} command=${act.command('retry')} onDone=${reload} />
      <${Change} label="Discard all" danger run=${act.discard} command=${act.command('discard')} onDone=${reload} /></p>`}</li>`;
}

function Groups({ database, mayChange }) {
  const base = '/databases/' + database;
  const live = useLive(() => get(base + '/failures'), [database]);
  if (!live.value) {
    return html`<p class=${live.error ? 'error' : 'empty'}>${live.error || 'Loading…'}</p>`;
  }
  return html`<h1>Failures</h1>
    ${live.error && html`<p class="error" role="alert">${live.error}</p>`}
    ${live.value.items.length === 0 ? html`<p class="empty">Nothing has failed.</p>` : html`<ul class="groups">
      ${live.value.items.map(group => html`<${Group} key=${group.kind + group.id + group.source + group.error} group=${group} base=${base}
        database=${database} mayChange=${mayChange} reload=${live.reload} />`)}</ul>`}`;
}

function Messages({ database, query, mayChange }) {
  const base = '/databases/' + database;
  const handler = query.kind === 'handler';
  const { db, kind, after, ...filter } = query;
  const live = useLive(() => get(base + (handler ? '/failures/messages' : '/messages'), { ...filter, after }), [JSON.stringify(query)]);
  if (!live.value) {
    return html`<p class=${live.error ? 'error' : 'empty'}>${live.error || 'Loading…'}</p>`;
  }
  const one = message => handler
    ? { path: base + '/failures/', body: reason => ({ filter: { ids: [message.id] }, reason }), verb: 'retry' }
    : { path: base + '/messages/', body: reason => ({ filter: { ids: [message.id] }, reason }), verb: 'replay' };
  return html`<p><a href=${link('failures', { db: database })}>All failures</a></p><h1>Failed messages</h1>
    ${live.value.items.length === 0 ? html`<p class="empty">No message matches any more.</p>` : html`<div class="scroll"><table>
      <thead><tr><th scope="col">Message</th><th scope="col">Type</th><th scope="col">Key</th><th scope="col">Error</th>
        <th scope="col" class="right">Attempts</th><th scope="col">Since</th>${mayChange && html`<th scope="col">Change</th>`}</tr></thead>
      <tbody>${live.value.items.map(message => html`<tr key=${message.id}>
        <td><code>${message.id}</code></td><td>${message.type}</td><td>${message.key}</td><td class="message">${message.error}</td>
        <td class="right">${message.attempts}</td><td>${time(message.firstFailedAt || message.createdAt)}</td>
        ${mayChange && html`<td><${Change} label="Retry" onDone=${live.reload}
          command=${'waybill ' + (handler ? 'failed retry' : 'outbox replay') + ' --id ' + message.id}
          run=${reason => post(one(message).path + one(message).verb, one(message).body(reason))} /></td>`}</tr>`)}</tbody></table></div>`}
    ${live.value.next && html`<p><a href=${link('failures', { ...query, after: live.value.next })}>Next page</a></p>`}`;
}

export function Failures(props) {
  return props.query.kind ? html`<${Messages} ...${props} />` : html`<${Groups} ...${props} />`;
}
