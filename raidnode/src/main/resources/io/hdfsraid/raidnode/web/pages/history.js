// SPDX-License-Identifier: Apache-2.0
import { html, nothing } from '../lib/lit-html.js';
import { get } from '../api.js';
import { nextPage, table, when } from '../parts.js';

export const title = 'History';
export const every = 0;

export async function load({ path, by, cursor }) {
  return get('history', { path, by, cursor, limit: 100 });
}

function search(event) {
  event.preventDefault();
  const query = new URLSearchParams([...new FormData(event.target)].map(([name, value]) => [name, String(value)]).filter(([, value]) => value));
  location.hash = `#/history?${query}`;
}

/**
 * @param {Awaited<ReturnType<typeof load>>} page
 * @param {import('../parts.js').Context} context
 */
export function view(page, { query }) {
  return html`
    <form class="search" role="search" @submit=${search}>
      <label>Below the path <input name="path" .value=${query.path ?? ''} placeholder="/" pattern="/.*" title="An absolute path of HDFS"></label>
      <label>By <input name="by" .value=${query.by ?? ''}></label>
      <button class="primary">Search</button>
    </form>
    ${table('What was done, by whom and why; newest first', [
      { name: 'When', cell: (entry) => when(entry.at) },
      { name: 'What', cell: (entry) => `${entry.event}${entry.succeeded ? '' : ' (failed)'}` },
      { name: 'Path', cell: (entry) => html`<bdi>${entry.path}</bdi>` },
      { name: 'By', cell: (entry) => entry.by },
      { name: 'Detail', cell: (entry) => html`${entry.detail}${entry.before || entry.after ? html`<br><span class="hint">${entry.before} → ${entry.after}</span>` : nothing}` },
      { name: 'Reason', cell: (entry) => entry.reason },
    ], page.items, page.next ? 'None on this page; the next one may have some.' : 'Nothing was done yet.')}
    ${nextPage('history', { path: query.path, by: query.by }, page.next)}`;
}
