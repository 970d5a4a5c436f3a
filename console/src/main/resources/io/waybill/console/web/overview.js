import { html } from './vendor/htm-preact.js';
import { get } from './api.js';
import { age, number } from './format.js';
import { useLive } from './live.js';
import { link } from './links.js';

function Sparkline({ values, label }) {
  const most = Math.max(1, ...values);
  const points = values.map((value, i) =>
    (values.length < 2 ? 0 : i * 120 / (values.length - 1)).toFixed(1) + ',' + (28 - 26 * value / most).toFixed(1)).join(' ');
  return html`<svg class="spark" viewBox="0 0 120 30" role="img" aria-label=${label}><polyline points=${points} /></svg>`;
}

function Tile({ title, value, note, values, tone, href }) {
  const body = html`<span class="title">${title}</span><span class="value">${value}</span>
    <span class="note">${note}</span>${values && html`<${Sparkline} values=${values} label=${title + ' over time'} />`}`;
  return href ? html`<a class=${'tile ' + (tone || '')} href=${href}>${body}</a>` : html`<div class=${'tile ' + (tone || '')}>${body}</div>`;
}

function Destination({ one }) {
  return html`<tr>
    <th scope="row">${one.destination}</th>
    <td><span class=${'state ' + one.state.replace(' ', '-')}>${one.state}</span></td>
    <td class="right">${number(one.pending)}</td><td class="right">${number(one.waiting)}</td>
    <td class="right">${number(one.held)}</td><td class="right">${number(one.failed)}</td>
    <td>${age(one.oldestPending)}</td></tr>`;
}

export function Overview({ database }) {
  const live = useLive(() => get('/databases/' + database + '/overview'), [database]);
  const { value: found, error } = live;
  if (!found) {
    return error ? html`<p class="error" role="alert">${error}</p>` : html`<p class="empty">Loading…</p>`;
  }
  const failed = found.failedPublishing + found.failedHandling;
  const unusual = found.attention.filter(item => item.unusual);
  const open = ['NEW', 'RUNNING', 'COMPENSATING', 'PAUSED'].reduce((sum, name) => sum + found.processes[name], 0);
  return html`
    <div class="bar"><h1>Overview</h1><span class="grow"></span>
      <button class="quiet" onClick=${() => live.setPaused(!live.paused)} aria-pressed=${live.paused}>
        ${live.paused ? 'Resume updates' : 'Pause updates'}</button></div>
    ${error && html`<p class="error" role="alert">${error}</p>`}
    <section class="tiles" aria-label="Numbers">
      <${Tile} title="Oldest unpublished" value=${age(found.oldestUnpublished) || 'none'} note=${number(found.pending) + ' pending'}
        values=${found.samples.map(one => one.oldestSeconds)} tone=${found.oldestUnpublished && unusual.length ? 'warn' : ''} />
      <${Tile} title="Waiting to be retried" value=${number(found.waiting)} note=${number(found.held) + ' held behind them'}
        values=${found.samples.map(one => one.pending)} />
      <${Tile} title="Failed" value=${number(failed)} note=${number(found.failedHandling) + ' handling, ' + number(found.failedPublishing) + ' publishing'}
        values=${found.samples.map(one => one.failed)} tone=${failed ? 'bad' : ''} href=${link('failures', { db: database })} />
      <${Tile} title="Processes open" value=${number(open)} note=${number(found.processes.FAILED) + ' failed'} tone=${found.processes.FAILED ? 'warn' : ''} />
    </section>
    <section><h2>Needs attention</h2>
      ${unusual.length === 0 ? html`<p class="empty">Nothing needs attention.</p>` : html`<ul class="attention">${unusual.map(item => html`
        <li><span class="kind">${item.kind}</span> <strong>${item.name}</strong>
          ${item.since && html`<span class="note"> since ${age(item.since)}</span>`}
          <p>${item.why}</p><p class="note">Ends when ${item.endedBy}. <code>${item.code}</code></p></li>`)}</ul>`}</section>
    <section><h2>Destinations</h2>
      ${found.destinations.length === 0 ? html`<p class="empty">No message waits for any destination.</p>` : html`
      <div class="scroll"><table><thead><tr><th scope="col">Destination</th><th scope="col">State</th><th scope="col" class="right">Pending</th>
        <th scope="col" class="right">Waiting</th><th scope="col" class="right">Held</th><th scope="col" class="right">Failed</th><th scope="col">Oldest</th></tr></thead>
        <tbody>${found.destinations.map(one => html`<${Destination} key=${one.destination} one=${one} />`)}</tbody></table></div>`}</section>`;
}
