// SPDX-License-Identifier: Apache-2.0
// Numbers and times for people: always with a unit, and a dash for what is unknown.

const UNKNOWN = '–';
const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'];
const COUNT = new Intl.NumberFormat('en');

/** @param {number | null | undefined} value */
export function count(value) {
  return value === null || value === undefined ? UNKNOWN : COUNT.format(value);
}

/**
 * A number of things, in the singular if there is one of them.
 * @param {number} value
 * @param {string} one
 * @param {string} [many]
 */
export function things(value, one, many = one + 's') {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** @param {number | null | undefined} value */
export function bytes(value) {
  if (value === null || value === undefined) {
    return UNKNOWN;
  }
  let amount = Math.abs(value);
  let unit = 0;
  while (amount >= 1024 && unit < UNITS.length - 1) {
    amount /= 1024;
    unit++;
  }
  const digits = unit === 0 || amount >= 100 ? 0 : 1;
  return `${value < 0 ? '-' : ''}${amount.toFixed(digits)} ${UNITS[unit]}`;
}

/** @param {number | null | undefined} seconds */
export function duration(seconds) {
  if (seconds === null || seconds === undefined) {
    return UNKNOWN;
  }
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 120) {
    return `${whole} s`;
  }
  if (whole < 2 * 3600) {
    return `${Math.round(whole / 60)} min`;
  }
  return whole < 2 * 86400 ? `${Math.round(whole / 3600)} h` : `${Math.round(whole / 86400)} days`;
}

/**
 * How long ago an instant is, by the daemon's clock if it is given.
 * @param {string | null | undefined} instant
 * @param {string} [now]
 */
export function ago(instant, now) {
  if (!instant) {
    return UNKNOWN;
  }
  const seconds = ((now ? Date.parse(now) : Date.now()) - Date.parse(instant)) / 1000;
  return seconds < 0 ? `in ${duration(-seconds)}` : `${duration(seconds)} ago`;
}

/** @param {string | null | undefined} instant */
export function time(instant) {
  if (!instant) {
    return UNKNOWN;
  }
  return instant.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC');
}

/** @param {number} part @param {number} whole */
export function percent(part, whole) {
  return whole > 0 ? `${((100 * part) / whole).toFixed(1)} %` : UNKNOWN;
}

/** A constant of the API in words: UNDER_CONSTRUCTION becomes "under construction". */
export function words(constant) {
  return constant ? String(constant).toLowerCase().replaceAll('_', ' ') : UNKNOWN;
}
