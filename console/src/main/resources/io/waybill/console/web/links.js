// The address of a page with its filters, so that it can be sent to somebody else.

export function link(page, query) {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  return '#/' + page + (given.length ? '?' + new URLSearchParams(given) : '');
}
