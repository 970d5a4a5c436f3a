// Requests to the admin API. An error has the status and the sentence that the server said.

export class ApiError extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/** Beside the page, whatever path it is served under. */
export const API = 'api';

// With it an application answers 401 instead of a page to log in, and does not lead back to this request after the login.
const JSON_WANTED = { Accept: 'application/json' };

// What an application wants to see in requests that change something, to know that its own page sent them.
let csrf = {};

// What is being loaded: whether the page repeats it by itself, and how old its oldest part is.
let loading = null;

/** Loads something, and says from when it is. What it asks for at once counts as repeated when it is `live`. */
export async function timed(live, load) {
  const mine = { live, at: Infinity };
  loading = mine;
  let value;
  try {
    value = load();
  } finally {
    loading = null;
  }
  value = await value;
  return { value, at: Math.min(mine.at, Date.now()) };
}

async function request(path, options, mine) {
  let response;
  try {
    response = await fetch(path, { credentials: 'same-origin', redirect: 'manual', ...options, headers: { ...JSON_WANTED, ...(options && options.headers) } });
  } catch (e) {
    throw new ApiError(0, 'The console does not answer. Look whether its process runs; this page tries again by itself.');
  }
  if (response.type === 'opaqueredirect') {
    throw new ApiError(401, 'The application wants you to log in again: load this page again.');
  }
  if (response.headers.has('X-Waybill-Csrf-Header')) {
    csrf = { [response.headers.get('X-Waybill-Csrf-Header')]: response.headers.get('X-Waybill-Csrf-Token') };
  }
  const body = await response.json().catch(() => ({}));
  if (!response.ok) {
    if (response.status === 401 && !path.endsWith('/login')) {
      window.dispatchEvent(new Event('waybill-login'));
    }
    throw new ApiError(response.status, body.error || 'The request failed with status ' + response.status + '.');
  }
  if (mine) {
    mine.at = Math.min(mine.at, Date.now() - 1000 * Number(response.headers.get('Age') || 0));
  }
  return body;
}

export function get(path, query) {
  const mine = loading;
  const given = Object.entries(mine && mine.live ? { ...query, live: 'true' } : query || {}).filter(([, value]) => value !== undefined && value !== null && value !== '');
  const text = new URLSearchParams(given).toString();
  return request(API + path + (text ? '?' + text : ''), undefined, mine);
}

/** A body may be JSON already, in which no number has been rounded by being read. */
export function post(path, body) {
  return request(API + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...csrf },
    body: typeof body === 'string' ? body : JSON.stringify(body || {}),
  });
}

export function base(database) {
  return '/databases/' + encodeURIComponent(database);
}
