// SPDX-License-Identifier: Apache-2.0
import { html, nothing } from '../lib/lit-html.js';
import { Problem, get } from '../api.js';
import { actionButton } from '../actions.js';
import { ago, bytes, count, things, time, words } from '../format.js';
import { badge, facts, table, when } from '../parts.js';

export const title = 'A file';
export const every = 5;

export async function load({ inode }) {
  if (!/^-?\d+$/.test(inode ?? '')) {
    throw new Problem(404, 'The address names no file', 'Choose one from the list of files.');
  }
  const detail = await get(`files/${inode}`, {}, 15000);
  let explanation = null;
  try {
    explanation = await get('explain', { path: detail.file.path }, 15000);
  } catch (e) {
    if (!(e instanceof Problem) || e.status === 0) {
      throw e;
    }
  }
  return { detail, explanation };
}

/**
 * What tells the nodes apart: their hosts, or their ports if they are all on one host.
 * @param {RaidApi.StripeReport[]} stripes
 */
function naming(stripes) {
  const hosts = new Set(stripes.flatMap((stripe) => stripe.units.map((unit) => unit.node?.replace(/:\d+$/, ''))));
  hosts.delete(undefined);
  return hosts.size === 1 ? (unit) => unit.node ?? '–' : (unit) => unit.node?.replace(/:\d+$/, '') ?? '–';
}

/**
 * Units in columns, stripes in rows: what is lost is seen at once, and read out.
 * @param {RaidApi.FileHealth} health
 */
function stripeMap(health) {
  const stripes = health.details.filter((stripe) => stripe.units.length > 0);
  if (stripes.length === 0) {
    return html`<p class="empty">No stripe has been looked up.</p>`;
  }
  const width = Math.max(...stripes.map((stripe) => Math.max(...stripe.units.map((unit) => unit.unit)) + 1));
  const columns = [...Array(width).keys()];
  const host = naming(stripes);
  const dataUnits = Math.min(...stripes[0].units.filter((unit) => unit.parity).map((unit) => unit.unit), width);
  return html`
    <div class="scroll" tabindex="0" role="region" aria-label="Stripe map">
      <table class="stripes">
        <caption>Stripe map: each unit on the DataNode and rack that holds it</caption>
        <thead><tr>
          <th scope="col">Stripe</th><th scope="col">Tolerates</th>
          ${columns.map((unit) => html`<th scope="col">${unit < dataUnits ? 'data' : 'parity'} ${unit}</th>`)}
        </tr></thead>
        <tbody>${stripes.map((stripe) => html`
          <tr>
            <th scope="row">${stripe.stripe}</th>
            <td>${stripe.furtherLosses < 0 ? badge('UNRECOVERABLE') : things(stripe.furtherLosses, 'loss', 'losses')}</td>
            ${columns.map((index) => {
              const unit = stripe.units.find((each) => each.unit === index);
              return unit
                ? html`<td class="unit ${unit.state.toLowerCase()} ${unit.parity ? 'parity' : ''}" title="blk_${unit.blockId}, ${bytes(unit.length)}${unit.detail ? `: ${unit.detail}` : ''}">
                    ${unit.state === 'LIVE' ? nothing : html`<b>${words(unit.state)}</b> `}${unit.state === 'LIVE' ? html`${host(unit)}<br><span class="hint">${unit.rack ?? ''}</span>` : nothing}</td>`
                : html`<td class="unit none"><span class="hint">none</span></td>`;
            })}
          </tr>`)}</tbody>
      </table>
    </div>`;
}

/** @param {RaidApi.FileExplanation} explanation */
function path(explanation) {
  return html`
    <section aria-labelledby="why">
      <h2 id="why">Why it is, or is not, raided</h2>
      <p class="verdict">${explanation.sentence}${explanation.changesAt ? ` That changes ${ago(explanation.changesAt)}.` : ''}</p>
      <ol class="decision">${explanation.asked.map((asked) => html`
        <li><b>${asked.policy}</b> ${asked.applies ? 'applies' : 'does not apply'}: ${asked.why}
          ${asked.conditions.length > 0 ? html`<ul>${asked.conditions.map((condition) => html`
            <li>${condition.key} ${condition.wanted}: <b>${words(condition.answer)}</b>${condition.detail ? html`, ${condition.detail}` : nothing}</li>`)}</ul>` : nothing}
        </li>`)}</ol>
    </section>`;
}

/**
 * @param {Awaited<ReturnType<typeof load>>} data
 * @param {import('../parts.js').Context} context
 */
export function view({ detail, explanation }, { me }) {
  const { file, health, history } = detail;
  const raided = health !== null;
  return html`
    <p class="path"><bdi>${file.path}</bdi></p>
    ${facts([
      ['State', badge(file.state)],
      ['Path of clients', file.clientPath ? html`<bdi>${file.clientPath}</bdi>` : null],
      ['Health', health ? badge(health.state) : 'not under parity'],
      ['Since', file.since ? html`<span title=${time(file.since)}>${ago(file.since)}</span>` : null],
      ['Length', bytes(file.length)],
      ['Blocks', count(file.blocks)],
      ['Replicas', count(file.replication)],
      ['Codec', file.codec],
      ['Parity', raided ? bytes(file.parityBytes) : null],
      ['Policy', file.policy],
      ['Last access', file.lastAccess ? ago(file.lastAccess) : null],
      ['Inode', String(file.inode)],
    ])}
    ${file.detail ? html`<p>${file.detail}</p>` : nothing}
    ${me.may('operator') ? html`<p class="buttons">
      ${health && health.notHealthy > 0 ? actionButton({ title: 'Repair this file', path: 'repair', body: { path: file.path } }, 'Repair') : nothing}
      ${raided
        ? html`${actionButton({ title: 'Scrub this file', path: 'scrub', body: { path: file.path, deep: true } }, 'Scrub')}
            ${actionButton({ title: 'Unraid this file', path: 'unraid', body: { path: file.path } }, 'Unraid')}`
        : actionButton({ title: 'Raid this file', path: 'raid', body: { path: file.path } }, 'Raid')}</p>` : nothing}
    ${health ? html`
      <section aria-labelledby="health">
        <h2 id="health">Health</h2>
        <p class="verdict">${health.problem || (health.notHealthy === 0
          ? `All ${things(health.stripes, 'stripe')} are whole; the worst tolerates ${things(health.furtherLosses, 'loss', 'losses')}.`
          : `${count(health.notHealthy)} of ${things(health.stripes, 'stripe')} are not whole${health.unreadableBytes > 0 ? `; ${bytes(health.unreadableBytes)} cannot be read` : ''}.`)}</p>
        ${stripeMap(health)}
      </section>` : nothing}
    ${explanation ? path(explanation) : nothing}
    <section aria-labelledby="past">
      <h2 id="past">What was done with it</h2>
      ${table('History of this file, newest first', [
        { name: 'When', cell: (entry) => when(entry.at) },
        { name: 'What', cell: (entry) => `${entry.event}${entry.succeeded ? '' : ' (failed)'}` },
        { name: 'By', cell: (entry) => entry.by },
        { name: 'Detail', cell: (entry) => entry.detail },
      ], history, 'Nothing yet.')}
    </section>`;
}
