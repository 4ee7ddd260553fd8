// SPDX-License-Identifier: Apache-2.0
import { html } from '../lib/lit-html.js';
import { get } from '../api.js';
import { actionButton } from '../actions.js';
import { ago, bytes, count, things } from '../format.js';
import { badge, fileLink, nextPage, table } from '../parts.js';

export const title = 'Repairs';
export const every = 2;

export async function load({ cursor }) {
  const [repairs, status] = await Promise.all([get('repairs', { cursor, limit: 200 }), get('status')]);
  return { repairs, status };
}

/**
 * @param {Awaited<ReturnType<typeof load>>} data
 * @param {import('../parts.js').Context} context
 */
export function view({ repairs, status }, { me }) {
  const progress = status.repairProgress;
  return html`
    <p class="verdict">${progress.stripesPerMinute > 0
      ? `${progress.stripesPerMinute.toFixed(1)} stripes a minute in the last ten minutes, ${bytes(progress.bytesPerSecond)}/s read${progress.estimatedEnd ? `; what waits for no node is repaired ${ago(progress.estimatedEnd, status.now)}` : ''}.`
      : 'Nothing was repaired in the last ten minutes.'}</p>
    ${me.may('operator') && repairs.items.length > 0
      ? html`<p class="buttons">${actionButton({ title: 'Repair everything in the queue', path: 'repair', body: { all: true } }, 'Repair all')}</p>`
      : ''}
    ${table('The repair queue, most urgent first', [
      { name: 'Path', cell: (repair) => fileLink(repair.inode, repair.path) },
      { name: 'Stripe', number: true, cell: (repair) => repair.stripe },
      { name: 'Lost units', cell: (repair) => repair.lost.join(', ') },
      { name: 'Tolerates', cell: (repair) => (repair.furtherLosses < 0 ? 'too much is lost' : things(repair.furtherLosses, 'loss', 'losses')) },
      { name: 'State', cell: (repair) => badge(repair.state) },
      { name: 'Why', cell: (repair) => (repair.state === 'RUNNING' ? '' : repair.reason) },
      { name: 'Lost', cell: (repair) => ago(repair.since, status.now) },
      { name: 'Tries', number: true, cell: (repair) => count(repair.attempts) },
      { name: 'Next try', cell: (repair) => (repair.nextAttempt ? ago(repair.nextAttempt, status.now) : '–') },
    ], repairs.items, 'The queue is empty: no stripe is known to have lost a unit.')}
    ${nextPage('repairs', {}, repairs.next)}
    ${table('What repairs have cost since the start', [
      { name: 'Lost units in the stripe', number: true, cell: (cost) => count(cost.losses) },
      { name: 'Stripes', number: true, cell: (cost) => count(cost.stripes) },
      { name: 'Read', number: true, cell: (cost) => bytes(cost.bytesRead) },
      { name: 'Read for one stripe', number: true, cell: (cost) => bytes(cost.stripes > 0 ? cost.bytesRead / cost.stripes : 0) },
    ], progress.costs, 'Nothing was repaired since the start.')}`;
}
