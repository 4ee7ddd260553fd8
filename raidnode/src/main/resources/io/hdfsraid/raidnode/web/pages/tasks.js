// SPDX-License-Identifier: Apache-2.0
import { html, nothing } from '../lib/lit-html.js';
import { get } from '../api.js';
import { actionButton } from '../actions.js';
import { bytes, count, duration, words } from '../format.js';
import { badge, facts, nextPage, table, when } from '../parts.js';

export const title = 'Tasks';
export const every = 2;

export async function load({ id, cursor }) {
  return id
    ? { task: await get(`tasks/${encodeURIComponent(id)}`), tasks: null }
    : { task: null, tasks: await get('tasks', { cursor, limit: 100 }) };
}

/** @param {RaidApi.TaskReport} task @param {import('../parts.js').Me} me */
function one(task, me) {
  const progress = task.progress;
  return html`
    <p><a href="#/tasks">All tasks</a></p>
    <p class="verdict">${words(task.action)} <bdi>${task.path}</bdi> ${badge(task.state)}</p>
    <label>Progress <progress max="100" value=${progress.percent}></progress> ${progress.percent.toFixed(1)} %</label>
    ${task.reason ? html`<p>${task.reason}</p>` : nothing}
    ${facts([
      ['Steps', `${count(progress.stepsDone)} of ${count(progress.steps)} done, ${count(progress.stepsFailed)} not carried out`],
      ['Read', progress.bytes > 0 ? `${bytes(progress.bytesDone)} of ${bytes(progress.bytes)}, ${bytes(progress.bytesPerSecond)}/s` : null],
      ['Time left', progress.etaSeconds === null ? null : duration(progress.etaSeconds)],
      ['Asked for by', task.by],
      ['Reason', task.operatorReason || null],
      ['Queued', when(task.queuedAt)],
      ['Started', when(task.startedAt)],
      ['Ended', when(task.endedAt)],
      ['Request', task.requestId],
    ])}
    ${me.may('operator') && (task.state === 'RUNNING' || task.state === 'QUEUED')
      ? html`<p class="buttons">${actionButton({ title: `Cancel task ${task.id}`, path: `tasks/${task.id}/cancel`, body: {} }, 'Cancel')}</p>`
      : nothing}`;
}

/**
 * @param {Awaited<ReturnType<typeof load>>} data
 * @param {import('../parts.js').Context} context
 */
export function view({ task, tasks }, { me }) {
  return task
    ? one(task, me)
    : html`
      ${table('Tasks that carry out changes and checks, newest first', [
        { name: 'Task', cell: (each) => html`<a href="#/tasks?id=${each.id}">${each.id}</a>` },
        { name: 'What', cell: (each) => html`${words(each.action)} <bdi>${each.path}</bdi>` },
        { name: 'State', cell: (each) => badge(each.state) },
        { name: 'Done', number: true, cell: (each) => `${each.progress.percent.toFixed(1)} %` },
        { name: 'By', cell: (each) => each.by },
        { name: 'Queued', cell: (each) => when(each.queuedAt) },
      ], tasks.items, 'No task was started in the last seven days.')}
      ${nextPage('tasks', {}, tasks.next)}`;
}
