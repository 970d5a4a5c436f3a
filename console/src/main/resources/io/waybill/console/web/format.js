// Times, ages, numbers and texts as people read them.

const UNITS = [['d', 86400], ['h', 3600], ['min', 60], ['s', 1]];

export function duration(millis) {
  if (millis < 1000) {
    return Math.max(0, Math.round(millis)) + ' ms';
  }
  let seconds = Math.floor(millis / 1000);
  const parts = [];
  for (const [unit, size] of UNITS) {
    if (seconds >= size && parts.length < 2) {
      parts.push(Math.floor(seconds / size) + ' ' + unit);
      seconds %= size;
    } else if (parts.length === 1) {
      break;
    }
  }
  return parts.join(' ');
}

export function age(instant, now) {
  if (!instant) {
    return '';
  }
  const millis = Math.max(0, (now || Date.now()) - Date.parse(instant));
  return millis < 1000 ? '0 s' : duration(millis);
}

/** How long ago, or how soon. */
export function when(instant) {
  if (!instant) {
    return '';
  }
  const ahead = Date.parse(instant) - Date.now();
  return ahead > 0 ? 'in ' + duration(Math.max(1000, ahead)) : age(instant) + ' ago';
}

export function time(instant) {
  return instant ? instant.replace('T', ' ').replace(/\.\d+/, '').replace('Z', ' UTC') : '';
}

export function number(value) {
  return Number(value || 0).toLocaleString('en');
}

/** Messages in a second; null while it is not known. */
export function rate(value) {
  return value === null || value === undefined ? '–' : (value > 0 && value < 10 ? value.toFixed(1) : number(Math.round(value))) + '/s';
}

/** A share from 0 to 1; null where there is none. */
export function percent(value) {
  return value === null || value === undefined ? '–' : value > 0 && value < 0.01 ? '< 1 %' : Math.round(value * 100) + ' %';
}

/** The server counts some things no further than 10,001. */
export function counted(value) {
  return value > 10000 ? 'over 10,000' : number(value);
}

export function many(count, one, more) {
  return number(count) + ' ' + (count === 1 ? one : more || one + 's');
}

export function bytes(size) {
  return size < 1024 ? size + ' bytes' : size < 1048576 ? (size / 1024).toFixed(1) + ' kB' : (size / 1048576).toFixed(1) + ' MB';
}

/** Characters that change the direction of text, or that nobody sees, by their names. */
export function visible(text) {
  return String(text ?? '').replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g,
    found => '[U+' + found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0') + ']');
}

export function short(text, most = 240) {
  const all = visible(String(text ?? '').slice(0, most + 1));
  return all.length > most ? all.slice(0, most) + '…' : all;
}

const DEEPEST = 100;

/** JSON with line breaks, unless it is very deep. Works on the text, so that no number changes by being read. */
export function indented(json) {
  try {
    JSON.parse(json);
  } catch (e) {
    return json;
  }
  const out = [];
  let depth = 0;
  let opened = false;
  const line = () => '\n' + '  '.repeat(depth);
  for (const token of json.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g) || []) {
    const closes = token === '}' || token === ']';
    depth -= closes ? 1 : 0;
    if (opened !== closes) {
      out.push(line());
    }
    opened = token === '{' || token === '[';
    depth += opened ? 1 : 0;
    if (depth > DEEPEST) {
      return json;
    }
    out.push(token === ',' ? ',' + line() : token === ':' ? ': ' : token);
  }
  return out.join('');
}

/** A value for the shell; control characters, which a terminal would obey when it is pasted, as escapes. */
export function quoted(value) {
  const text = String(value).replaceAll('\0', '\ufffd'); // an argument cannot have it
  if (/[\u0001-\u001f\u007f-\u009f]/.test(text)) {
    return "$'" + text.replace(/[\u0001-\u001f\u007f-\u009f'\\]/g, octal) + "'";
  }
  return /^[A-Za-z0-9._/:@,-]+$/.test(text) ? text : "'" + text.replaceAll("'", "'\\''") + "'";
}

/** Its bytes in UTF-8. */
function octal(character) {
  const code = character.charCodeAt(0);
  return (code < 0x80 ? '\\' : '\\302\\') + code.toString(8).padStart(3, '0');
}

function options(values) {
  return Object.entries(values).filter(([, value]) => value)
    .map(([name, value]) => ' --' + name + (value === true ? '' : (/^[-@]/.test(value) ? '=' : ' ') + quoted(value))).join('');
}

/** A command line; options without a value are left out. */
export function command(verb, values = {}) {
  return 'waybill ' + verb + options(values);
}

// The database that command lines name; empty where there is only one.
let context = '';

export function nameDatabase(name) {
  context = name;
}

/** Commands as they are copied, each with the database and the reason; one is run when that before it has succeeded. */
export function copyable(commands, reason) {
  return [commands].flat().map(one => one + options({ context, reason })).join(' && ');
}
