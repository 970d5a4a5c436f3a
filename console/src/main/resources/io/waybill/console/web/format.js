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
  return String(text ?? '').replace(/[\u0000-\u0008\u000b-\u001f\u007f\u061c\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g,
    found => '[U+' + found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0') + ']');
}

export function short(text, most = 240) {
  const all = visible(String(text ?? '').slice(0, most + 1));
  return all.length > most ? all.slice(0, most) + '…' : all;
}

/** JSON with line breaks. Works on the text, so that no number changes by being read. */
export function indented(json) {
  try {
    JSON.parse(json);
  } catch (e) {
    return json;
  }
  let out = '';
  let depth = 0;
  const line = () => '\n' + '  '.repeat(depth);
  for (const token of json.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g) || []) {
    if (token === '{' || token === '[') {
      depth++;
      out += token + line();
    } else if (token === '}' || token === ']') {
      depth--;
      out = /[{[]\s*$/.test(out.slice(-200)) ? out.trimEnd() + token : out + line() + token;
    } else {
      out += token === ',' ? ',' + line() : token === ':' ? ': ' : token;
    }
  }
  return out;
}

/** A value for a command line. */
export function quoted(value) {
  return /^[A-Za-z0-9._/:@#-]+$/.test(value) ? value : "'" + String(value).replaceAll("'", "'\\''") + "'";
}

/** A command line; options without a value are left out. */
export function command(verb, options = {}) {
  return 'waybill ' + verb + Object.entries(options).filter(([, value]) => value)
    .map(([name, value]) => ' --' + name + (value === true ? '' : (String(value).startsWith('-') ? '=' : ' ') + quoted(value))).join('');
}
