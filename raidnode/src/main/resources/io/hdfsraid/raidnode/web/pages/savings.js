// SPDX-License-Identifier: Apache-2.0
import { html, nothing } from '../lib/lit-html.js';
import { Problem, get } from '../api.js';
import { ago, bytes, count, percent, things, words } from '../format.js';
import { line, table } from '../parts.js';

export const title = 'Savings';
export const every = 0;

export async function load({ path, depth }) {
  const [report, trend, plan] = await Promise.all([get('savings', { path: path || '/', depth: depth || 2 }, 60000), get('savings/days'), get('plan').catch(unlessRefused)]);
  return { report, trend, plan };
}

/**
 * Takes a refusal for an answer: there is no plan before the first evaluation.
 * @param {unknown} e
 */
function unlessRefused(e) {
  if (e instanceof Problem && e.status > 0) {
    return null;
  }
  throw e;
}

/** Whose savings the chart shows: a kind of part and its name, or nothing for the whole cluster. */
let shown = '';

/**
 * Returns what each part saved on a day, by what the chart calls it.
 * @param {RaidApi.SavingsTrendDay} day
 * @returns {Map<string, number>}
 */
function parts(day) {
  return new Map([
    ...Object.entries(day.policies).map(([name, saved]) => /** @type {[string, number]} */ ([`by ${name}`, saved])),
    ...day.directories.map((each) => /** @type {[string, number]} */ ([`in ${each.path}`, each.savedBytes])),
  ]);
}

/**
 * Returns the days on which the part was counted, or all of them for the whole cluster.
 * @param {RaidApi.SavingsTrendDay[]} days
 */
function points(days) {
  return days.flatMap((day) => {
    const value = shown === '' ? day.savedBytes : parts(day).get(shown);
    return value === undefined ? [] : [{ at: Date.parse(day.day), value }];
  });
}

/**
 * @param {RaidApi.SavingsTrendDay[]} days
 * @param {import('../parts.js').Context} context
 */
function overTime(days, context) {
  const last = days[days.length - 1];
  const offered = last ? [...parts(last).keys()] : [];
  shown = offered.includes(shown) ? shown : '';
  const options = (name, start) => html`<optgroup label=${name}>${offered.filter((each) => each.startsWith(start)).map((each) => html`<option value=${each} ?selected=${each === shown}>${each}</option>`)}</optgroup>`;
  return html`
    <label>Saved <select name="part" @change=${(event) => { shown = event.target.value; context.show(); }}>
      <option value="" ?selected=${shown === ''}>on the whole cluster</option>
      ${options('Policies and operators', 'by ')}${options('Directories', 'in ')}</select></label>
    ${line(`Bytes saved ${shown || 'on the whole cluster'}, by day`, points(days), bytes, 'It takes two days to draw a line: come back tomorrow.')}`;
}

function search(event) {
  event.preventDefault();
  const query = new URLSearchParams([...new FormData(event.target)].map(([name, value]) => [name, String(value)]).filter(([, value]) => value));
  location.hash = `#/savings?${query}`;
}

/**
 * What a row saves: by the replicas that HDFS lists if they were measured, else as it should be.
 * @param {RaidApi.SavingsReportRow} row
 */
function saved(row) {
  return row.beforeBytes - (row.sampledFiles > 0 ? row.actualBytes : row.expectedBytes);
}

/** @param {string} caption @param {string} name @param {RaidApi.SavingsReportRow[]} all */
function rows(caption, name, all) {
  return table(caption, [
    { name, cell: (row) => html`<bdi>${row.name}</bdi>` },
    { name: 'Files', number: true, cell: (row) => count(row.files) },
    { name: 'Before', number: true, cell: (row) => bytes(row.beforeBytes) },
    { name: 'Expected now', number: true, cell: (row) => bytes(row.expectedBytes) },
    { name: 'On disk now', number: true, cell: (row) => (row.sampledFiles > 0 ? bytes(row.actualBytes) : '–') },
    { name: 'Saved', number: true, cell: (row) => html`${bytes(saved(row))} <span class="hint">(${percent(saved(row), row.beforeBytes)})</span>` },
  ], all, 'Nothing is raided here.');
}

/**
 * @param {Awaited<ReturnType<typeof load>>} data
 * @param {import('../parts.js').Context} context
 */
export function view({ report, trend, plan }, context) {
  const { query } = context;
  const { total, measured, smallFiles } = report;
  return html`
    <form class="search" role="search" @submit=${search}>
      <label>Below the path <input name="path" .value=${query.path ?? ''} placeholder="/" pattern="/.*" title="An absolute path of HDFS"></label>
      <label>Levels of directories <input name="depth" type="number" min="1" max="5" .value=${query.depth ?? '2'}></label>
      <button class="primary">Show</button>
    </form>
    <p class="verdict"><b class="big">${bytes(saved(total))}</b> saved below <bdi>${report.path}</bdi> by ${things(total.files, 'file')} under parity.
      ${measured.files > 0 ? `${measured.complete ? 'All of them were' : `${count(measured.files)} of ${count(measured.ofFiles)} were`} measured on HDFS ${ago(report.checked)}.` : ''}
      ${measured.excessFiles > 0 ? `${things(measured.excessFiles, 'file occupies', 'files occupy')} more than expected: snapshots hold them, or HDFS has not deleted excess replicas yet.` : nothing}</p>
    <section aria-labelledby="over-time">
      <h2 id="over-time">Over time</h2>
      ${overTime(trend.days, context)}
      ${trend.days.length > 1
        ? html`<details><summary>As a table</summary>${table('What was saved at the end of each day, the last first', [
            { name: 'Day', cell: (day) => day.day },
            { name: 'Raided files', number: true, cell: (day) => count(day.files) },
            { name: 'Length', number: true, cell: (day) => bytes(day.logicalBytes) },
            { name: 'On disk', number: true, cell: (day) => bytes(day.physicalBytes) },
            { name: 'Saved', number: true, cell: (day) => bytes(day.savedBytes) },
          ], trend.days.toReversed().slice(0, 100), '')}</details>`
        : nothing}
    </section>
    <section aria-labelledby="by-policy"><h2 id="by-policy">By policy</h2>${rows('What each policy saves, and what operators have raided by hand', 'Policy or operator', report.policies)}</section>
    <section aria-labelledby="by-directory"><h2 id="by-directory">By directory</h2>${rows('What each directory saves, most bytes first', 'Directory', report.directories)}</section>
    <section aria-labelledby="by-codec"><h2 id="by-codec">By codec</h2>${rows('What each erasure code saves', 'Codec', report.codecs)}</section>
    <section aria-labelledby="could">
      <h2 id="could">What would still be saved</h2>
      ${plan === null ? html`<p class="empty">The daemon has not evaluated the files yet.</p>` : table('What policies have not raided yet, as evaluated on the whole cluster', [
        { name: 'Policy', cell: (each) => each.policy },
        { name: 'Files', number: true, cell: (each) => count(each.candidates.files) },
        { name: 'On disk now', number: true, cell: (each) => bytes(each.candidates.beforeBytes) },
        { name: 'Would save', number: true, cell: (each) => bytes(each.candidates.beforeBytes - each.candidates.afterBytes) },
        { name: 'May act now', cell: (each) => (each.window.open ? each.space || 'yes' : `no: ${each.window.why}`) },
      ], plan.policies, 'No policy raids.')}
    </section>
    <section aria-labelledby="left">
      <h2 id="left">What keeps the rest from being saved</h2>
      ${table('Files that are not under parity, by reason', [
        { name: 'Reason', cell: (row) => words(row.reason) },
        { name: 'Files', number: true, cell: (row) => count(row.files) },
        { name: 'Length', number: true, cell: (row) => bytes(row.logicalBytes) },
        { name: 'On disk', number: true, cell: (row) => bytes(row.physicalBytes) },
      ], report.skipped, 'Every file that the daemon knows is under parity.')}
      ${smallFiles.files > 0 ? html`<p>${things(smallFiles.files, 'of them is', 'of them are')} too small for stripes of their own (${bytes(smallFiles.physicalBytes)} on disk).</p>` : nothing}
    </section>`;
}
