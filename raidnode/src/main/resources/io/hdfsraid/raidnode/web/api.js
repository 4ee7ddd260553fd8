// SPDX-License-Identifier: Apache-2.0
// Asks the daemon that has served this page. A token stays in this tab, and goes to no other host.

// Below /ns/NAME/, if the daemon guards several nameservices.
const BELOW = new URL('.', document.baseURI).pathname;
const ROOT = `${BELOW}api/v1/`;
/** The nameservice that the page shows; empty if there is only one. */
export const NAMESERVICE = BELOW.split('/')[2] ?? '';
const TOKEN = 'raidnode-token';
const PATIENCE = 3000; // with the two seconds between two looks: a silent daemon shows within five

/** A request that was refused or failed, with what to do about it. */
export class Problem extends Error {
  /**
   * @param {number} status 0 if there was no answer
   * @param {string} message
   * @param {string} hint
   * @param {RaidApi.ApiError['change']} change
   */
  constructor(status, message, hint = '', change = null) {
    super(message);
    this.status = status;
    this.hint = hint;
    this.change = change;
  }
}

export function hasToken() {
  return sessionStorage.getItem(TOKEN) !== null;
}

/** @param {string} token empty to forget it */
export function useToken(token) {
  if (token) {
    sessionStorage.setItem(TOKEN, token);
  } else {
    sessionStorage.removeItem(TOKEN);
  }
}

/**
 * A change that the page can ask for, and what the daemon answers to it.
 * @typedef {{[P in keyof RaidApi.Changes]: {title: string, path: P, body: RaidApi.Changes[P]['body'], method?: string}}[keyof RaidApi.Changes]} Action
 * @typedef {RaidApi.ChangePreview | RaidApi.SettingsReport | RaidApi.WindowsReport} Plan
 */

/** @param {Record<string, any>} query what is null, undefined or empty is left out */
function address(path, query) {
  const given = Object.entries(query).filter(([, value]) => value !== null && value !== undefined && value !== '');
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return ROOT + path + (text ? `?${text}` : '');
}

/**
 * @param {string} method
 * @param {string} url
 * @param {{body?: any, reason?: string, patience?: number}} options text is sent as YAML, all else as JSON
 */
async function send(method, url, { body, reason, patience = PATIENCE } = {}) {
  /** @type {Record<string, string>} */
  const headers = { Accept: 'application/json' };
  const token = sessionStorage.getItem(TOKEN);
  if (token) {
    headers.Authorization = `Bearer ${token}`;
  }
  if (body !== undefined) {
    headers['Content-Type'] = typeof body === 'string' ? 'text/yaml' : 'application/json';
  }
  if (reason) {
    headers['X-Reason'] = reason;
  }
  let response;
  try {
    response = await fetch(url, {
      method,
      headers,
      body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
      cache: 'no-store',
      signal: AbortSignal.timeout(patience),
    });
  } catch (e) {
    throw new Problem(0, e instanceof DOMException && e.name === 'TimeoutError' ? 'The RaidNode does not answer in time' : 'The RaidNode does not answer');
  }
  const text = await response.text();
  let answer = null;
  try {
    answer = text ? JSON.parse(text) : null;
  } catch {
    throw new Problem(response.status, `The answer of ${url} is no JSON`);
  }
  if (!response.ok) {
    throw new Problem(response.status, answer?.detail ?? response.statusText, answer?.hint, answer?.change);
  }
  return answer;
}

/**
 * The types of all answers come from the description of the API.
 * @template {keyof RaidApi.Answers & string} P
 * @param {P} path below /api/v1/
 * @param {RaidApi.Query<P>} [query]
 * @param {number} [patience] milliseconds
 * @returns {Promise<RaidApi.Answers[P]>}
 */
export function get(path, query, patience = PATIENCE) {
  return send('GET', address(path, query ?? {}), { patience });
}

/**
 * Asks which nameservices the daemon guards; none if there is only one.
 * @returns {Promise<string[]>}
 */
export function nameservices() {
  return NAMESERVICE ? send('GET', '/ns/') : Promise.resolve([]);
}

/**
 * Asks what the daemon would say of a text in YAML. Changes nothing.
 * @param {'policies/validate'} path
 * @param {string} text
 * @returns {Promise<RaidApi.Changes['policies/validate']['answer']>}
 */
export function validate(path, text) {
  return send('POST', address(path, {}), { body: text, patience: 15000 });
}

/**
 * Sends a change, or shows what it would do if `dryRun` is true in the body.
 * @param {Action['path']} path
 * @param {Record<string, unknown>} body
 * @param {string} reason
 * @param {string} method
 * @returns {Promise<Plan>}
 */
export function change(path, body, reason = '', method = 'POST') {
  return send(method, address(path, {}), { body, reason, patience: 60000 });
}
