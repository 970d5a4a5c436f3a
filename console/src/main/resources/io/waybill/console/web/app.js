import { html, render, useEffect, useRef, useState } from './view.js';
import { get, post } from './api.js';
import { setPaused, usePaused, useUpdated } from './live.js';
import { duration, nameDatabase } from './format.js';
import { go, link, place } from './links.js';
import { Overview } from './overview.js';
import { Failures } from './failures.js';
import { Messages } from './messages.js';
import { Processes } from './processes.js';
import { Scheduled } from './scheduled.js';
import { Correlation } from './correlation.js';
import { Audit, Commands, Inbox, Relays, Settings } from './system.js';

const PAGES = {
  overview: ['Overview', Overview], failures: ['Failures', Failures], messages: ['Messages', Messages], scheduled: ['Scheduled', Scheduled], processes: ['Processes', Processes],
  commands: ['Commands', Commands], inbox: ['Inbox', Inbox], relays: ['Relays', Relays], audit: ['Audit', Audit], settings: ['Settings', Settings],
  correlation: ['Causes and effects', Correlation],
};

/** Pages that others lead to. */
const HIDDEN = ['correlation'];

/** The address keeps the page and its filters: #/failures?db=shop&group=... */
function current() {
  const at = place();
  return { ...at, page: PAGES[at.page] ? at.page : 'overview' };
}

function Login({ onDone }) {
  const [error, setError] = useState('');
  const [busy, setBusy] = useState(false);
  const submit = async event => {
    event.preventDefault();
    const form = new FormData(event.target);
    setBusy(true);
    try {
      await post('/login', { name: form.get('name'), password: form.get('password') });
      await onDone();
    } catch (e) {
      setError(e.message);
    }
    setBusy(false);
  };
  return html`<main class="login"><h1><img src="icon.svg" alt="" width="32" height="32" /> Waybill</h1>
    <form onSubmit=${submit}>
      <label>Name <input name="name" autocomplete="username" autofocus required /></label>
      <label>Password <input name="password" type="password" autocomplete="current-password" required /></label>
      ${error && html`<p class="error" role="alert">${error}</p>`}
      <button disabled=${busy}>Log in</button>
    </form></main>`;
}

/** What became of the last change. */
function Notice() {
  const [notice, setNotice] = useState(null);
  useEffect(() => {
    let timer;
    const show = event => {
      setNotice(event.detail);
      clearTimeout(timer);
      timer = setTimeout(() => setNotice(null), 15000);
    };
    window.addEventListener('waybill-notice', show);
    return () => window.removeEventListener('waybill-notice', show);
  }, []);
  return html`<div class="notice" role="status">${notice && html`<p class=${notice.tone}><span>${notice.text}</span>
    <button type="button" class="quiet" onClick=${() => setNotice(null)}>Close</button></p>`}</div>`;
}

/** A slash moves to the first search field of the page. */
function useSlash() {
  useEffect(() => {
    const pressed = event => {
      const writing = event.target.closest && event.target.closest('input, textarea, select, dialog');
      const field = document.querySelector('main form[role=search] input');
      if (event.key === '/' && !writing && field && !event.ctrlKey && !event.metaKey && !event.altKey) {
        event.preventDefault();
        field.focus();
      }
    };
    window.addEventListener('keydown', pressed);
    return () => window.removeEventListener('keydown', pressed);
  }, []);
}

function Header({ session, database, at, logout }) {
  const paused = usePaused();
  const seconds = useUpdated();
  const pages = useRef();
  useEffect(() => pages.current.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' }), [at.page]);
  return html`<header>
    <a class="brand" href=${link('overview', { db: database })}><img src="icon.svg" alt="" width="22" height="22" /> Waybill</a>
    <nav aria-label="Pages" ref=${pages}>${Object.entries(PAGES).filter(([name]) => !HIDDEN.includes(name)).map(([name, [title]]) => html`
      <a href=${link(name, { db: database })} aria-current=${name === at.page ? 'page' : undefined}>${title}</a>`)}</nav>
    ${session.databases.length > 1 && html`<label>Database <select onChange=${event => go(at.page, { db: event.target.value })} value=${database}>
      ${session.databases.map(name => html`<option value=${name} selected=${name === database}>${name}</option>`)}</select></label>`}
    <span class="tools">${seconds !== null && html`<span class="note updated">updated ${seconds < 2 ? 'now' : duration(seconds * 1000) + ' ago'}</span>`}
    <button type="button" class="quiet" onClick=${() => setPaused(!paused)} aria-pressed=${paused ? 'true' : 'false'}>${paused ? 'Resume updates' : 'Pause updates'}</button>
    <span class="who">${session.name} (${session.role}${session.readOnly ? ', read-only' : ''})</span>
    ${session.login && html`<button type="button" class="quiet" onClick=${logout}>Log out</button>`}</span>
  </header>`;
}

function App() {
  const [session, setSession] = useState(null);
  const [at, setAt] = useState(current());
  const [error, setError] = useState('');
  const main = useRef();
  useSlash();
  const open = () => get('/session').then(found => { setError(''); setSession(found); }, e => setError(e.message));
  useEffect(() => {
    open();
    const moved = () => setAt(old => {
      const now = current();
      if (now.page !== old.page) {
        window.scrollTo(0, 0);
        main.current && main.current.focus({ preventScroll: true });
      }
      return now;
    });
    window.addEventListener('hashchange', moved);
    window.addEventListener('waybill-login', open);
    return () => {
      window.removeEventListener('hashchange', moved);
      window.removeEventListener('waybill-login', open);
    };
  }, []);
  useEffect(() => { document.title = PAGES[at.page][0] + ' – Waybill'; }, [at.page]);
  if (error) {
    return html`<main><h1>Waybill</h1><p class="error" role="alert">${error}</p><button onClick=${open}>Try again</button></main>`;
  }
  if (!session) {
    return html`<main><p class="empty">Loading…</p></main>`;
  }
  if (session.role === 'anyone') {
    return session.login ? html`<${Login} onDone=${open} />` : html`<main><h1>Waybill</h1><p class="error" role="alert">${session.name
      ? session.name + ' is logged in, but has no role in this console.'
      : 'Log in first: this console has no users of its own, so log in where you do for the application or the proxy. Then load this page again.'}</p></main>`;
  }
  const database = session.databases.includes(at.query.db) ? at.query.db : session.databases[0];
  nameDatabase(session.databases.length > 1 ? database : '');
  const mayChange = session.role !== 'viewer' && !session.readOnly;
  const Page = PAGES[at.page][1];
  const logout = () => post('/logout').then(open, e => setError(e.message));
  const skip = event => {
    event.preventDefault();
    main.current.focus();
  };
  return html`<a class="skip" href="#main" onClick=${skip}>Skip to the page</a>
    <${Header} session=${session} database=${database} at=${at} logout=${logout} />
    <main id="main" ref=${main} tabindex="-1">${database
      ? html`<${Page} key=${database + at.page} database=${database} query=${at.query} mayChange=${mayChange} session=${session} />`
      : html`<p class="empty">This console has no database. Start it with --db.</p>`}</main><${Notice} />`;
}

render(html`<${App} />`, document.getElementById('app'));
