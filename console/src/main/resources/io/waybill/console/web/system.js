// Commands, inbox, relays, audit and settings.
import { html } from './view.js';
import { base, get, post } from './api.js';
import { notify, notifyOf } from './change.js';
import { duration, many, number, short, time } from './format.js';
import { useLive } from './live.js';
import { link } from './links.js';
import { SendCommand } from './submit.js';
import { Age, CommandLine, CopyCommand, Empty, Facts, Filters, Long, Pages, pending, Reveal, seconds, State, Table, Text, Trouble } from './parts.js';

const COMMAND_STATES = ['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED'];
const HOURS = [['', '24 hours'], ['1', '1 hour'], ['168', '7 days'], ['720', '30 days']];

function CommandList({ database, query, mayChange }) {
  const { db, ...filter } = query;
  const live = useLive(() => get(base(database) + '/commands', filter), [database, JSON.stringify(query)]);
  if (!live.value) {
    return pending(live);
  }
  const { items, next } = live.value;
  return html`<div class="bar"><h1>Commands</h1><span class="grow"></span>${mayChange && html`<${SendCommand} database=${database} onDone=${live.reload} />`}</div><${Trouble} live=${live} />
    <${Filters} page="commands" database=${database} query=${query} fields=${[{ name: 'key', label: 'Key' }, { name: 'type', label: 'Type' },
      { name: 'status', label: 'State', options: [['', 'any'], ...COMMAND_STATES.map(state => [state, state.toLowerCase()])] },
      { name: 'hours', label: 'Within', options: HOURS }]} />
    ${items.length === 0 ? html`<${Empty}>No command matches. Choose a longer time, or clear the filters.<//>`
      : html`<${Table} label="Commands" columns=${['Command', 'State', 'Key', ['Attempt', 'right'], 'Sent', 'Changed']}>${items.map(one => html`<tr key=${one.id}>
        <th scope="row"><a href=${link('commands', { db: database, id: one.id })}>${short(one.type)}</a></th><td><${State} of=${one.status} /></td>
        <td><${Text} of=${one.key || '–'} most=${80} /></td><td class="right">${one.attempt}</td><td><${Age} of=${one.createdAt} /></td><td><${Age} of=${one.updatedAt} /></td></tr>`)}<//>`}
    <${Pages} page="commands" query=${query} next=${next} cursor="before" />`;
}

function Command({ database, query, session }) {
  const live = useLive(() => get(base(database) + '/commands/' + encodeURIComponent(query.id), { reveal: query.reveal }),
    [database, query.id, query.reveal], seconds(query));
  if (!live.value) {
    return pending(live);
  }
  const { command: one, payload, reply } = live.value;
  return html`<p class="crumbs"><a href=${link('commands', { db: database })}>Commands</a></p>
    <div class="bar"><h1>${short(one.type)}</h1><${State} of=${one.status} /></div><${Trouble} live=${live} />
    <${Facts} rows=${[['Id', html`<code>${one.id}</code>`], ['Key', short(one.key)], ['Idempotency key', short(one.idempotencyKey)],
      ['Correlation', html`<a href=${link('correlation', { db: database, id: one.correlation })}>${one.correlation}</a>`],
      ['Attempt', String(one.attempt)], ['Sent', time(one.createdAt)], ['Changed', time(one.updatedAt)], ['Time-out', time(one.timeoutAt)]]} />
    <div class="bar"><h2>Payload</h2><span class="grow"></span><${Reveal} page="commands" query=${query} session=${session} /></div><${Long} text=${payload} label="Payload" json />
    <h2>Reply</h2>${reply ? html`<${Long} text=${reply} label="Reply" json />` : html`<${Empty}>There is no reply yet, or the command has none.<//>`}
    <p><${CopyCommand} line=${'waybill command show ' + one.id} /></p>`;
}

export function Commands(props) {
  return props.query.id ? html`<${Command} key=${props.query.id} ...${props} />` : html`<${CommandList} ...${props} />`;
}

export function Inbox({ database, query }) {
  const live = useLive(() => get(base(database) + '/inbox', { hours: query.hours }), [database, query.hours]);
  if (!live.value) {
    return pending(live);
  }
  const within = query.hours || '1';
  return html`<h1>Inbox</h1><p class="note">Messages from brokers, by the handler that has handled them, each once. A handler in the process takes its messages from the outbox and has no row here.</p><${Trouble} live=${live} />
    <${Filters} page="inbox" database=${database} query=${query} fields=${[{ name: 'hours', label: 'Within', options: [['', '1 hour'], ['24', '24 hours'], ['168', '7 days']] }]} />
    ${live.value.items.length === 0 ? html`<${Empty}>No message of a broker was handled within ${within === '1' ? 'the last hour' : 'the last ' + within + ' hours'}. Choose a longer time, or look whether the
      application that has the handlers runs.<//>`
      : html`<${Table} label="Handlers" columns=${['Handler', ['Handled', 'right'], 'Last']}>${live.value.items.map(one => html`<tr key=${one.handler}>
        <th scope="row">${short(one.handler)}</th><td class="right">${number(one.handled)}</td><td><${Age} of=${one.last} /> ago</td></tr>`)}<//>`}`;
}

export function Relays({ database }) {
  const live = useLive(async () => {
    const [found, routes] = await Promise.all([get(base(database) + '/relays'), get(base(database) + '/routes')]);
    return { ...found, routes: routes.relays };
  }, [database]);
  if (!live.value) {
    return pending(live);
  }
  const { relays, leases, routes } = live.value;
  return html`<h1>Relays</h1><${Trouble} live=${live} />
    ${relays.length === 0 ? html`<p class="error">No relay lives: nothing is published. Start an application with Waybill, or <code>waybill relay run</code>.</p>`
      : html`<${Table} label="Relays" columns=${['Relay', 'Pool', 'State', ['Shards', 'right'], 'Runs for', 'Last sign of life', 'Lease']}>${relays.map(one => html`<tr key=${one.pool + one.relay}>
        <th scope="row"><code>${short(one.relay)}</code></th><td>${one.pool || 'default'}</td><td><${State} of=${!one.alive ? 'gone' : one.overdue ? 'overdue' : 'alive'} /></td><td class="right">${one.shards}</td>
        <td><${Age} of=${one.startedAt} /></td><td><${Age} of=${one.renewedAt} /> ago</td><td>${one.leaseRemainingMillis > 0 ? duration(one.leaseRemainingMillis) + ' left' : 'over'}</td></tr>`)}<//>`}
    <h2>Shards</h2>
    ${leases.length === 0 ? html`<${Empty}>No shard has been leased yet.<//>` : html`<${Shards} leases=${leases} />`}
    <h2>Routes</h2>
    ${routes.length === 0 ? html`<${Empty}>None: no live relay has announced any.<//>` : html`<${Routes} relays=${routes} />`}`;
}

/** Which destinations live relays serve, each once, and how many of them do. */
function Routes({ relays }) {
  const found = new Map();
  for (const relay of relays) {
    for (const { destinations, target } of relay.routes) {
      const key = destinations + ' ' + target;
      found.set(key, { destinations, target, relays: new Set(found.get(key)?.relays).add(relay.pool + ' ' + relay.relay) });
    }
  }
  const rows = [...found.entries()].sort(([a], [b]) => a.localeCompare(b));
  return html`<${Table} label="Routes" columns=${['Destinations', 'Served by', ['Relays', 'right']]}>${rows.map(([key, one]) => html`<tr key=${key}>
    <th scope="row"><code>${short(one.destinations)}</code></th><td>a ${one.target}</td><td class="right">${one.relays.size} of ${relays.length}</td></tr>`)}<//>`;
}

/** Shards that have no relay one by one, the others together by their relay. */
function Shards({ leases }) {
  const owners = [...new Set(leases.filter(one => one.valid).map(one => one.pool + ' ' + one.owner))].sort();
  const free = leases.filter(one => !one.valid);
  const least = some => duration(Math.min(...some.map(one => one.remainingMillis)));
  return html`${free.length > 0 && html`<p class="error">Without a relay: ${free.map(one => (one.pool ? one.pool + ' ' : '') + one.shard).join(', ')}.
      Their messages wait until a relay takes them, which it does by itself within some seconds while one lives.</p>`}
    ${owners.map(owner => {
      const some = leases.filter(one => one.valid && one.pool + ' ' + one.owner === owner);
      return html`<div key=${owner}><p><${State} of="alive" text="leased" /> <code>${short(some[0].owner)}</code> <span class="note">${many(some.length, 'shard')}, at least ${least(some)} left</span></p>
        <ul class="shards" aria-label=${'Shards of ' + some[0].owner}>${some.map(one => html`<li key=${one.shard} title=${'token ' + one.token + ', ' + duration(one.remainingMillis) + ' left'}>${one.shard}</li>`)}</ul></div>`;
    })}`;
}

/** Changes of many messages that this console runs or has run, with their progress, and those that ended with their process. */
function Operations({ items, database, mayChange, reload }) {
  const cancel = one => post(base(database) + '/operations/' + one.id + '/cancel')
    .then(() => notify('Ends after the step that is being done. What was changed stays changed.'), e => notify(e.message, 'bad')).then(reload);
  const rest = one => post(base(database) + '/operations/' + one.id + '/rest')
    .then(notifyOf, e => notify(e.message, 'bad')).then(reload);
  const says = one => one.state === 'INTERRUPTED'
    ? html`<${Text} of=${one.result} />${one.hasRest && mayChange ? html`<br /><button type="button" class="quiet" onClick=${() => rest(one)}>Run the rest</button>`
      : html`<br /><span class="note">Start the same change again: it does the rest.</span>`}`
    : html`<${Text} of=${one.result || '–'} />`;
  return html`<h2>Operations of this console</h2><${Table} label="Operations" columns=${['Started', 'State', ['Done', 'right'], ['Refused', 'right'], 'What', 'Who', 'Result']}>
    ${items.map(one => html`<tr key=${one.id}><td class="nowrap"><${Age} of=${one.startedAt} /> ago</td><td><${State} of=${one.state === 'DONE' ? 'COMPLETED' : one.state === 'INTERRUPTED' ? 'paused' : one.state} text=${one.state} /></td>
      <td class="right">${number(one.done)}</td><td class="right">${number(one.refused)}</td><td><${CommandLine} of=${short(one.command, 200)} /></td><td>${short(one.operator)}</td>
      <td>${one.state === 'RUNNING' && mayChange ? html`<button type="button" class="quiet" onClick=${() => cancel(one)}>Stop</button>` : says(one)}</td></tr>`)}<//>`;
}

export function Audit({ database, query, mayChange }) {
  const live = useLive(async () => {
    const [page, operations] = await Promise.all([get(base(database) + '/audit', { before: query.before }), get(base(database) + '/operations')]);
    return { ...page, operations: operations.items.slice(0, 10) };
  }, [database, query.before], 3);
  if (!live.value) {
    return pending(live);
  }
  const { items, next, operations } = live.value;
  return html`<h1>Audit</h1><p class="note">Who changed what, the latest first.</p><${Trouble} live=${live} />
    ${operations.length > 0 && !query.before && html`<${Operations} items=${operations} database=${database} mayChange=${mayChange} reload=${live.reload} /><h2>All changes</h2>`}
    ${items.length === 0 ? html`<${Empty}>Nobody has changed anything.<//>`
      : html`<${Table} label="Audit" columns=${['Time', 'Who', 'What', 'Reason', 'Result']}>${items.map(one => html`<tr key=${one.id}>
        <td class="nowrap">${time(one.startedAt)}</td><td>${short(one.operator)}<br /><span class="note">${short(one.databaseUser)}</span></td>
        <td><${CommandLine} of=${short(one.command, 400)} /></td><td><${Text} of=${one.reason} /></td><td>${one.result ? html`<${Text} of=${one.result} />` : ''}
          ${!one.endedAt && html`<${State} of="paused" text=${one.interrupted ? 'interrupted' : 'goes on'} />`}</td></tr>`)}<//>`}
    <${Pages} page="audit" query=${query} next=${next} cursor="before" />`;
}

export function Settings({ database, session }) {
  const live = useLive(() => get(base(database) + '/settings'), [database], 600);
  if (!live.value) {
    return pending(live);
  }
  const found = live.value;
  return html`<h1>Settings</h1><${Trouble} live=${live} />
    <${Facts} rows=${[['Database', found.database], ['Address', html`<code>${found.address}</code>`], ['Product', found.product], ['Version of Waybill', found.version || 'a build of its own'],
      ['You', session.name + ', ' + session.role], ['Users', found.users ? 'log in' : 'none: this machine alone'], ['Changes', found.readOnly ? 'none: the console is read-only' : 'allowed to operators and admins']]} />
    <h2>Schema</h2>
    ${found.schemaMissing.length > 0 && html`<p class="error">Missing: ${found.schemaMissing.join(', ')}. Apply with <code>waybill schema apply</code>.</p>`}
    <p>${found.schemaApplied.length} parts are applied.</p><details><summary>Which ones</summary><ul>${found.schemaApplied.map(one => html`<li><code>${one}</code></li>`)}</ul></details>
    <h2>Masked fields and headers</h2>
    ${found.maskingRules.length === 0 ? html`<${Empty}>Nothing is masked.<//>` : html`<ul>${found.maskingRules.map(one => html`<li><code>${one}</code></li>`)}</ul>`}`;
}
