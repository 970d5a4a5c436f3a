// Requests to the admin API. An error has the status and the sentence that the server said.

export class ApiError extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

async function request(path, options) {
  let response;
  try {
    response = await fetch(path, { credentials: 'same-origin', ...options });
  } catch (e) {
    throw new ApiError(0, 'The console does not answer. Look whether its process runs; this page tries again by itself.');
  }
  const body = await response.json().catch(() => ({}));
  if (!response.ok) {
    if (response.status === 401 && !path.endsWith('/login')) {
      window.dispatchEvent(new Event('waybill-login'));
    }
    throw new ApiError(response.status, body.error || 'The request failed with status ' + response.status + '.');
  }
  return body;
}

export function get(path, query) {
  const given = Object.entries(query || {}).filter(([, value]) => value !== undefined && value !== null && value !== '');
  const text = new URLSearchParams(given).toString();
  return request('/api' + path + (text ? '?' + text : ''));
}

export function post(path, body) {
  return request('/api' + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body || {}),
  });
}

export function base(database) {
  return '/databases/' + encodeURIComponent(database);
}
