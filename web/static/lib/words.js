// @ts-check
// The page's language: sentences come translated in the page itself, numbers are written as the language writes them.
const source = document.getElementById("words");
/** @type {Record<string, string>} */
const WORDS = source ? JSON.parse(source.textContent ?? "{}") : {};
export const LANG = document.documentElement.lang || "en";
// Chromium knows Bosnian by name alone, and writes 1.5 and "M11" for it; Serbian in Latin letters has the same.
/** @type {Record<string, string>} */
const BY = { bs: "sr-Latn", en: "en-GB" };
export const WRITTEN = BY[LANG] ?? LANG; // by whose rules numbers, dates and lists are written
// As people of that language write the hour where this browser is: 18:24 in London, 6:24 PM in Boston.
const PLACE = globalThis.navigator?.languages?.find((one) => one.split("-")[0] === LANG) ?? LANG;

/**
 * Return the sentence *message* in the page's language, its {fields} filled from *params*.
 *
 * @param {string} message
 * @param {Record<string, unknown>} [params]
 */
export function t(message, params = {}) {
  return (WORDS[message] ?? message).replace(
    /\{(\w+)\}/g,
    (field, /** @type {string} */ name) => written(params[name]) ?? field,
  );
}

/**
 * Return *number* with a minus as wide as its plus, not a hyphen.
 *
 * @param {string | number} number
 */
export const trueMinus = (number) => String(number).replace("-", "−");

const decimals = new Intl.NumberFormat(WRITTEN, { useGrouping: false });

/** @param {unknown} value */
const written = (value) =>
  typeof value === "number" ? trueMinus(decimals.format(value)) : value == null ? null : String(value);
const hundredths = new Intl.NumberFormat(WRITTEN, { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/**
 * Return *value* as a list of points writes it: always two decimals.
 *
 * @param {number} value
 */
export const points = (value) => hundredths.format(value);
const three = new Intl.NumberFormat(WRITTEN, { maximumSignificantDigits: 3 });
const exact = new Intl.NumberFormat(WRITTEN, { maximumFractionDigits: 3 });
/** @type {[Page.Unit, Page.Unit, Page.Unit]} */
const UNITS = [
  [1e9, "s"],
  [1e6, "ms"],
  [1e3, "µs"],
];
const NARROW = "\u202f";

/**
 * Return the largest sensible unit of *ns*, as [nanoseconds in it, its name].
 *
 * @param {number} ns
 */
export function unitOf(ns) {
  const size = Math.abs(ns);
  if (size >= 999_500_000) return UNITS[0];
  return size >= 999_500 ? UNITS[1] : UNITS[2];
}

/**
 * Return *ns* as people read it, three figures in the largest sensible unit: on an axis, or how long something took.
 * What a time is sure to, and the time beside it, the table writes (`web/encoding.py`).
 *
 * @param {number} ns
 */
export function duration(ns) {
  const [size, unit] = unitOf(ns);
  return `${three.format(ns / size)}${NARROW}${unit}`;
}

/**
 * Return *ns* in *unit* (a pair of unitOf), to the last microsecond.
 *
 * @param {number} ns
 * @param {Page.Unit} given
 * @param {boolean} [named]
 */
export function inUnit(ns, [size, unit], named = true) {
  return trueMinus(exact.format(ns / size)) + (named ? `${NARROW}${unit}` : "");
}

/**
 * Return the wall clock time of *seconds* since 1970.
 *
 * @param {number} seconds
 */
export function clockTime(seconds) {
  return new Date(seconds * 1000).toLocaleTimeString(PLACE, { hour: "2-digit", minute: "2-digit" });
}

/**
 * Return the date of *ms* since 1970, with the day before the month: 23 November 2026.
 *
 * @param {number} ms
 */
export function longDate(ms) {
  return new Date(ms).toLocaleDateString(WRITTEN, { dateStyle: "long" });
}

/**
 * Return *name* in *most* letters, of which none is cut in two: many a sign is two of JavaScript's own.
 *
 * @param {string} name
 * @param {number} most
 */
export function clip(name, most) {
  const letters = [...name];
  if (letters.length <= most) return name;
  const kept = letters.slice(0, most - 1).join("");
  return `${kept.trimEnd()}…`;
}

/**
 * Return *names* as a list in a sentence.
 *
 * @param {string[]} names
 */
export const list = (names) => new Intl.ListFormat(WRITTEN, { type: "conjunction" }).format(names);
