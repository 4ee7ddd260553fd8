// SPDX-License-Identifier: Apache-2.0
import { html, nothing } from '../lib/lit-html.js';
import { get } from '../api.js';
import { actionButton } from '../actions.js';
import { ago, bytes, count, duration, percent, things, time, words } from '../format.js';
import { badge, facts, fileLink, problemList, shares, table } from '../parts.js';

export const title = 'Overview';
export const every = 2;

export async function load() {
  const [status, repairs, tasks] = await Promise.all([
    get('status'),
    get('repairs', { limit: 100 }),
    get('tasks', { state: 'RUNNING', limit: 10 }),
  ]);
  return { status, repairs, tasks };
}

/** Stripes of the queue by the number of losses that they still tolerate, the worst first. */
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
            ${status.repairProgress.estimatedEnd ? `All is repaired ${ago(status.repairProgress.estimatedEnd, status.now)} at the present rate.` : ''}
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
      ${lost.length > 0
        ? html`<h3>What nobody can repair now</h3>
            <ul>${lost.slice(0, 10).map((repair) => html`<li>${fileLink(repair.inode, repair.path)}: <code>bin/raidshell recover ${repair.path} --to FILE</code> copies out what is left</li>`)}</ul>`
        : nothing}
    </section>`;
}

function saving({ status }) {
  const { logicalBytes, physicalBytes, parityBytes, savedBytes } = status.space;
  const raided = status.files.RAIDED ?? 0;
  return html`
    <section aria-labelledby="saving">
      <h2 id="saving">What do we save?</h2>
      ${logicalBytes === 0
        ? html`<p class="empty">Nothing is raided yet. <a href="#/policies">Policies</a> choose files that nobody has used for long.</p>`
        : html`
          <p class="verdict"><b class="big">${bytes(savedBytes)}</b> saved by ${things(raided, 'raided file')}: ${percent(savedBytes, physicalBytes + savedBytes)} of what they would occupy.</p>
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

function sum(transfer) {
  return transfer.sameNode + transfer.sameRack + transfer.offRack + transfer.rackUnknown;
}

function work({ status, tasks }, { me }) {
  const running = status.jobs.filter((job) => job.running);
  const paused = status.problems.some((problem) => problem.code === 'PAUSED');
  return html`
    <section aria-labelledby="work">
      <h2 id="work">What is it doing?</h2>
      <p>${running.length === 0 ? 'No job runs now.' : `Running now: ${running.map((job) => job.name).join(', ')}.`}
        ${status.repairProgress.stripesPerMinute > 0 ? `Repairs: ${status.repairProgress.stripesPerMinute.toFixed(1)} stripes a minute, ${bytes(status.repairProgress.bytesPerSecond)}/s.` : ''}</p>
      ${tasks.items.length > 0 ? html`<ul>${tasks.items.map((task) => html`<li><a href="#/tasks?id=${task.id}">${words(task.action)} <bdi>${task.path}</bdi></a>: ${task.progress.percent.toFixed(1)} %${task.progress.etaSeconds === null ? '' : `, ${duration(task.progress.etaSeconds)} left`}</li>`)}</ul>` : nothing}
      ${table('Bytes transferred since the start', [
        { name: 'Purpose', cell: (each) => `${each.purpose}, ${each.direction}` },
        { name: 'Same node', number: true, cell: (each) => bytes(each.sameNode) },
        { name: 'Same rack', number: true, cell: (each) => bytes(each.sameRack) },
        { name: 'Other racks', number: true, cell: (each) => bytes(each.offRack) },
        { name: 'In all', number: true, cell: (each) => bytes(sum(each)) },
      ], status.transfers, 'Nothing was read or written since the start.')}
      ${me.may('operator')
        ? html`<p class="buttons">${paused
            ? actionButton({ title: 'Let policies raid again', path: 'pause', body: { paused: false } }, 'Resume policies')
            : actionButton({ title: 'Let policies raid nothing', path: 'pause', body: { paused: true } }, 'Pause policies')}</p>`
        : nothing}
    </section>`;
}

function next({ status }) {
  // Those that run every few seconds tell nothing.
  const soon = Date.parse(status.now) + 60000;
  const jobs = status.jobs
    .filter((job) => job.nextRun && Date.parse(job.nextRun) > soon)
    .sort((a, b) => a.nextRun.localeCompare(b.nextRun));
  return html`
    <section aria-labelledby="next">
      <h2 id="next">What comes next?</h2>
      ${table('Next runs of the jobs', [
        { name: 'Job', cell: (job) => job.name },
        { name: 'Next run', cell: (job) => html`<span title=${time(job.nextRun)}>${ago(job.nextRun, status.now)}</span>` },
        { name: 'Last start', cell: (job) => ago(job.lastStart, status.now) },
      ], jobs.slice(0, 8), 'No job is scheduled but those that run all the time.')}
      <p><a href="#/policies">What each policy will take</a></p>
    </section>`;
}

export function view(data, context) {
  const { status } = data;
  return html`
    <section aria-labelledby="problems"><h2 id="problems">What needs you</h2>${problemList(status.problems)}</section>
    <div class="columns">${risk(data)}${saving(data)}${work(data, context)}${next(data)}</div>
    <section aria-labelledby="cluster">
      <h2 id="cluster">The cluster</h2>
      ${facts([
        ['HDFS', status.nameservice],
        ['DataNodes', status.hdfs ? html`${things(status.hdfs.live, 'live node')}${status.hdfs.dead + status.hdfs.silent > 0 ? html`, <a href="#/nodes">${count(status.hdfs.dead)} dead, ${count(status.hdfs.silent)} silent</a>` : ''}` : null],
        ['Used', status.hdfs ? bytes(status.hdfs.usedBytes) : null],
        ['Free', status.hdfs ? bytes(status.hdfs.remainingBytes) : null],
        ['Ownership', badge(status.owner.state)],
        ['Up', ago(status.startedAt, status.now).replace(' ago', '')],
      ])}
    </section>`;
}
