// SPDX-License-Identifier: Apache-2.0
import { html, nothing } from '../lib/lit-html.js';
import { get } from '../api.js';
import { actionButton } from '../actions.js';
import { ago, bytes, count, duration, percent, things, time, words } from '../format.js';
import { badge, facts, fileLink, problemList, shares, table } from '../parts.js';

/** @typedef {import('../parts.js').Context} Context */

export const title = 'Overview';
export const every = 2;

export async function load() {
  const [status, repairs, tasks, windows, settings] = await Promise.all([
    get('status'),
    get('repairs', { limit: 100 }),
    get('tasks', { state: 'RUNNING', limit: 10 }),
    get('windows'),
    get('settings'),
  ]);
  return { status, repairs, tasks, windows, limits: limits(settings.settings), rates: rates(status) };
}

/** Which setting limits the bytes of a purpose. */
const LIMITS = { raiding: 'raiding.bytesPerSecond', repair: 'repair.bytesPerSecond', urgent_repair: 'repair.urgentBytesPerSecond', moves: 'placement.bytesPerSecond', scrub: 'scrub.bytesPerSecond', NameNode: 'hdfs.nameNodeCallsPerSecond' };

/** @param {RaidApi.SettingsReportSetting[]} settings */
function limits(settings) {
  const values = new Map(settings.map((setting) => [setting.key, setting.value]));
  return Object.fromEntries(Object.entries(LIMITS).map(([purpose, key]) => [purpose, values.get(key) ?? null]));
}

/** What was transferred when this page looked before, to tell rates. */
let before = { startedAt: '', at: 0, amounts: new Map() };

const NAMENODE = 'NameNode';

/**
 * Bytes per second since the look before, by purpose and direction.
 * @param {RaidApi.Status} status
 */
function rates(status) {
  const at = Date.parse(status.now);
  const amounts = new Map(status.transfers.map((each) => [`${each.purpose}, ${each.direction}`, sum(each)]));
  amounts.set(NAMENODE, status.nameNodeCalls);
  const seconds = (at - before.at) / 1000;
  const known = before.startedAt === status.startedAt && seconds > 0 && seconds < 60;
  const result = known ? new Map([...amounts].map(([name, amount]) => [name, (amount - (before.amounts.get(name) ?? 0)) / seconds])) : new Map();
  before = { startedAt: status.startedAt, at, amounts };
  return result;
}

/**
 * Stripes of the queue by the number of losses that they still tolerate, the worst first.
 * @param {RaidApi.QueuedRepair[]} items
 */
function byTolerance(items) {
  const counts = new Map();
  for (const repair of items) {
    counts.set(repair.furtherLosses, (counts.get(repair.furtherLosses) ?? 0) + 1);
  }
  return [...counts].sort(([one], [other]) => one - other);
}

function toleranceInWords(losses) {
  return losses < 0 ? 'more is lost than can be rebuilt' : losses === 0 ? 'tolerate no further loss' : `tolerate ${things(losses, 'further loss', 'further losses')}`;
}

/** @typedef {Awaited<ReturnType<typeof load>>} Data */

/** @param {Data} data */
function risk({ status, repairs }) {
  const { waiting, running, postponed, parked, unrecoverable, atRisk } = status.repairs;
  const all = waiting + running + postponed + parked + unrecoverable;
  const lost = repairs.items.filter((repair) => repair.state === 'UNRECOVERABLE');
  return html`
    <section aria-labelledby="risk">
      <h2 id="risk">Is anything at risk?</h2>
      ${all === 0
        ? html`<p class="all-well"><span aria-hidden="true">✓</span> No stripe is known to have lost a unit.</p>`
        : html`
          <p class=${unrecoverable > 0 ? 'verdict bad' : atRisk > 0 ? 'verdict warn' : 'verdict'}>
            ${things(all, 'stripe has lost units', 'stripes have lost units')}; ${count(atRisk)} of them
            ${atRisk === 1 ? 'tolerates' : 'tolerate'} no further loss${unrecoverable > 0 ? `, and ${count(unrecoverable)} cannot be rebuilt now` : ''}.
            ${status.repairProgress.estimatedEnd ? `Those that wait for no node are repaired ${ago(status.repairProgress.estimatedEnd, status.now)} at the rate of the last ten minutes.` : ''}
          </p>
          ${shares('Repairs by state', [
            { name: 'running', value: running, level: 'good' },
            { name: 'waiting', value: waiting, level: 'plain' },
            { name: 'postponed', value: postponed, level: 'warn' },
            { name: 'parked', value: parked, level: 'warn' },
            { name: 'cannot be rebuilt', value: unrecoverable, level: 'bad' },
          ])}
          <ul>${byTolerance(repairs.items).map(([losses, stripes]) => html`<li>${things(stripes, 'stripe')} ${toleranceInWords(losses)}</li>`)}</ul>
          ${repairs.next ? html`<p>These are the ${count(repairs.items.length)} most urgent ones.</p>` : nothing}
          <p><a href="#/repairs">The repair queue</a></p>`}
      ${status.repairProgress.storm ? html`<p class="verdict warn">Repairs pause since ${time(status.repairProgress.storm.since)}: ${status.repairProgress.storm.why}</p>` : nothing}
      ${status.hdfs && status.hdfs.dead + status.hdfs.silent > 0
        ? html`<p>${things(status.hdfs.dead, 'DataNode is', 'DataNodes are')} dead, ${count(status.hdfs.silent)} silent: <a href="#/nodes">the nodes</a></p>`
        : nothing}
      ${lost.length > 0
        ? html`<h3>What nobody can repair now</h3>
            <ul>${lost.slice(0, 10).map((repair) => html`<li>${fileLink(repair.inode, repair.path)}: <code>bin/raidshell recover ${repair.path} --to FILE</code> copies out what is left</li>`)}</ul>`
        : nothing}
    </section>`;
}

/** @param {Data} data */
function saving({ status }) {
  const { logicalBytes, physicalBytes, parityBytes, savedBytes } = status.space;
  // Of the reduced ones a unit has yet to find its place.
  const raided = (status.files.RAIDED ?? 0) + (status.files.REDUCED ?? 0);
  return html`
    <section aria-labelledby="saving">
      <h2 id="saving">What do we save?</h2>
      ${logicalBytes === 0
        ? html`<p class="empty">Nothing is raided yet. <a href="#/policies">Policies</a> choose files that nobody has used for long.</p>`
        : html`
          <p class="verdict"><b class="big">${bytes(savedBytes)}</b> saved by ${things(raided, 'file')} under parity: ${percent(savedBytes, physicalBytes + savedBytes)} of what they would occupy.</p>
          ${shares('Bytes on disk', [
            { name: 'data of raided files', value: physicalBytes - parityBytes, level: 'plain' },
            { name: 'their parity', value: parityBytes, level: 'warn' },
            { name: 'saved', value: savedBytes, level: 'good' },
          ], bytes)}`}
      ${shares('Files by state', Object.entries(status.files).map(([state, files]) => ({
        name: words(state), value: files, level: state === 'RAIDED' ? 'good' : state === 'LEFT' ? 'plain' : 'warn',
      })))}
      ${Object.keys(status.skipped).length > 0
        ? html`<details><summary>Why files are left as they are</summary>
            ${table('Files left, by reason', [
              { name: 'Reason', cell: ([reason]) => words(reason) },
              { name: 'Files', number: true, cell: ([, files]) => count(files) },
            ], Object.entries(status.skipped).sort(([, a], [, b]) => b - a), '')}</details>`
        : nothing}
      <p><a href="#/savings">By policy, directory and code</a></p>
    </section>`;
}

/** @param {RaidApi.TransferredBytes} transfer */
function sum(transfer) {
  return transfer.sameNode + transfer.sameRack + transfer.offRack + transfer.rackUnknown;
}

function rate(value) {
  return value === undefined ? '–' : `${bytes(value)}/s`;
}

function limit(value) {
  return value === null || value === undefined ? '–' : value === '0' ? 'none' : `${value.replace(/^(\d+)/, '$1 ')}/s`;
}

/** @param {Data} data @param {Context} context */
function work({ status, tasks, limits, rates }, { me }) {
  const running = status.jobs.filter((job) => job.running);
  const paused = status.problems.some((problem) => problem.code === 'PAUSED');
  return html`
    <section aria-labelledby="work">
      <h2 id="work">What is it doing?</h2>
      <p>${running.length === 0 ? 'No job runs now.' : `Running now: ${running.map((job) => job.name).join(', ')}.`}
        ${status.repairProgress.stripesPerMinute > 0 ? `Repairs: ${status.repairProgress.stripesPerMinute.toFixed(1)} stripes a minute, ${bytes(status.repairProgress.bytesPerSecond)}/s.` : ''}</p>
      ${tasks.items.length > 0 ? html`<ul>${tasks.items.map((task) => html`<li><a href="#/tasks?id=${task.id}">${words(task.action)} <bdi>${task.path}</bdi></a>: ${task.progress.percent.toFixed(1)} %${task.progress.etaSeconds === null ? '' : `, ${duration(task.progress.etaSeconds)} left`}</li>`)}</ul>` : nothing}
      ${table('Bytes transferred, now and since the start', [
        { name: 'Purpose', cell: (each) => `${words(each.purpose)}, ${each.direction}` },
        { name: 'Now', number: true, cell: (each) => rate(rates.get(`${each.purpose}, ${each.direction}`)) },
        { name: 'Limit', number: true, cell: (each) => limit(limits[each.purpose]) },
        { name: 'Same node', number: true, cell: (each) => bytes(each.sameNode) },
        { name: 'Same rack', number: true, cell: (each) => bytes(each.sameRack) },
        { name: 'Other racks', number: true, cell: (each) => bytes(each.offRack) },
        { name: 'In all', number: true, cell: (each) => bytes(sum(each)) },
      ], status.transfers, 'Nothing was read or written since the start.')}
      ${status.containers === null ? nothing : html`
        ${status.containers.refusal === null ? nothing : html`<p>The daemon works by itself until ${time(status.containers.refusedUntil)}: <bdi>${status.containers.refusal}</bdi></p>`}
        ${table('Jobs of YARN', [
          { name: 'Job', cell: (job) => html`<bdi>${job.application}</bdi>` },
          { name: 'To', cell: (job) => job.work },
          { name: 'Stage', cell: (job) => job.stage },
          { name: 'Progress', number: true, cell: (job) => `${job.percent.toFixed(1)} %` },
          { name: 'Stripes done', number: true, cell: (job) => `${count(job.done)} of ${count(job.stripes)}` },
          { name: 'Read from other racks', number: true, cell: (job) => bytes(job.offRack) },
          { name: 'YARN says', cell: (job) => html`<bdi>${job.diagnostics}</bdi>` },
        ], status.containers.jobs, 'No job works now.')}`}
      <p>NameNode: ${things(status.nameNodeCalls, 'call')} that the limit counts since the start${rates.has(NAMENODE) ? html`, <b>${count(Math.round(rates.get(NAMENODE)))}</b> a second now` : nothing}; ${Number(limits[NAMENODE]) > 0 ? `at most ${limits[NAMENODE]} a second` : 'no limit'}.</p>
      ${me.may('operator')
        ? html`<p class="buttons">${paused
            ? actionButton({ title: 'Let policies raid again', path: 'pause', body: { paused: false } }, 'Resume policies')
            : actionButton({ title: 'Let policies raid nothing', path: 'pause', body: { paused: true } }, 'Pause policies')}</p>`
        : nothing}
    </section>`;
}

/**
 * @param {'OPEN' | 'CLOSED'} mode
 * @param {number} hours
 * @returns {import('../api.js').Action}
 */
function override(mode, hours) {
  return { title: mode === 'OPEN' ? `Let policies act for ${hours} hours, whatever their windows say` : `Keep policies from acting for ${hours} hours`, path: 'windows', body: { mode, durationSeconds: hours * 3600 } };
}

/** What keeps policies from raiding, whatever their windows say. */
const STOPPED = new Set(['PAUSED', 'WITHDRAWING', 'WITHDRAWN', 'ROOT_REMADE']);

/**
 * When policies may act, and what an operator can do about it.
 * @param {Data} data
 * @param {Context} context
 */
function times({ status, windows }, { me }) {
  const stopped = status.problems.find((problem) => STOPPED.has(problem.code));
  return html`
    ${stopped ? html`<p class="verdict warn">No policy raids now: ${stopped.message}.</p>` : nothing}
    ${windows.override ? html`<p class="verdict warn">An operator has ${windows.override.mode === 'OPEN' ? 'opened' : 'closed'} all windows until ${time(windows.override.until)}.</p>` : nothing}
    ${table('When policies may act', [
      { name: 'Policy', cell: (each) => each.policy },
      { name: 'Now', cell: (each) => (each.window.open ? `yes, at ${each.window.percent} %` : 'no') },
      { name: 'Until', cell: (each) => (each.window.until ? time(each.window.until) : '–') },
      { name: 'Why', cell: (each) => each.window.why },
    ], windows.policies, 'No policy raids.')}
    ${me.may('operator') && windows.policies.length > 0
      ? html`<p class="buttons">${windows.override
          ? actionButton({ title: 'Follow the windows of the policies again', path: 'windows', body: { mode: 'FOLLOW' } }, 'Follow the windows')
          : html`${actionButton(override('OPEN', 4), 'Open all windows for 4 hours')}${actionButton(override('CLOSED', 4), 'Close all windows for 4 hours')}`}</p>`
      : nothing}`;
}

/** @param {Data} data @param {Context} context */
function next(data, context) {
  const { status } = data;
  // Those that run every few seconds tell nothing.
  const soon = Date.parse(status.now) + 60000;
  const jobs = status.jobs
    .filter((job) => job.nextRun && Date.parse(job.nextRun) > soon)
    .sort((a, b) => Date.parse(a.nextRun ?? '') - Date.parse(b.nextRun ?? ''));
  return html`
    <section aria-labelledby="next">
      <h2 id="next">What comes next?</h2>
      ${table('Next runs of the jobs', [
        { name: 'Job', cell: (job) => job.name },
        { name: 'Next run', cell: (job) => html`<span title=${time(job.nextRun)}>${ago(job.nextRun, status.now)}</span>` },
        { name: 'Last start', cell: (job) => ago(job.lastStart, status.now) },
      ], jobs.slice(0, 8), 'No job is scheduled but those that run all the time.')}
      ${times(data, context)}
      <p><a href="#/policies">What each policy will take</a></p>
    </section>`;
}

/**
 * Returns what to say if nothing needs an operator.
 * @param {RaidApi.Status} status
 */
function calm(status) {
  const { waiting, running, postponed } = status.repairs;
  return waiting + running + postponed > 0 ? 'Nothing needs you now: the daemon repairs what was lost.' : 'Nothing needs you now.';
}

/** @param {Data} data @param {Context} context */
export function view(data, context) {
  const { status } = data;
  return html`
    <section aria-labelledby="problems"><h2 id="problems">What needs you</h2>${problemList(status.problems, calm(status))}</section>
    <div class="columns">${risk(data)}${saving(data)}${work(data, context)}${next(data, context)}</div>
    <section aria-labelledby="cluster">
      <h2 id="cluster">The cluster</h2>
      ${facts([
        ['HDFS', status.nameservice],
        ['DataNodes', status.hdfs ? html`${things(status.hdfs.live, 'live node')}${status.hdfs.dead + status.hdfs.silent > 0 ? html`, <a href="#/nodes">${count(status.hdfs.dead)} dead, ${count(status.hdfs.silent)} silent</a>` : ''}` : null],
        ['Asked', status.hdfs ? ago(status.hdfs.checked, status.now) : null],
        ['Used', status.hdfs ? bytes(status.hdfs.usedBytes) : null],
        ['Free', status.hdfs ? bytes(status.hdfs.remainingBytes) : null],
        ['Ownership', status.problems.some((problem) => problem.code === 'WITHDRAWN') ? 'given up' : badge(status.owner.state)],
        ['Up', ago(status.startedAt, status.now).replace(' ago', '')],
      ])}
    </section>`;
}
