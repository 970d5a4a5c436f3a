import { html } from './view.js';
import { base, get, post } from './api.js';
import { Change } from './change.js';
import { age, counted, duration, many, number, percent, quoted, rate, short, time } from './format.js';
import { useLive } from './live.js';
import { link } from './links.js';
import { Age, Empty, pending, State, Table, Trouble } from './parts.js';

function Sparkline({ values, label }) {
  if (values.length < 2) {
    return null;
  }
  const most = Math.max(1, ...values);
  const points = values.map((value, i) => (i * 120 / (values.length - 1)).toFixed(1) + ',' + (27 - 24 * value / most).toFixed(1)).join(' ');
  return html`<svg class="spark" viewBox="0 0 120 30" preserveAspectRatio="none" role="img" aria-label=${label}>
    <polygon points=${'0,30 ' + points + ' 120,30'} /><polyline points=${points} /></svg>`;
}

function Tile({ title, value, note, values, tone, href }) {
  return html`<a class=${'tile ' + (tone || '')} href=${href}><span class="title">${title}</span><span class="value">${value}</span>
    <span class="note">${note}</span>${values && html`<${Sparkline} values=${values} label=${title + ' over time'} />`}</a>`;
}

/** Where to click next, by what waits. */
function nextClick(item, db) {
  const name = item.name.replace(/ \([a-z]+\)$/, '');
  const at = (page, query, text) => ({ href: link(page, { db, ...query }), text });
  switch (item.kind) {
    case 'handler': return at('failures', {}, 'See the failures');
    case 'message': return item.name.endsWith('(failed)') ? at('failures', {}, 'See the failures') : at('messages', { status: 'WAITING', destination: name }, 'See the messages');
    case 'key': return at('messages', { status: 'HELD', destination: name }, 'See what is held');
    case 'destination': return at('messages', { destination: name, status: 'PENDING' }, 'See the messages');
    case 'shard': return at('relays', {}, 'See the relays');
    case 'reply': return at('commands', { status: 'PROCESSING' }, 'See the commands');
    case 'step':
    case 'child': return item.name.includes('block') ? at('processes', { status: 'FAILED', type: name.split('.')[0] }, 'See the processes')
      : at('processes', { type: name.split('.')[0], order: 'waiting' }, 'See the processes');
    case 'timer': return item.endedBy.includes('outbox scheduled') ? at('scheduled', { destination: name }, 'See what is scheduled')
      : at('processes', { order: 'waiting' }, 'See the processes');
    case 'operation': return at('audit', {}, 'See the audit');
    default: return at('processes', { order: 'waiting' }, 'See the processes');
  }
}

/** The code of a destination that an operator has paused. */
const PAUSED = 'WB-140';

function Attention({ items, database, mayChange, reload }) {
  return html`<ul class="attention">${items.map(item => {
    const next = nextClick(item, database);
    return html`<li key=${item.kind + item.name}><div class="bar"><span class="kind">${item.kind}</span> <strong class="message">${short(item.name)}</strong>
      ${item.count > 1 && html`<span class="note">${number(item.count)}</span>`}${item.since && html`<span class="note">for <${Age} of=${item.since} /></span>`}
      <span class="grow"></span>${mayChange && item.code === PAUSED && html`<${PauseButton} one=${{ destination: item.name, paused: true }} database=${database} reload=${reload} />`}
      <a class="button" href=${next.href}>${next.text}</a></div>
      <p class="message">${short(item.why, 400)}</p><p class="note">Ends when ${short(item.endedBy, 400)}. <code>${item.code}</code></p></li>`;
  })}</ul>`;
}

function PauseButton({ one, database, reload }) {
  const verb = one.paused ? 'resume' : 'pause';
  return html`<${Change} label=${one.paused ? 'Resume' : 'Pause'} quiet title=${(one.paused ? 'Resume ' : 'Pause ') + short(one.destination)}
    text=${one.paused ? 'Relays publish its messages again, in their order.'
      : 'Relays publish nothing to it until you resume it. Its messages wait in order and use no attempt; other destinations continue.'}
    run=${values => post(base(database) + '/destinations/' + verb, { destination: one.destination, reason: values.reason })}
    command=${() => 'waybill outbox ' + verb + ' ' + quoted(one.destination)} onDone=${reload} />`;
}

function DestinationState({ one }) {
  const pause = one.paused;
  return pause ? html`<span title=${'Paused at ' + time(pause.since) + ' by ' + pause.operator + ': ' + pause.reason}><${State} of="paused" /></span>
    <div><span class="note message">by ${short(pause.operator)} for <${Age} of=${pause.since} />: ${short(pause.reason, 200)}</span></div>` : html`<${State} of=${one.state} />
    ${one.unavailable && html`<div><span class="note message">${short(one.unavailable, 200)}</span></div>`}`;
}

function Destinations({ items, database, mayChange, reload }) {
  const to = (one, status) => count => count ? html`<a href=${link('messages', { db: database, destination: one.destination, status })}>${number(count)}</a>` : '0';
  const columns = ['Destination', 'State', ['Rate', 'right'], ['Refused', 'right'], ['Pending', 'right'], ['Waiting', 'right'], ['Held', 'right'], ['Failed', 'right'], 'Lag'];
  return html`<${Table} label="Destinations" columns=${mayChange ? [...columns, ''] : columns}>
    ${items.map(one => html`<tr key=${one.destination}><th scope="row">${short(one.destination)}</th><td><${DestinationState} one=${one} /></td>
      <td class="right">${rate(one.publishedPerSecond)}</td><td class="right">${percent(one.refusedShare)}</td>
      <td class="right">${to(one, 'PENDING')(one.pending)}</td><td class="right">${to(one, 'WAITING')(one.waiting)}</td>
      <td class="right">${to(one, 'HELD')(one.held)}</td><td class="right">${to(one, 'FAILED')(one.failed)}</td><td><${Age} of=${one.oldestPending} /></td>
      ${mayChange && html`<td class="right"><${PauseButton} one=${one} database=${database} reload=${reload} /></td>`}</tr>`)}<//>`;
}

export function Overview({ database, mayChange }) {
  const live = useLive(() => get(base(database) + '/overview'), [database]);
  const found = live.value;
  if (!found) {
    return pending(live);
  }
  const failed = found.failedPublishing + found.failedHandling;
  const unusual = found.attention.filter(item => item.unusual);
  const usual = found.attention.filter(item => !item.unusual);
  const open = ['NEW', 'RUNNING', 'COMPENSATING', 'PAUSED'].reduce((sum, name) => sum + found.processes[name], 0);
  const of = name => found.samples.map(one => one[name]);
  const seen = found.samples.length > 1 ? duration(Date.parse(found.at) - Date.parse(found.samples[0].at)) : '';
  const late = found.oldestUnpublished && Date.now() - Date.parse(found.oldestUnpublished) > 60000;
  return html`<h1>Overview</h1><${Trouble} live=${live} />
    <section aria-labelledby="attention"><h2 id="attention">Needs attention</h2>
      ${unusual.length === 0 ? html`<p class="fine">Nothing needs attention.</p>` : html`<${Attention} items=${unusual} database=${database} mayChange=${mayChange} reload=${live.reload} />`}
      ${usual.length > 0 && html`<details><summary>${many(usual.length, 'thing')} waiting as expected</summary><${Attention} items=${usual} database=${database} /></details>`}</section>
    <section aria-labelledby="numbers"><h2 id="numbers">Now</h2><div class="tiles">
      <${Tile} title="Oldest unpublished" value=${age(found.oldestUnpublished) || 'none'} note=${number(found.pending) + ' pending'}
        values=${of('oldestSeconds')} tone=${late ? 'warn' : ''} href=${link('messages', { db: database, status: 'PENDING' })} />
      <${Tile} title="To be published" value=${number(found.pending + found.waiting + found.held)} note=${number(found.waiting) + ' tried again, ' + number(found.held) + ' held behind them'}
        values=${of('pending')} href=${link('messages', { db: database, status: 'WAITING' })} />
      <${Tile} title="In" value=${rate(found.inPerSecond)} note="appended, about" values=${of('inPerSecond')} href=${link('messages', { db: database })} />
      <${Tile} title="Out" value=${rate(found.outPerSecond)} note="published or handled" values=${of('outPerSecond')} href=${link('relays', { db: database })} />
      <${Tile} title="Failed" value=${number(failed)} note=${number(found.failedHandling) + ' handling, ' + number(found.failedPublishing) + ' publishing'}
        values=${of('failed')} tone=${failed ? 'bad' : ''} href=${link('failures', { db: database })} />
      ${found.processes.FAILED ? html`<${Tile} title="Processes failed" value=${counted(found.processes.FAILED)} note=${counted(open) + ' open'} values=${of('failedProcesses')}
          tone="warn" href=${link('processes', { db: database, status: 'FAILED' })} />`
        : html`<${Tile} title="Processes open" value=${counted(open)} note="none failed or blocked" values=${of('openProcesses')} href=${link('processes', { db: database, status: 'RUNNING' })} />`}
    </div>${seen && html`<p class="note">The lines show the last ${seen}.</p>`}</section>
    <section aria-labelledby="destinations"><h2 id="destinations">Destinations</h2>
      ${found.destinations.length === 0 ? html`<${Empty}>No message waits for any destination, and none was published since the relays started.<//>`
        : html`<${Destinations} items=${found.destinations} database=${database} mayChange=${mayChange} reload=${live.reload} />`}</section>`;
}
