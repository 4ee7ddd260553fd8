// SPDX-License-Identifier: Apache-2.0
// What all pages are made of. Everything from the daemon is text, and never becomes markup.

import { html, nothing, svg } from './lib/lit-html.js';
import { count, percent, time, words } from './format.js';

/**
 * The person who looks, and all that a page is shown with.
 * @typedef {RaidApi.Me & {may: (role: RaidApi.Me['role']) => boolean}} Me
 * @typedef {{query: Record<string, string>, me: Me, show: () => void}} Context
 */

/** Levels of urgency; each has a word or a sign besides its colour. */
const LEVELS = {
  HEALTHY: 'good', LIVE: 'good', DONE: 'good', RAIDED: 'good', HELD: 'good',
  DEGRADED: 'warn', SILENT: 'warn', POSTPONED: 'warn', PARTLY_DONE: 'warn', WAITING: 'warn', PARKED: 'warn',
  OUT_OF_SERVICE: 'warn', MISSING: 'bad', CORRUPT: 'bad', UNRECOVERABLE: 'bad', DEAD: 'bad', FAILED: 'bad', LOST: 'bad',
};

/** @param {string} state */
export function badge(state) {
  return html`<span class="badge ${LEVELS[state] ?? 'plain'}">${words(state)}</span>`;
}

/**
 * @template T
 * @param {string} caption what the table lists; read out, and shown above it
 * @param {{name: string, cell: (row: T) => unknown, number?: boolean}[]} columns
 * @param {T[]} rows
 * @param {string} empty what it means that there are none
 */
export function table(caption, columns, rows, empty) {
  if (rows.length === 0) {
    return html`<p class="empty">${empty}</p>`;
  }
  return html`
    <div class="scroll" tabindex="0" role="region" aria-label=${caption}>
      <table>
        <caption>${caption}</caption>
        <thead>
          <tr>${columns.map((column) => html`<th scope="col" class=${column.number ? 'number' : ''}>${column.name}</th>`)}</tr>
        </thead>
        <tbody>
          ${rows.map((row) => html`<tr>${columns.map((column) => html`<td class=${column.number ? 'number' : ''}>${column.cell(row)}</td>`)}</tr>`)}
        </tbody>
      </table>
    </div>`;
}

/**
 * An instant that does not break.
 * @param {string | null | undefined} instant
 */
export function when(instant) {
  return instant ? html`<time datetime=${instant}>${time(instant)}</time>` : '–';
}

/** @param {[string, unknown][]} entries */
export function facts(entries) {
  return html`<dl class="facts">${entries.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value ?? '–'}</dd></div>`)}</dl>`;
}

/**
 * A bar of parts of a whole, with its numbers as text.
 * @param {string} label
 * @param {{name: string, value: number, level: string}[]} parts
 * @param {(value: number) => string} format
 */
export function shares(label, parts, format = count) {
  const whole = parts.reduce((sum, part) => sum + part.value, 0);
  let from = 0;
  return html`
    <figure class="shares">
      <figcaption>${label}</figcaption>
      ${whole > 0
        ? svg`<svg viewBox="0 0 100 6" preserveAspectRatio="none" role="img" aria-label=${label}>
            ${parts.map((part) => {
              const x = from;
              const width = (100 * part.value) / whole;
              from += width;
              return svg`<rect class=${part.level} x=${x} y="0" width=${width} height="6"></rect>`;
            })}</svg>`
        : nothing}
      <ul>${parts.map((part) => html`<li><span class="key ${part.level}" aria-hidden="true"></span>${part.name}: <b>${format(part.value)}</b>${whole > 0 ? ` (${percent(part.value, whole)})` : ''}</li>`)}</ul>
    </figure>`;
}

/**
 * A line over time, with its first and last value as text.
 * @param {string} label
 * @param {{at: number, value: number}[]} points in the order of their times
 * @param {(value: number) => string} format
 * @param {string} empty what it means that there are fewer than two
 */
export function line(label, points, format, empty) {
  if (points.length < 2) {
    return html`<p class="empty">${empty}</p>`;
  }
  const first = points[0];
  const last = points[points.length - 1];
  const top = Math.max(...points.map((point) => point.value), 1);
  const x = (point) => (100 * (point.at - first.at)) / (last.at - first.at);
  const y = (point) => 40 - (38 * Math.max(0, point.value)) / top;
  const path = points.map((point) => `${x(point).toFixed(2)},${y(point).toFixed(2)}`).join(' ');
  const day = (point) => new Date(point.at).toISOString().slice(0, 10);
  return html`
    <figure>
      <figcaption>${label}: from ${format(first.value)} on ${day(first)} to ${format(last.value)} on ${day(last)}; at most ${format(top)}</figcaption>
      ${svg`<svg class="chart" viewBox="0 0 100 40" preserveAspectRatio="none" role="img" aria-label=${label}>
        <polygon class="area" points=${`0,40 ${path} 100,40`}></polygon>
        <polyline class="line" points=${path}></polyline></svg>`}
      <div class="axis ends" aria-hidden="true"><span>${day(first)}</span><span>${day(last)}</span></div>
    </figure>`;
}

/** @param {number} inode @param {string} path */
export function fileLink(inode, path) {
  return html`<a class="path" href="#/file?inode=${inode}" dir="auto"><bdi>${path}</bdi></a>`;
}

/** What an operator has asked for. */
const WANTED = new Set(['PAUSED', 'WITHDRAWING', 'WITHDRAWN', 'WINDOWS_OVERRIDDEN']);

/** @param {RaidApi.Problem[]} problems @param {string} otherwise what to say if there are none */
export function problemList(problems, otherwise) {
  return problems.length === 0
    ? html`<p class="all-well"><span aria-hidden="true">✓</span> ${otherwise}</p>`
    : html`<ul class="problems">${problems.map(
        (problem) => html`<li><b class=${WANTED.has(problem.code) ? 'wanted' : ''}>${words(problem.code)}</b> ${problem.message}${problem.hint ? html`<br><span class="hint">${problem.hint}</span>` : nothing}</li>`,
      )}</ul>`;
}

/** @param {string} path @param {Record<string, string>} query @param {string | null} next */
export function nextPage(path, query, next) {
  if (!next) {
    return nothing;
  }
  const all = new URLSearchParams(Object.entries(query).filter(([, value]) => value));
  all.set('cursor', next);
  return html`<p><a class="button" href="#/${path}?${all}">Next page</a></p>`;
}
