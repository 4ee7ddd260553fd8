// SPDX-License-Identifier: Apache-2.0
// Every change shows its plan first, asks for a reason, and becomes a task.

import { html, nothing, render } from './lib/lit-html.js';
import { change } from './api.js';
import { bytes, count, things, time, words } from './format.js';
import { table } from './parts.js';

/** @typedef {import('./api.js').Action} Action */

/**
 * Shows what the daemon answers to a change of settings, of windows, or of files.
 * @param {import('./api.js').Plan} plan
 */
function planned(plan) {
  return 'settings' in plan ? changedSettings(plan) : 'policies' in plan ? changedWindows(plan) : changedFiles(plan);
}

/** @param {RaidApi.SettingsReport} report */
function changedSettings(report) {
  return table(
    'What changes, until the daemon starts again and reads raidnode.yml',
    [
      { name: 'Setting', cell: (each) => html`<code>${each.key}</code>` },
      { name: 'From', cell: (each) => each.from },
      { name: 'To', cell: (each) => each.to },
    ],
    report.changes,
    'It has this value already.',
  );
}

/** @param {RaidApi.WindowsReport} report */
function changedWindows(report) {
  const override = report.override;
  return html`<p>${override
    ? `All policies that raid may ${override.mode === 'OPEN' ? 'act' : 'not act'}, whatever their windows say, until ${time(override.until)}.`
    : 'The windows and blackouts of each policy decide again.'}</p>`;
}

/** @param {import('./api.js').Plan} plan */
function isUseful(plan) {
  return 'settings' in plan ? plan.changes.length > 0 : 'policies' in plan ? true : plan.outcome === 'PLANNED';
}

/** @param {RaidApi.ChangePreview} plan */
function changedFiles(plan) {
  return html`
    <p>${things(plan.files, 'file')}, ${count(plan.refused)} of them skipped; reads ${bytes(plan.bytesToRead)}, writes
      ${bytes(plan.bytesToWrite)}, ${plan.bytesFreed < 0 ? `needs ${bytes(-plan.bytesFreed)}` : `frees ${bytes(plan.bytesFreed)}`}.</p>
    ${table(
      'What it does, file by file',
      [
        { name: 'Path', cell: (item) => html`<bdi>${item.path}</bdi>` },
        { name: 'What', cell: (item) => item.what || (item.repair ? `rebuild units ${item.repair.lost.join(', ')} of stripe ${item.repair.stripe}` : '–') },
        { name: 'Skipped because', cell: (item) => (item.refused ? words(item.refused) : '') },
        { name: 'Reads', number: true, cell: (item) => bytes(item.bytesToRead) },
      ],
      plan.items.slice(0, 20),
      'It concerns no file.',
    )}
    ${plan.itemsNotShown > 0 || plan.items.length > 20 ? html`<p>… and ${count(plan.itemsNotShown + Math.max(0, plan.items.length - 20))} more.</p>` : nothing}
    ${plan.note ? html`<p>${plan.note}</p>` : nothing}`;
}

/** @param {unknown} e what a request has thrown */
function problem(e) {
  const { message, hint } = /** @type {import('./api.js').Problem} */ (e);
  return html`<p class="error" role="alert">${message}${hint ? html`<br><span class="hint">${hint}</span>` : nothing}</p>`;
}

/** @param {RaidApi.ChangePreview} answer @param {() => void} close */
function accepted(answer, close) {
  return html`
    <p>${answer.task ? html`Accepted as <a href="#/tasks?id=${answer.task}" @click=${close}>task ${answer.task}</a>, which shows its progress.` : words(answer.outcome)}</p>
    ${answer.note ? html`<p>${answer.note}</p>` : nothing}`;
}

/** @param {Action} action */
export async function propose(action) {
  const dialog = document.createElement('dialog');
  dialog.setAttribute('aria-labelledby', 'action-title');
  document.body.append(dialog);
  const goAway = () => dialog.close();
  window.addEventListener('hashchange', goAway);
  dialog.addEventListener('close', () => {
    window.removeEventListener('hashchange', goAway);
    dialog.remove();
  });
  const show = (content) =>
    render(html`<h2 id="action-title">${action.title}</h2>${content}`, dialog);
  const close = () => dialog.close();

  const carryOut = async (event) => {
    event.preventDefault();
    const reason = new FormData(event.target).get('reason');
    show(html`<p>Sending …</p>`);
    try {
      const answer = await change(action.path, { ...action.body, dryRun: false }, String(reason ?? ''), action.method);
      show(html`
        ${'outcome' in answer ? accepted(answer, close) : html`<p>Done.</p>`}
        <p><button @click=${close}>Close</button></p>`);
    } catch (e) {
      show(html`${problem(e)}<p><button @click=${close}>Close</button></p>`);
    }
  };

  show(html`<p>Asking what this would do …</p><p><button @click=${close}>Cancel</button></p>`);
  dialog.showModal();
  try {
    const plan = await change(action.path, { ...action.body, dryRun: true }, '', action.method);
    const useful = isUseful(plan);
    show(html`
      ${planned(plan)}
      <form @submit=${carryOut}>
        ${useful ? html`<label>Reason, for the audit <input name="reason" maxlength="500" autocomplete="off"></label>` : 'outcome' in plan ? html`<p>${words(plan.outcome)}.</p>` : nothing}
        <p class="buttons">
          ${useful ? html`<button class="primary">Carry it out</button>` : nothing}
          <button type="button" @click=${close}>Cancel</button>
        </p>
      </form>`);
  } catch (e) {
    show(html`${problem(e)}<p><button @click=${close}>Close</button></p>`);
  }
}

/** @param {Action} action */
export function actionButton(action, label) {
  return html`<button type="button" @click=${() => propose(action)}>${label}</button>`;
}
