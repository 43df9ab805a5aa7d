// @ts-check
// The lens of a photo finish: a wedge from the last marks to the whole width, where they have a scale of their own.
import { s } from "../lib/dom.js";
import { within } from "./labels.js";

const FLAT = 4.7; // how high the lens is with the margin between its marks, in letters
export const DEEP = 5.9; // and with the margin below them
const NAMES = 1.7; // and how much higher where one name stands above the other

/**
 * Return where the marks that decide lie in the lens of *strip*, in pixels, and whether the margin fits between them.
 *
 * @param {Page.Strip} strip
 */
function scaled(strip) {
  const { close, em, width } = strip;
  const from = Math.min(...close.map((mark) => mark.t_ns - strip.halfOf(mark)));
  const to = Math.max(...close.map((mark) => mark.t_ns + strip.halfOf(mark)));
  const inner = width - em * 2;
  const perNs = (inner * 0.62) / Math.max(1, to - from);
  const x = (/** @type {number} */ ns) => em + inner * 0.19 + (ns - from) * perNs;
  const [one, two] = close.slice(-2);
  const free = x(two.t_ns) - x(one.t_ns) - (strip.halfOf(one) + strip.halfOf(two)) * perNs;
  const between = close.length === 2 && free > strip.measure(strip.gap, em, 650) + em * 2.4;
  const names = within(strip, x);
  const more = em * NAMES * (names.used - 1);
  return { x, perNs, between, names: names.placed, more, high: em * (between ? FLAT : DEEP) + more };
}

/**
 * Return how high the lens of *strip* is.
 *
 * @param {Page.Strip} strip
 */
export const lensHeight = (strip) => scaled(strip).high;

/**
 * Draw the wedge from the last marks on the *axis* of *strip* to the lens at *top*, and the lens.
 *
 * @param {Page.Strip} strip
 * @param {SVGElement} svg
 * @param {number} axis
 * @param {number} top
 */
export function wedge(strip, svg, axis, top) {
  const { close, em, width } = strip;
  const [left, right] = [strip.x(close[0].t_ns) - em * 0.45, strip.x(close[close.length - 1].t_ns) + em * 0.45];
  const bottom = top + lensHeight(strip) - 1;
  const r = em * 0.6;
  const down = `L${width - 1} ${top}V${bottom - r}q0 ${r} ${-r} ${r}H${1 + r}q${-r} 0 ${-r} ${-r}V${top}Z`;
  const path = s("path", { class: "pf-lens", d: `M${left} ${axis}H${Math.min(right, width - 1)}${down}` });
  svg.prepend(path);
}

/**
 * Draw what is in the lens of *strip*: its last marks on a scale of their own, each with its band.
 *
 * @param {Page.Strip} strip
 * @param {SVGElement} svg
 * @param {number} top
 */
export function lens(strip, svg, top) {
  const { em, close } = strip;
  const { x, perNs, between, names, more } = scaled(strip);
  const axis = top + em * 2.95 + more;
  const [y, height] = [axis - em * 0.75, em * 1.5];
  for (const mark of close) {
    const wide = Math.max(2, strip.halfOf(mark) * 2 * perNs);
    const group = s("g", { class: mark.last && !strip.dead_heat ? "pf-last" : "" });
    group.append(s("rect", { class: "pf-band", x: x(mark.t_ns) - wide / 2, width: wide, y, height, rx: 2 }));
    svg.append(group);
  }
  if (strip.dead_heat) {
    const left = Math.max(...close.map((mark) => mark.t_ns - strip.halfOf(mark)));
    const right = Math.min(...close.map((mark) => mark.t_ns + strip.halfOf(mark)));
    const width = Math.max(2, (right - left) * perNs);
    if (right > left) svg.append(s("rect", { class: "pf-both", x: x(left), width, y, height }));
  }
  for (const mark of close) {
    const at = x(mark.t_ns);
    const group = s("g", { class: mark.last && !strip.dead_heat ? "pf-last" : "" });
    const wide = Math.max(2.5, em * 0.17);
    group.append(s("line", { class: "pf-hand", x1: at, x2: at, y1: axis - em, y2: axis + em, "stroke-width": wide }));
    svg.append(group);
  }
  const inside = s("g", { class: "pf-in" });
  for (const label of names) strip.drawLabel(inside, label, axis - em * (1.8 + NAMES * label.level), true);
  svg.append(inside);
  const [one, two] = close.slice(-2);
  const reach = (/** @type {Api.Mark} */ mark) => Math.max(em * 0.3, strip.halfOf(mark) * perNs) + em * 0.5;
  const ends = [x(one.t_ns) + reach(one), x(two.t_ns) - reach(two)];
  if (between) gap(strip, svg, ends, axis);
  else if (strip.gap) {
    const half = strip.measure(strip.gap, em, 650) / 2 + 1;
    const middle = Math.min(Math.max((x(one.t_ns) + x(two.t_ns)) / 2, half), strip.width - half);
    svg.append(strip.word("pf-gap", middle, axis + em * 2.2, strip.gap, "middle", em));
  }
}

/**
 * Write the margin between the last two, with a line to each.
 *
 * @param {Page.Strip} strip
 * @param {SVGElement} svg
 * @param {number[]} ends
 * @param {number} axis
 */
function gap(strip, svg, [left, right], axis) {
  const { em } = strip;
  const half = strip.measure(strip.gap, em, 650) / 2 + em * 0.6;
  const middle = (left + right) / 2;
  const d = `M${left} ${axis}H${middle - half}M${middle + half} ${axis}H${right}`;
  svg.append(s("path", { class: "pf-measure", d }));
  svg.append(strip.word("pf-gap", middle, axis + em * 0.35, strip.gap, "middle", em));
}
