// The address of a page with its filters, so that it can be sent to somebody else.

const given = query => Object.entries(query || {}).filter(([, value]) => value !== undefined && value !== null && value !== '');

export function link(page, query) {
  const kept = given(query);
  return '#/' + page + (kept.length ? '?' + new URLSearchParams(kept) : '');
}

export function go(page, query) {
  window.location.hash = link(page, query);
}

/** Whether a query has no other filters than these. */
export function onlyBy(query, ...names) {
  return given(query).every(([name]) => name === 'db' || name === 'after' || names.includes(name));
}

/** Page and filters of the address. */
export function place() {
  const [path, query] = window.location.hash.replace(/^#\/?/, '').split('?');
  return { page: path, query: Object.fromEntries(new URLSearchParams(query || '')) };
}
