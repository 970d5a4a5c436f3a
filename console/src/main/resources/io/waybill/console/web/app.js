import { html, render, useEffect, useState } from './vendor/htm-preact.js';
import { get, post } from './api.js';
import { link } from './links.js';
import { Overview } from './overview.js';
import { Failures } from './failures.js';

const PAGES = { overview: ['Overview', Overview], failures: ['Failures', Failures] };

/** The address keeps the page and its filters: #/failures?db=shop&group=... */
function place() {
  const [path, query] = window.location.hash.replace(/^#\/?/, '').split('?');
  return { page: PAGES[path] ? path : 'overview', query: Object.fromEntries(new URLSearchParams(query || '')) };
}

function Login({ onDone }) {
  const [error, setError] = useState('');
  const submit = async event => {
    event.preventDefault();
    const form = new FormData(event.target);
    try {
      await post('/login', { name: form.get('name'), password: form.get('password') });
      onDone();
    } catch (e) {
      setError(e.message);
    }
  };
  return html`<main class="login"><h1>Waybill</h1>
    <form onSubmit=${submit}>
      <label>Name <input name="name" autocomplete="username" autofocus required /></label>
      <label>Password <input name="password" type="password" autocomplete="current-password" required /></label>
      ${error && html`<p class="error" role="alert">${error}</p>`}
      <button>Log in</button>
    </form></main>`;
}

function App() {
  const [session, setSession] = useState(null);
  const [at, setAt] = useState(place());
  const [error, setError] = useState('');
  const open = () => get('/session').then(setSession, e => setError(e.message));
  useEffect(() => {
    open();
    const moved = () => setAt(place());
    window.addEventListener('hashchange', moved);
    return () => window.removeEventListener('hashchange', moved);
  }, []);
  if (error) {
    return html`<p class="error" role="alert">${error}</p>`;
  }
  if (!session) {
    return html`<p class="empty">Loading…</p>`;
  }
  if (session.role === 'anyone') {
    return html`<${Login} onDone=${open} />`;
  }
  const database = session.databases.includes(at.query.db) ? at.query.db : session.databases[0];
  const mayChange = session.role !== 'viewer' && !session.readOnly;
  const Page = PAGES[at.page][1];
  const chosen = event => { window.location.hash = link(at.page, { db: event.target.value }); };
  const logout = () => post('/logout').then(open, e => setError(e.message));
  return html`
    <header>
      <a class="brand" href=${link('overview', { db: database })}>Waybill</a>
      <nav aria-label="Pages">${Object.entries(PAGES).map(([name, [title]]) => html`
        <a href=${link(name, { db: database })} aria-current=${name === at.page ? 'page' : undefined}>${title}</a>`)}</nav>
      <span class="grow"></span>
      ${session.databases.length > 1 && html`<label>Database <select onChange=${chosen} value=${database}>
        ${session.databases.map(name => html`<option value=${name}>${name}</option>`)}</select></label>`}
      <span class="who">${session.name} (${session.role}${session.readOnly ? ', read-only' : ''})</span>
      ${session.login && html`<button class="quiet" onClick=${logout}>Log out</button>`}
    </header>
    <main>${database
      ? html`<${Page} key=${database + at.page} database=${database} query=${at.query} mayChange=${mayChange} />`
      : html`<p class="empty">This console has no database. Start it with --db.</p>`}</main>`;
}

render(html`<${App} />`, document.getElementById('app'));
