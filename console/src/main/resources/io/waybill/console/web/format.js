// Times, ages and numbers as people read them.

const UNITS = [['d', 86400], ['h', 3600], ['min', 60], ['s', 1]];

export function age(instant, now) {
  if (!instant) {
    return '';
  }
  let seconds = Math.max(0, Math.floor(((now || Date.now()) - Date.parse(instant)) / 1000));
  const parts = [];
  for (const [unit, size] of UNITS) {
    if (seconds >= size && parts.length < 2) {
      parts.push(Math.floor(seconds / size) + ' ' + unit);
      seconds %= size;
    } else if (parts.length === 1) {
      break;
    }
  }
  return parts.join(' ') || '0 s';
}

export function time(instant) {
  return instant ? instant.replace('T', ' ').replace(/\.\d+/, '') : '';
}

export function number(value) {
  return Number(value || 0).toLocaleString('en');
}
