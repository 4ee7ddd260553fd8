// SPDX-License-Identifier: Apache-2.0
import { html, nothing, svg } from '../lib/lit-html.js';
import { get, validate } from '../api.js';
import { ago, bytes, count, duration, things, time } from '../format.js';
import { facts, table } from '../parts.js';

/** @typedef {import('../parts.js').Context} Context */

export const title = 'Policies';
export const every = 30;

/**
 * Days of the threshold that somebody tries; it changes nothing on the daemon.
 * @type {number | null}
 */
let tried = null;

/**
 * The text that somebody checks, and what the daemon says of it.
 * @type {{text: string, verdict: RaidApi.PoliciesValidation | null, problem: Error | null}}
 */
const draft = { text: '', verdict: null, problem: null };

export async function load() {
  const [policies, plan, histogram, codecs] = await Promise.all([get('policies'), get('plan'), get('histogram', { path: '/' }, 15000), get('codecs')]);
  return { policies, plan, histogram, codecs };
}

/**
 * Bytes by age, with the threshold drawn in: all to its right would be taken.
 * @param {RaidApi.FileHistogram} histogram
 * @param {number} seconds
 */
function coldness(histogram, seconds) {
  const most = Math.max(1, ...histogram.ages.map((age) => age.amount.logicalBytes));
  const width = 100 / histogram.ages.length;
  const at = histogram.ages.filter((age) => age.atLeastSeconds < seconds).length * width;
  return html`
    <figure>
      ${svg`<svg class="chart" viewBox="0 0 100 30" preserveAspectRatio="none" role="img" aria-label="Bytes by age; the table below has the numbers">
        ${histogram.ages.map((age, i) => {
          const height = (28 * age.amount.logicalBytes) / most;
          return svg`<rect class=${age.atLeastSeconds >= seconds ? 'good' : 'plain'} x=${i * width + 0.5} y=${30 - height} width=${width - 1} height=${height}><title>${age.name}: ${bytes(age.amount.logicalBytes)}</title></rect>`;
        })}
        <line class="threshold" x1=${at} x2=${at} y1="0" y2="30"></line></svg>`}
      <figcaption class="axis">${histogram.ages.map((age) => html`<span>${age.name}</span>`)}</figcaption>
    </figure>`;
}

/** @typedef {Awaited<ReturnType<typeof load>>} Data */

/**
 * Tells what raiding these files as a policy does would save, if all of them could be raided.
 * @param {RaidApi.FileHistogramAmount} files
 * @param {RaidApi.PoliciesReportPolicyView | undefined} policy
 * @param {RaidApi.CodecsReport} codecs
 */
function saving(files, policy, codecs) {
  const codec = codecs.codecs.find((each) => each.name === policy?.codec);
  if (!policy || !codec) {
    return '';
  }
  const after = files.logicalBytes * (policy.targetReplication + (codec.overhead - 1) * policy.parityReplication);
  return ` As ${policy.name} raids, with ${codec.name}, that saves up to ${bytes(Math.max(0, files.physicalBytes - after))}.`;
}

/**
 * Tells in a sentence what a threshold would take.
 * @param {RaidApi.FileHistogramAge | undefined} range the first that is old enough
 * @param {RaidApi.PoliciesReportPolicyView | undefined} policy
 * @param {RaidApi.CodecsReport} codecs
 */
function taken(range, policy, codecs) {
  if (!range) {
    return 'It would consider only files that are older than all ranges of the histogram.';
  }
  const { cumulative, atLeastSeconds } = range;
  return cumulative.files === 0
    ? `Every known file was used or changed in the last ${duration(atLeastSeconds)}, so it would consider none.`
    : `It would consider at least ${things(cumulative.files, 'file')} with ${bytes(cumulative.logicalBytes)}: those that nobody has used for ${duration(atLeastSeconds)}.${saving(cumulative, policy, codecs)}`;
}

/** @param {Data} data @param {Context} context */
function threshold(data, context) {
  const { histogram, policies, codecs } = data;
  const raiding = policies.policies.filter((policy) => policy.action === 'raid');
  const days = tried ?? Math.round((raiding[0]?.coldAfterSeconds ?? 60 * 86400) / 86400);
  const seconds = days * 86400;
  const range = histogram.ages.find((age) => age.atLeastSeconds >= seconds);
  return html`
    <section aria-labelledby="cold">
      <h2 id="cold">How cold is the data?</h2>
      <label>Try a threshold: <code>coldAfter: ${days}d</code>
        <input type="range" min="1" max="400" .value=${String(days)} @input=${(event) => { tried = Number(event.target.value); context.show(); }}></label>
      <p class="verdict" aria-live="polite">${taken(range, raiding[0], codecs)}
        ${histogram.accessTimes ? '' : 'No accesses are known, so ages count from the last change.'}</p>
      ${coldness(histogram, seconds)}
      <details><summary>The numbers</summary>
        ${table('Files by age', [
          { name: 'Age', cell: (age) => age.name },
          { name: 'Files', number: true, cell: (age) => count(age.amount.files) },
          { name: 'Bytes', number: true, cell: (age) => bytes(age.amount.logicalBytes) },
          { name: 'Of this age and older', number: true, cell: (age) => bytes(age.cumulative.logicalBytes) },
        ], histogram.ages, 'No file is known yet.')}</details>
    </section>`;
}

/** @param {RaidApi.PoliciesReportPolicyView} policy @param {RaidApi.RaidingPlan} plan */
function policy(policy, plan) {
  const will = plan.policies.find((each) => each.policy === policy.name);
  return html`
    <article>
      <h3>${policy.name}</h3>
      ${facts([
        ['Paths', html`<bdi>${policy.paths.join(', ')}</bdi>`],
        ['Action', policy.action],
        ['Cold after', duration(policy.coldAfterSeconds)],
        ['Codec', policy.codec || null],
        ['Replicas', policy.codec ? `${policy.targetReplication} of the data, ${policy.parityReplication} of the parity` : null],
        ['May act', policy.windows || null],
        ['Next run', policy.nextRun ? html`<span title=${time(policy.nextRun)}>${ago(policy.nextRun)}</span>` : 'with every scan'],
        ['Still to do', will ? html`${things(will.candidates.files, 'file')}, ${bytes(will.candidates.logicalBytes)}: saves ${bytes(will.candidates.beforeBytes - will.candidates.afterBytes)}${will.timeSeconds === null ? nothing : html`, takes ${duration(will.timeSeconds)}`}` : null],
      ])}
    </article>`;
}

/** @param {Context} context */
function editor(context) {
  const check = async (event) => {
    event.preventDefault();
    draft.text = String(new FormData(event.target).get('text') ?? '');
    try {
      draft.verdict = await validate('policies/validate', draft.text);
      draft.problem = null;
    } catch (e) {
      draft.verdict = null;
      draft.problem = /** @type {Error} */ (e);
    }
    context.show();
  };
  /** @param {string} name @param {RaidApi.PoliciesValidationRemark[]} all */
  const remarks = (name, all) => all.length === 0 ? nothing : html`<h4>${name}</h4><ul>${all.map((remark) => html`<li>${remark.key ? html`<code>${remark.key}</code> ` : ''}${remark.message}</li>`)}</ul>`;
  return html`
    <section aria-labelledby="draft">
      <h2 id="draft">Check a policies.yml before you save it</h2>
      <form @submit=${check}>
        <label for="text">Text of the file</label>
        <textarea id="text" name="text" rows="10" spellcheck="false" placeholder="policies:" .value=${draft.text}></textarea>
        <p><button class="primary">Check</button> <span class="hint">The daemon changes nothing. It reads its policies.yml when that file changes.</span></p>
      </form>
      <div role="status">${draft.problem ? html`<p class="error">${draft.problem.message}</p>` : nothing}
        ${draft.verdict ? html`<p class="verdict ${draft.verdict.valid ? '' : 'bad'}">${draft.verdict.valid ? `It is valid, with ${things(draft.verdict.policies, 'policy', 'policies')}.` : 'It cannot be put in force.'}</p>
          ${remarks('Mistakes', draft.verdict.problems)}${remarks('Probably not intended', draft.verdict.warnings)}` : nothing}</div>
    </section>`;
}

/** @param {Data} data @param {Context} context */
export function view(data, context) {
  const { policies, plan } = data;
  return html`
    ${threshold(data, context)}
    <section aria-labelledby="force">
      <h2 id="force">Policies in force</h2>
      <p>They are asked in this order; the first whose paths and conditions match decides. As evaluated ${ago(plan.counted)}.</p>
      ${policies.policies.length === 0 ? html`<p class="empty">There are none. Write some into policies.yml; the daemon takes them up by itself.</p>` : policies.policies.map((each) => policy(each, plan))}
    </section>
    <section aria-labelledby="skipped">
      <h2 id="skipped">What keeps the rest from being raided</h2>
      ${table('Files that stay as they are', [
        { name: 'Reason', cell: (row) => row.reason.toLowerCase().replaceAll('_', ' ') },
        { name: 'Files', number: true, cell: (row) => count(row.files) },
        { name: 'Bytes on disk', number: true, cell: (row) => bytes(row.physicalBytes) },
      ], plan.skipped, 'Nothing is skipped.')}
    </section>
    ${editor(context)}`;
}
