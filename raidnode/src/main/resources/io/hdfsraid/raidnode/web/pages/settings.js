// SPDX-License-Identifier: Apache-2.0
import { html, nothing } from '../lib/lit-html.js';
import { get } from '../api.js';
import { propose } from '../actions.js';
import { table } from '../parts.js';

export const title = 'Settings';
export const every = 0;

export async function load() {
  return get('settings');
}

function changed(setting, event) {
  event.preventDefault();
  const value = String(new FormData(event.target).get(setting.key)).trim();
  propose({ title: `Change ${setting.key}`, method: 'PUT', path: 'settings', body: { values: { [setting.key]: value } } });
}

function value(setting, me) {
  return me.may('admin')
    ? html`<form class="inline" @submit=${(event) => changed(setting, event)}>
        <input name=${setting.key} .value=${setting.value} size="10" aria-label=${setting.key} required autocomplete="off">
        <button>Change</button>
      </form>`
    : setting.value;
}

/**
 * @param {Awaited<ReturnType<typeof load>>} report
 * @param {import('../parts.js').Context} context
 */
export function view(report, { me }) {
  return html`
    <p>How hard the daemon works. ${me.may('admin') ? 'A change holds until the daemon starts again and reads raidnode.yml.' : html`An admin changes them while it runs: <code>bin/raidshell settings repair.workers=8</code>`}</p>
    ${table('Limits in force', [
      { name: 'Setting', cell: (setting) => html`<code class="word">${setting.key}</code>` },
      { name: 'Now', cell: (setting) => value(setting, me) },
      { name: 'In raidnode.yml', cell: (setting) => (setting.value === setting.configured ? 'the same' : html`<b>${setting.configured}</b>`) },
      { name: 'What it limits', cell: (setting) => setting.what || nothing },
    ], report.settings, 'There are none.')}`;
}
