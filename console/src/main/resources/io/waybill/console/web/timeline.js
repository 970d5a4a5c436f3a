// When each step of a process ran, failed, waited and was compensated, from its log.
import { html } from './view.js';
import { duration, time } from './format.js';
import { State } from './parts.js';

const BEGINS = { StepStarted: 'run', StepRetried: 'run', StepRefusalSent: 'wait', CompensationStepStarted: 'compensating' };
const ENDS = { StepCompleted: 'done', StepFailed: 'failed', StepRefused: 'failed', CompensationStepCompleted: 'compensated', CompensationStepFailed: 'compensation-failed', CompensationSkipped: 'skipped' };
const WORDS = {
  run: 'running', done: 'done', failed: 'failed', wait: 'waiting', compensating: 'compensating', compensated: 'compensated', 'compensation-failed': 'compensation failed', skipped: 'compensation skipped',
};

/** The pieces of one execution: where each begins and ends, and how it ended. */
export function pieces(events, end) {
  const found = [];
  let open = null;
  for (const event of events) {
    const at = Date.parse(event.at);
    if (BEGINS[event.event]) {
      if (open) {
        found.push({ ...open, to: at });
      }
      open = { from: at, look: BEGINS[event.event] };
    } else if (ENDS[event.event]) {
      found.push({ from: open ? open.from : at, to: at, look: ENDS[event.event] });
      const again = /tried again at/.test(event.text);
      open = again ? { from: at, look: 'wait' } : null;
    }
  }
  if (open) {
    found.push({ ...open, to: end });
  }
  return found;
}

export function Timeline({ process, steps, log }) {
  const shown = steps.filter(step => step.kind !== 'BRANCH' && step.kind !== 'STORED_SIGNAL' && step.kind !== 'FORK');
  const begin = Date.parse(process.createdAt);
  const open = ['NEW', 'RUNNING', 'COMPENSATING', 'PAUSED'].includes(process.status);
  const last = Math.max(begin, ...log.map(event => Date.parse(event.at)));
  const end = Math.max(open ? Date.now() : last, begin + 1);
  const x = at => 1000 * (at - begin) / (end - begin);
  return html`<div class="timeline">
    ${shown.map(step => {
      const parts = pieces(log.filter(event => event.execution === step.number), end);
      const label = step.step + ': ' + parts.map(part => WORDS[part.look] + ' for ' + duration(part.to - part.from)).join(', ');
      return html`<div class="lane" key=${step.number}><span class="name">${step.step}${step.attempt > 1 && html` <span class="note">attempt ${step.attempt}</span>`}</span>
        <svg viewBox="0 0 1000 20" preserveAspectRatio="none" role="img" aria-label=${label}>${parts.map(part => {
          const width = Math.max(6, x(part.to) - x(part.from));
          const height = part.look === 'wait' ? 4 : /^compensat|^skipped/.test(part.look) ? 10 : 16;
          return html`<rect class=${'piece ' + part.look} x=${Math.min(x(part.from), 1000 - width)} y=${10 - height / 2} width=${width} height=${height}><title>${WORDS[part.look]} for ${duration(part.to - part.from)}</title></rect>`;
        })}</svg><${State} of=${step.status} text=${step.status === 'COMPLETED' ? 'done' : undefined} /></div>`;
    })}
    <p class="note ends"><span>${time(process.createdAt)}</span><span>${duration(end - begin)}${open ? ' until now' : ''}</span></p>
    <p class="legend" aria-label="Colours">${['run', 'done', 'failed', 'wait', 'compensating', 'compensated', 'compensation-failed'].map(look => html`
      <span><svg viewBox="0 0 12 12" aria-hidden="true"><rect class=${'piece ' + look} width="12" height="12" /></svg> ${WORDS[look]}</span>`)}</p></div>`;
}
