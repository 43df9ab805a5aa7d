// @ts-check
// Who is named on a photo finish, and where: a name stands whole, or the number of its seat stands for it.
import { place, sparse } from "./layout.js";

/** @typedef {Page.Label & Page.Box & { mark: Api.Mark; level: number }} Placed */

const SMALLEST = 12; // pixels; a name that is wider even so is cut

/**
 * Return the label of *mark*, *room* pixels wide at the most, with its name as large as that allows.
 *
 * @template {{ player: string }} M
 * @param {Page.Strip} strip
 * @param {M} mark
 * @param {number} room
 */
export function labelled(strip, mark, room) {
  const { em } = strip;
  const whole = strip.measure(mark.player, em, 600);
  const size = whole <= room - em * 2 ? em : SMALLEST;
  const name = strip.fit(mark.player, room - em * 2, size);
  return { mark, name, size, w: em * (name ? 2 : 1.6) + strip.measure(name, size, 600) };
}

/**
 * Place *marks* above the axis of *strip*: all with their names if there is room, else as many as have room.
 *
 * @param {Page.Strip} strip
 * @param {Api.Mark[]} marks
 */
export function above(strip, marks) {
  const { em } = strip;
  const bounds = { lo: 0, hi: strip.reach, gap: em * 0.35 };
  const labels = marks.map((mark) => ({ ...labelled(strip, mark, bounds.hi), x: strip.x(mark.t_ns) }));
  for (const [levels, far] of [
    [2, 2.2],
    [3, 3.5],
  ]) {
    const result = place(labels, { ...bounds, levels });
    if (result.fits && result.moved <= far * em) return result;
  }
  const bare = numbered(em);
  for (const [levels, far] of [
    [3, 3.5],
    [3, 6],
    [4, Infinity],
  ]) {
    const result = sparse(labels, { ...bounds, levels }, far * em, bare);
    if (result) return result;
  }
  return place(labels.map(bare), { ...bounds, levels: 5 });
}

/**
 * Place those who decide in the lens of *strip*, where *x* says: side by side, else one above the other.
 *
 * @param {Page.Strip} strip
 * @param {(ns: number) => number} x
 */
export function within(strip, x) {
  const { em, close } = strip;
  const bounds = { lo: em * 0.4, hi: strip.width - em * 0.4, gap: em * 0.5 };
  const labels = close.map((mark) => {
    const shown = { ...mark, last: mark.last && !strip.dead_heat };
    return { ...labelled(strip, shown, bounds.hi - bounds.lo), x: x(mark.t_ns) };
  });
  const beside = place(labels, { ...bounds, levels: 1 });
  if (beside.fits) return beside;
  const given = { ...bounds, levels: 2 };
  return sparse(labels, given, Infinity, numbered(em)) ?? place(labels.map(numbered(em)), given);
}

/** @param {number} em */
const numbered =
  (em) =>
  /**
   * @template {{ name: string; w: number }} L
   * @param {L} label
   */
  (label) => ({ ...label, name: "", w: em * 1.6 });
