// SPDX-License-Identifier: Apache-2.0
import { html, nothing } from '../lib/lit-html.js';
import { get } from '../api.js';
import { bytes, count, words } from '../format.js';
import { badge, fileLink, nextPage, table } from '../parts.js';

export const title = 'Files';
export const every = 0;

const STATES = ['LEFT', 'CANDIDATE', 'COMMITTED', 'REDUCED', 'RAIDED', 'UNRAIDING'];

export async function load({ path, state, cursor }) {
  return get('files', { path, state, cursor, limit: 100 });
}

function search(event) {
  event.preventDefault();
  const query = new URLSearchParams([...new FormData(event.target)].map(([name, value]) => [name, String(value)]).filter(([, value]) => value));
  location.hash = `#/files?${query}`;
}

/**
 * @param {Awaited<ReturnType<typeof load>>} page
 * @param {import('../parts.js').Context} context
 */
export function view(page, { query }) {
  return html`
    <form class="search" role="search" @submit=${search}>
      <label>Below the path <input name="path" type="text" .value=${query.path ?? ''} placeholder="/" pattern="/.*" title="An absolute path of HDFS"></label>
      <label>State
        <select name="state">
          <option value="">any</option>
          ${STATES.map((state) => html`<option value=${state} ?selected=${state === query.state}>${words(state)}</option>`)}
        </select>
      </label>
      <button class="primary">Search</button>
    </form>
    ${table('Files that the daemon knows', [
      { name: 'Path', cell: (file) => html`${fileLink(file.inode, file.path)}${file.clientPath ? html`<br><span class="hint">for clients <bdi>${file.clientPath}</bdi></span>` : nothing}` },
      { name: 'State', cell: (file) => badge(file.state) },
      { name: 'Why', cell: (file) => html`${file.reason ? html`${words(file.reason)}<br>` : nothing}<span class="hint">${file.detail}</span>` },
      { name: 'Length', number: true, cell: (file) => bytes(file.length) },
      { name: 'Replicas', number: true, cell: (file) => count(file.replication) },
      { name: 'Codec', cell: (file) => html`<span class="word">${file.codec ?? '–'}</span>` },
    ], page.items, page.next ? 'None on this page; the next one may have some.' : 'No file matches. A scan of the namespace finds new files.')}
    ${nextPage('files', { path: query.path, state: query.state }, page.next)}`;
}
