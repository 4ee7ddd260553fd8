// SPDX-License-Identifier: Apache-2.0
import { html } from '../lib/lit-html.js';
import { get } from '../api.js';
import { table } from '../parts.js';

export const title = 'Settings';
export const every = 0;

export async function load() {
  return get('settings');
}

export function view(report) {
  return html`
    <p>How hard the daemon works. An admin changes them while it runs: <code>bin/raidshell settings repair.workers=8</code></p>
    ${table('Limits in force', [
      { name: 'Setting', cell: (setting) => html`<code>${setting.key}</code>` },
      { name: 'Now', cell: (setting) => setting.value },
      { name: 'In raidnode.yml', cell: (setting) => setting.configured },
      { name: 'What it limits', cell: (setting) => setting.what },
    ], report.settings, 'There are none.')}`;
}
