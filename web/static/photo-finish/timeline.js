// @ts-check
// When what happens in a replay: nanoseconds in, seconds of the show out. No document.
const FACTORS = [1, 2, 5];
const LONGEST_S = 5;
const BEGIN_S = 0.3;

/**
 * Return by how much a round of *end_ns* is slowed down: a round number, or less than 1 for one that took long.
 *
 * @param {number} end_ns
 */
export function slowness(end_ns) {
  const most = (LONGEST_S * 1e9) / Math.max(1, end_ns);
  if (most < 1) return most;
  const power = 10 ** Math.floor(Math.log10(most));
  const found = [...FACTORS].reverse().find((factor) => factor * power <= most * 1.000001) ?? 1;
  return Math.min(1000, found * power);
}

/**
 * Return the moments of a replay, in seconds: of a mark, of the end of the axis, the lens, the margin, the letter.
 *
 * @param {number} end_ns
 */
export function timeline(end_ns) {
  const times = slowness(end_ns);
  const at = (/** @type {number} */ t_ns) => BEGIN_S + (t_ns * times) / 1e9;
  const end = at(end_ns);
  return { times, at, end, wedge: end + 0.2, rival: end + 0.6, last: end + 1.4, margin: end + 1.9, letter: end + 2.4 };
}
