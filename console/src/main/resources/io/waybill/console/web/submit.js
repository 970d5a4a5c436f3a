// Send a command, and start a process: buttons with their dialogs.
import { html } from './view.js';
import { base, post } from './api.js';
import { Change } from './change.js';
import { command, quoted } from './format.js';
import { go } from './links.js';

/** JSON of these fields and of one more that is JSON already: its numbers stay as they were written. */
export const withJson = (fields, name, text) => JSON.stringify(fields).slice(0, -1) + ',' + JSON.stringify(name) + ':' + checked(text) + '}';

/** Text of a JSON object; what is wrong with it is said before anything is sent. */
export function checked(text) {
  let value;
  try {
    value = JSON.parse(text || '{}');
  } catch (e) {
    throw new Error('This is not JSON: ' + e.message);
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw new Error('This must be a JSON object, such as {"approved": true}.');
  }
  return text || '{}';
}

/** As it is given to the command line; nothing for an empty object. */
export const given = text => (!text || text.trim() === '{}' ? '' : text.trim());

export function SendCommand({ database, onDone }) {
  return html`<${Change} label="Send a command" quiet title="Send a command" onDone=${onDone}
    text="It goes to the application that handles its type, and runs once for each idempotency key."
    fields=${[{ name: 'type', label: 'Type', hint: 'CreateOrder' }, { name: 'idempotencyKey', label: 'Idempotency key: the same when you send it again', hint: 'request-4711' },
      { name: 'businessKey', label: 'Business key', optional: true }, { name: 'payload', label: 'Payload (JSON)', kind: 'area', value: '{}' },
      { name: 'queue', label: 'Queue, if it is not the one that an application serves', optional: true }]}
    run=${async values => {
      checked(values.payload);
      const { type, idempotencyKey, businessKey, payload, queue, reason } = values;
      const done = await post(base(database) + '/commands', { type, idempotencyKey, businessKey, payload, queue, reason });
      go('commands', { db: database, id: done.id });
      return done.warning ? { what: 'Command ' + type, outcome: 'accepted', says: done.warning } : done;
    }}
    command=${values => command('command send', { 'idempotency-key': values.idempotencyKey, key: values.businessKey, queue: values.queue, payload: given(values.payload) })
      + ' ' + quoted(values.type || 'TYPE')} />`;
}

export function StartProcess({ database, onDone }) {
  return html`<${Change} label="Start a process" quiet title="Start a process" onDone=${onDone}
    text="An instance of the application that has its definition starts it. There is one process for each type and business key."
    fields=${[{ name: 'type', label: 'Type', hint: 'PlaceOrder' }, { name: 'businessKey', label: 'Business key', hint: 'order-4711' },
      { name: 'data', label: 'Data (JSON object)', kind: 'area', value: '{}' }, { name: 'version', label: 'Version of the definition, if not the latest', optional: true }]}
    run=${async values => {
      const version = values.version.trim();
      if (version && !/^[0-9]{1,9}$/.test(version)) {
        throw new Error('The version is a whole number.');
      }
      const done = await post(base(database) + '/processes', withJson({ type: values.type, businessKey: values.businessKey,
        version: version ? Number(version) : null, reason: values.reason }, 'data', values.data));
      if (done.outcome === 'done') {
        go('processes', { db: database, id: done.process });
      }
      return done;
    }}
    command=${values => command('process start', { key: values.businessKey, 'definition-version': values.version, data: given(values.data) }) + ' ' + quoted(values.type || 'TYPE')} />`;
}
