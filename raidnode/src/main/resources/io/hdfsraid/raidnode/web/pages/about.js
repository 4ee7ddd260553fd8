// SPDX-License-Identifier: Apache-2.0
import { html } from '../lib/lit-html.js';
import { get } from '../api.js';
import { things, time } from '../format.js';
import { facts, table } from '../parts.js';

export const title = 'About';
export const every = 0;

export async function load() {
  const [version, codecs, status] = await Promise.all([get('version'), get('codecs'), get('status')]);
  return { version, codecs, status };
}

/**
 * @param {Awaited<ReturnType<typeof load>>} data
 * @param {import('../parts.js').Context} context
 */
export function view({ version, codecs, status }, { me }) {
  return html`
    ${facts([
      ['RaidNode', version.version],
      ['Commit', version.commit ? `${version.commit} of ${time(version.committedAt)}` : null],
      ['Hadoop', version.hadoop],
      ['Java', version.java],
      ['HDFS', status.nameservice],
      ['Cluster', status.clusterId],
      ['You are', `${me.user} (${me.role})`],
    ])}
    ${table('Erasure codes', [
      { name: 'Codec', cell: (codec) => codec.name },
      { name: 'Units', cell: (codec) => `${codec.dataUnits} data, ${codec.parityUnits} parity` },
      { name: 'Stored for each byte', number: true, cell: (codec) => codec.overhead.toFixed(2) },
      { name: 'Tolerates', number: true, cell: (codec) => things(codec.lossesTolerated, 'loss', 'losses') },
      { name: 'Blocks read to repair one', number: true, cell: (codec) => codec.blocksReadPerRepair.toFixed(2) },
      { name: 'Used by', cell: (codec) => codec.policies.join(', ') || '–' },
    ], codecs.codecs, 'There are none.')}
    ${table('Kernels that compute them', [
      { name: 'For', cell: (kernel) => kernel.matrices.toLowerCase() },
      { name: 'Kernel', cell: (kernel) => kernel.kernel },
      { name: 'Why', cell: (kernel) => kernel.reason },
    ], codecs.kernels, 'None was chosen yet.')}
    <p><a href="api/v1/openapi.json">The description of the REST API</a> (with a token: <code>curl -H "Authorization: Bearer …"</code>)</p>`;
}
