import { html, useState } from './view.js';
import { API, base, get, post } from './api.js';
import { Change } from './change.js';
import { age, command, short, time, when } from './format.js';
import { useLive } from './live.js';
import { link } from './links.js';
import { CopyCommand, Empty, Facts, Long, pending, Reveal, seconds, State, Table, Text, Trouble } from './parts.js';
import { given, withJson } from './submit.js';
import { Timeline } from './timeline.js';

const MEANING = {
  retry: step => 'Sends ' + step + ' again at once.',
  skip: step => 'Gives up compensating ' + step + ': what it did stays done.',
  resolve: step => 'Says that somebody has compensated ' + step + ' by hand.',
};

const upper = word => word[0].toUpperCase() + word.slice(1);

function StepActions({ step, path, id, reload }) {
  const compensation = step.status.startsWith('COMPENSAT');
  return html`${step.actions.map(verb => html`<${Change} key=${verb} label=${upper(verb)} quiet=${verb !== 'retry'}
    title=${upper(verb) + (compensation ? ' the compensation of ' : ' ') + step.step}
    text=${compensation && verb === 'retry' ? 'Sends the compensation of ' + step.step + ' again at once.' : MEANING[verb](step.step)}
    run=${values => post(path + '/' + verb, { step: step.step, reason: values.reason })}
    command=${() => command('process ' + verb, { step: step.step }) + ' ' + id} onDone=${reload} />`)}`;
}

function Actions({ found, path, id, reload }) {
  const can = verb => found.actions.includes(verb);
  const simple = (verb, text) => can(verb) && html`<${Change} label=${upper(verb)} quiet=${verb === 'pause'} title=${upper(verb) + ' the process'} text=${text}
    run=${values => post(path + '/' + verb, { reason: values.reason })} command=${() => command('process ' + verb) + ' ' + id} onDone=${reload} />`;
  return html`<div class="bar actions">
    ${simple('resume', 'Lets it go on where it was paused.')}
    ${simple('pause', 'Replies are noted, and nothing new is begun, until it is resumed.')}
    ${can('signal') && html`<${Change} label="Signal" quiet title="Send a signal" text="A signal that nobody waits for yet is kept."
      fields=${[{ name: 'signal', label: 'Name of the signal', value: waitsFor(found) }, { name: 'data', label: 'Data (JSON object)', kind: 'area', value: '{}' },
        { name: 'key', label: 'Key, with which a second signal of the name changes nothing', optional: true }]}
      run=${async values => post(path + '/signal', withJson({ signal: values.signal, key: values.key, reason: values.reason }, 'data', values.data))}
      command=${values => command('process signal', { name: values.signal, data: given(values.data), key: values.key }) + ' ' + id} onDone=${reload} />`}
    ${can('cancel') && html`<${Change} label="Cancel process" danger title="Cancel the process" text="Ends it. What it has done is compensated, unless you say otherwise."
      fields=${[{ name: 'compensate', label: 'Compensate what it has done', kind: 'check', value: true }]}
      run=${values => post(path + '/cancel', { compensate: values.compensate, reason: values.reason })}
      command=${values => command('process cancel', { 'without-compensation': !values.compensate }) + ' ' + id} onDone=${reload} />`}</div>`;
}

function waitsFor(found) {
  const step = found.steps.find(one => one.kind === 'SIGNAL' && one.status === 'RUNNING');
  return step ? step.step : '';
}

function Steps({ found, path, mayChange, reload, database }) {
  const id = found.process.id;
  return html`<${Table} label="Steps" columns=${['Step', 'State', ['Attempt', 'right'], 'Since', 'Next', 'Error', ...(mayChange ? ['Actions'] : [])]}>
    ${found.steps.map(step => html`<tr key=${step.number}>
      <th scope="row">${step.commandId ? html`<a href=${link('commands', { db: database, id: step.commandId })}>${step.step}</a>` : step.step || step.kind.toLowerCase()}
        ${step.kind !== 'COMMAND' && html`<span class="note"> ${step.kind.toLowerCase().replace('_', ' ')}</span>`}</th>
      <td><${State} of=${step.status} />${step.inDoubt && html`<span class="note"> may have been done</span>`}</td>
      <td class="right">${step.attempt || ''}</td><td>${age(step.since)}</td><td>${step.dueAt ? when(step.dueAt) : '–'}</td>
      <td><${Text} of=${step.error || '–'} /></td>
      ${mayChange && html`<td><div class="bar"><${StepActions} step=${step} path=${path} id=${id} reload=${reload} /></div></td>`}</tr>`)}<//>`;
}

const none = step => (step.status === 'FAILED' ? 'failed and set nothing' : 'has not replied');

function Values({ found, query, session }) {
  const steps = found.steps.filter(step => step.before !== null && step.kind !== 'BRANCH' && step.kind !== 'STORED_SIGNAL');
  return html`<div class="bar"><h3>Now</h3><span class="grow"></span><${Reveal} page="processes" query=${query} session=${session} /></div><${Long} text=${found.dataText} label="Data of the process" json />
    ${steps.length === 0 && found.steps.length > 0 && html`<p class="note">There are too many steps to show the data for each.</p>`}
    ${steps.map(step => {
      const replied = Object.keys(step.reply);
      return html`<details key=${step.number}><summary>${step.step || step.kind.toLowerCase()} <${State} of=${step.status} />
        <span class="note"> ${replied.length > 0 ? 'sets ' + short(replied.join(', '), 120) : step.after ? 'sets nothing' : none(step)}</span></summary>
      <div class="pair"><div><h3>Before</h3><${Long} text=${step.before} label=${'Data before ' + step.step} json /></div>
      <div><h3>After</h3>${step.after ? html`<${Long} text=${step.after} label=${'Data after ' + step.step} json />` : html`<${Empty}>This step ${none(step)}.<//>`}</div></div></details>`;
    })}`;
}

function Log({ log }) {
  return html`<${Table} label="Log" columns=${[['No.', 'right'], 'Time', 'What happened']}>
    ${log.map(event => html`<tr key=${event.number}><td class="right">${event.number}</td><td class="nowrap">${time(event.at)}</td>
      <td><${Text} of=${event.text} most=${1000} /></td></tr>`)}<//>`;
}

const VIEWS = [['steps', 'Steps'], ['data', 'Data'], ['log', 'Log']];

export function Process({ database, query, mayChange, session }) {
  const path = base(database) + '/processes/' + encodeURIComponent(query.id);
  const live = useLive(() => get(path, { reveal: query.reveal }), [database, query.id, query.reveal], seconds(query, 3));
  const [wide, setWide] = useState(true);
  if (!live.value) {
    return pending(live);
  }
  const found = live.value;
  const one = found.process;
  const view = query.view || 'steps';
  const stuck = found.blocked ? found.steps.filter(step => step.status === 'COMPENSATION_BLOCKED') : [];
  return html`<p class="crumbs"><a href=${link('processes', { db: database })}>Processes</a></p>
    <div class="bar"><h1>${one.type} ${one.key}</h1><${State} of=${one.status} />${found.blocked && html`<${State} of="blocked" />`}<span class="grow"></span>
      ${mayChange && html`<${Actions} found=${found} path=${path} id=${one.id} reload=${live.reload} />`}</div>
    <${Trouble} live=${live} />
    <section class=${'explain' + (found.blocked ? ' bad' : '')} aria-label="Explanation"><p class="message">${short(found.explanation, 4000)}</p>
      <p class="bar">${mayChange && stuck.map(step => html`<${StepActions} key=${step.number} step=${step} path=${path} id=${one.id} reload=${live.reload} />`)}
        <${CopyCommand} line=${found.commands.explain} label="Copy explain as CLI command" /></p></section>
    <${Facts} rows=${[['Id', html`<code>${one.id}</code>`], ['Version', String(one.version)], ['Started', time(one.createdAt)], ['In this state since', time(one.updatedAt)],
      ['Deadline', time(found.deadline)], ['Part of', found.parent && html`<a href=${link('processes', { db: database, id: found.parent })}>${found.parent}</a>`],
      ['Correlation', html`<a href=${link('correlation', { db: database, id: one.id })}>Causes and effects</a>`]]} />
    <h2>Timeline</h2><${Timeline} process=${one} steps=${found.steps} log=${found.log} />
    <div class="bar"><h2>Graph</h2><button type="button" class="quiet" aria-expanded=${wide} onClick=${() => setWide(!wide)}>${wide ? 'Hide' : 'Show'}</button></div>
    ${wide && html`<div class="graph scroll" role="region" aria-label="Graph" tabindex="0"><img src=${API + path + '/graph.svg?live=true&at=' + encodeURIComponent(one.updatedAt + found.log.length)}
      alt=${'Steps of ' + one.type + ' ' + one.key + ' with their states; the table of steps says the same'} /></div>`}
    <nav class="tabs" aria-label="Details">${VIEWS.map(([name, title]) => html`
      <a href=${link('processes', { ...query, view: name === 'steps' ? '' : name })} aria-current=${name === view ? 'true' : undefined}>${title}</a>`)}</nav>
    ${view === 'data' ? html`<${Values} found=${found} query=${query} session=${session} />` : view === 'log' ? html`<${Log} log=${found.log} />`
      : found.steps.length === 0 ? html`<${Empty}>No step has been begun.<//>`
      : html`<${Steps} found=${found} path=${path} mayChange=${mayChange} reload=${live.reload} database=${database} />`}`;
}
