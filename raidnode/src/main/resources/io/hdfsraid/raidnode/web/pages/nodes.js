// SPDX-License-Identifier: Apache-2.0
import { html } from '../lib/lit-html.js';
import { get } from '../api.js';
import { ago, bytes, count, percent, time } from '../format.js';
import { badge, table } from '../parts.js';

export const title = 'Nodes';
export const every = 5;

export async function load() {
  return get('nodes', {}, 15000);
}

/**
 * Unknown as long as no placement audit has counted it.
 * @param {RaidApi.NodesReport} report
 * @param {number} amount
 */
function counted(report, amount) {
  return report.parityCountedAt ? bytes(amount) : '–';
}

/** @param {Awaited<ReturnType<typeof load>>} report */
export function view(report) {
  return html`
    <p>Scrubs have asked each node for the checksums of all its replicas, and read them, since the times on the right.
      ${report.parityCountedAt ? `What they hold of raided files was counted ${ago(report.parityCountedAt)}.` : 'No placement audit has counted yet what they hold of raided files.'}</p>
    ${table('DataNodes, those with a problem first', [
      { name: 'Node', cell: (node) => html`${node.host}<br><span class="hint">${node.node}</span>` },
      { name: 'State', cell: (node) => html`${badge(node.state)}${node.lastHeard ? html`<br><span class="hint">heard ${ago(node.lastHeard)}</span>` : ''}` },
      { name: 'Rack', cell: (node) => node.rack },
      { name: 'Used', number: true, cell: (node) => bytes(node.usedBytes) },
      { name: 'Full', number: true, cell: (node) => percent(node.usedBytes, node.usedBytes + node.remainingBytes) },
      { name: 'Raided data', number: true, cell: (node) => counted(report, node.raidedBytes) },
      { name: 'Parity', number: true, cell: (node) => counted(report, node.parityBytes) },
      { name: 'Rotten', number: true, cell: (node) => count(node.badReplicas) },
      { name: 'Checksums since', cell: (node) => html`<span title=${time(node.oldestAsked)}>${ago(node.oldestAsked)}</span>` },
      { name: 'Read since', cell: (node) => html`<span title=${time(node.oldestRead)}>${ago(node.oldestRead)}</span>` },
    ], report.nodes, 'The NameNode lists no DataNode.')}`;
}
