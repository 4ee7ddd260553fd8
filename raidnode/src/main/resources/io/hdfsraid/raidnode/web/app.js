// SPDX-License-Identifier: Apache-2.0
// The frame of all pages: who asks, which page, and how old what it shows is.

import { html, nothing, render } from './lib/lit-html.js';
import { NAMESERVICE, get, hasToken, nameservices, useToken } from './api.js';
import { duration } from './format.js';
import * as overview from './pages/overview.js';
import * as files from './pages/files.js';
import * as file from './pages/file.js';
import * as repairs from './pages/repairs.js';
import * as policies from './pages/policies.js';
import * as nodes from './pages/nodes.js';
import * as tasks from './pages/tasks.js';
import * as history from './pages/history.js';
import * as savings from './pages/savings.js';
import * as settings from './pages/settings.js';
import * as about from './pages/about.js';

const PAGES = { overview, files, savings, repairs, policies, nodes, tasks, history, settings, about };
const ALL = { ...PAGES, file };
const ROLES = ['metrics', 'viewer', 'operator', 'admin'];

/**
 * The page that is shown, and since when its data are true.
 * @type {{name: string, query: Record<string, string>, me: import('./parts.js').Me | null, nameservices: string[], data: any, problem: import('./api.js').Problem | null, since: number, loads: number}}
 */
const state = {
  name: '',
  query: {},
  me: null,
  nameservices: [],
  data: null,
  problem: null,
  since: 0,
  loads: 0,
};
let timer = 0;

const SILENCE = 2500; // the daemon says once a second whether something has changed
const LEAST = 1000; // between two looks, however often something changes
const PAUSE = 30000; // before it is tried again to listen
const QUICK = 2; // pages that look so often show a change at once
/** @type {EventSource | null} */
let live = null;
let watch = 0;
let quietUntil = 0;
let loading = false;

/** Listens while somebody looks: a browser has few connections to a host for all its tabs. */
function listen() {
  // An EventSource cannot send a token.
  if (live !== null || document.hidden || hasToken() || Date.now() < quietUntil) {
    return;
  }
  live = new EventSource(new URL('live', document.baseURI));
  live.onerror = deaf;
  live.addEventListener('same', hear);
  live.addEventListener('changed', () => {
    hear();
    const every = ALL[state.name]?.every ?? 0;
    if (!loading && every > 0 && every <= QUICK) {
      clearTimeout(timer);
      timer = setTimeout(refresh, Math.max(0, state.since + LEAST - Date.now()));
    }
  });
}

function stopListening() {
  live?.close();
  live = null;
  clearTimeout(watch);
  delete document.documentElement.dataset.live;
}

function hear() {
  document.documentElement.dataset.live = 'yes';
  clearTimeout(watch);
  watch = setTimeout(deaf, SILENCE);
}

/** The daemon is gone or refuses: a look tells which. */
function deaf() {
  stopListening();
  quietUntil = Date.now() + PAUSE;
  if (!loading) {
    refresh();
  }
}

function address() {
  const [name, query] = location.hash.replace(/^#\/?/, '').split('?');
  return { name: name in ALL ? name : name === '' ? 'overview' : '', query: Object.fromEntries(new URLSearchParams(query ?? '')) };
}

function signIn(event) {
  event.preventDefault();
  useToken(String(new FormData(event.target).get('token')).trim());
  state.me = null;
  refresh();
}

function signOut() {
  useToken('');
  state.me = null;
  state.data = null;
  refresh();
}

/** @param {import('./api.js').Problem} problem */
function form(problem) {
  return html`
    <form class="sign-in" @submit=${signIn}>
      <h1 tabindex="-1">Who are you?</h1>
      <p>${problem.message}.</p>
      <label>Token <input name="token" type="password" required autocomplete="off" autofocus></label>
      <p class="hint">An administrator makes one with <code>bin/raidnode token create</code>. It stays in this tab.</p>
      <button class="primary">Sign in</button>
    </form>`;
}

function banner() {
  const { problem, data, since } = state;
  if (!problem) {
    return nothing;
  }
  const old = data && since ? ` What follows is ${duration((Date.now() - since) / 1000)} old.` : '';
  return html`<p class="error">${problem.message}.${old}${problem.hint ? html`<br><span class="hint">${problem.hint}</span>` : nothing}</p>`;
}

function content(page) {
  if (state.problem?.status === 401) {
    return form(state.problem);
  }
  if (!page) {
    return html`<h1 tabindex="-1">There is no such page</h1><p><a href="#/overview">To the overview</a></p>`;
  }
  const context = { query: state.query, me: state.me, show };
  return html`<h1 tabindex="-1">${page.title}</h1>${state.data ? page.view(state.data, context) : state.problem ? nothing : html`<p>Asking the RaidNode …</p>`}`;
}

function show() {
  const page = ALL[state.name];
  document.title = `${page ? page.title : 'Not found'} – HDFS-RAID`;
  render(
    html`
      <header>
        <a class="brand" href="#/overview"><img src="/page/icon.svg" alt="" width="20" height="20"> HDFS-RAID</a>
        ${state.nameservices.length ? html`
          <nav aria-label="Nameservices">
            <ul>${state.nameservices.map((name) => html`<li><a href="/ns/${name}/#/${state.name === 'file' ? 'files' : state.name}" aria-current=${name === NAMESERVICE ? 'true' : nothing}>${name}</a></li>`)}</ul>
          </nav>` : nothing}
        <nav aria-label="Pages">
          <ul>${Object.entries(PAGES).map(([name, each]) => html`<li><a href="#/${name}" aria-current=${name === state.name ? 'page' : nothing}>${each.title}</a></li>`)}<li><a href="/docs/">Documents</a></li></ul>
        </nav>
        <p class="me">${state.me ? html`${state.me.user}, ${state.me.role}` : nothing} ${hasToken() ? html`<button @click=${signOut}>Sign out</button>` : nothing}</p>
      </header>
      <main id="main"><div role="status">${banner()}</div>${content(page)}</main>`,
    /** @type {HTMLElement} */ (document.getElementById('app')),
  );
}

/** Loads the page and, if it is one that changes by itself, loads it again and again. */
async function refresh() {
  clearTimeout(timer);
  const mine = ++state.loads;
  const page = ALL[state.name];
  loading = page !== undefined;
  show();
  if (!page) {
    return;
  }
  try {
    if (!state.me) {
      state.nameservices = await nameservices().catch(() => []);
      const me = await get('me');
      state.me = { ...me, may: (role) => ROLES.indexOf(me.role) >= ROLES.indexOf(role) };
    }
    const data = await page.load(state.query);
    if (mine !== state.loads) {
      return;
    }
    state.data = data;
    state.since = Date.now();
    state.problem = null;
  } catch (e) {
    if (mine !== state.loads) {
      return;
    }
    state.problem = /** @type {import('./api.js').Problem} */ (e);
  }
  loading = false;
  show();
  if (!state.problem) {
    listen();
  }
  const every = state.problem && state.problem.status !== 401 ? page.every || 5 : page.every;
  if (every > 0 && state.problem?.status !== 401) {
    timer = setTimeout(refresh, every * 1000);
  }
}

function go() {
  const { name, query } = address();
  const other = name !== state.name;
  state.name = name;
  state.query = query;
  state.data = null;
  state.problem = null;
  refresh();
  if (other) {
    document.querySelector('h1')?.focus();
  }
}

document.addEventListener('visibilitychange', () => {
  if (document.hidden) {
    stopListening();
  } else {
    refresh();
  }
});
window.addEventListener('hashchange', go);
go();
