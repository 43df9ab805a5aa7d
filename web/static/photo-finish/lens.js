// @ts-check
// The lens of a photo finish: the marks that decide, on their own scale, so that one sees why.
import { s } from "../lib/dom.js";
import { duration, uncertainty } from "../lib/words.js";
import { niceStep, place } from "./layout.js";

/** @param {Page.Strip} strip */
function boxOf(strip) {
  const w = Math.min(strip.width - 2, strip.em * 27);
  const middle = strip.x(strip.close[strip.close.length - 1].t_ns);
  return { w, x: Math.min(Math.max(1, middle - w * 0.6), strip.width - w - 1) };
}

/**
 * Draw the rays from the place on the axis to the lens.
 *
 * @param {Page.Strip} strip
 * @param {SVGElement} svg
 * @param {number} axis
 * @param {number} height
 */
export function ray(strip, svg, axis, height) {
  const { em } = strip;
  const box = boxOf(strip);
  const x = strip.x(strip.close[strip.close.length - 1].t_ns);
  const left = Math.min(Math.max(x - em * 1.6, box.x + em), box.x + box.w - em * 4.2);
  svg.append(
    s("path", {
      class: "pf-ray",
      d: `M${left} ${height - 1}L${x} ${axis - em * 0.6}L${left + em * 3.2} ${height - 1}`,
    }),
  );
}

/**
 * Draw the lens: the last marks of *strip* on a scale of their own, each with its band.
 *
 * @param {Page.Strip} strip
 * @param {SVGElement} svg
 * @param {number} height
 */
export function lens(strip, svg, height) {
  const { em, close } = strip;
  const box = boxOf(strip);
  const from = Math.min(...close.map((mark) => mark.t_ns - strip.halfOf(mark)));
  const to = Math.max(...close.map((mark) => mark.t_ns + strip.halfOf(mark)));
  const span = Math.max(1, to - from);
  const inner = box.w - em * 2;
  const scale = (inner * 0.62) / span;
  const x = (/** @type {number} */ ns) => box.x + em + inner * 0.19 + (ns - from) * scale;
  const axis = em * 2.95;
  svg.append(s("rect", { class: "pf-lens", x: box.x, y: 1, width: box.w, height: height - 2, rx: em * 0.7 }));
  svg.append(s("line", { class: "pf-axis", x1: box.x + em, x2: box.x + box.w - em, y1: axis, y2: axis }));
  for (const mark of close) {
    const group = s("g", { class: mark.last && !strip.dead_heat ? "pf-last" : "" });
    const wide = Math.max(2, strip.halfOf(mark) * 2 * scale);
    group.append(
      s("rect", {
        class: "pf-band",
        x: x(mark.t_ns) - wide / 2,
        width: wide,
        y: axis - em * 0.75,
        height: em * 1.5,
        rx: 2,
      }),
    );
    svg.append(group);
  }
  if (strip.dead_heat) {
    const left = Math.max(...close.map((mark) => mark.t_ns - strip.halfOf(mark)));
    const right = Math.min(...close.map((mark) => mark.t_ns + strip.halfOf(mark)));
    if (right > left)
      svg.append(
        s("rect", {
          class: "pf-both",
          x: x(left),
          width: Math.max(2, (right - left) * scale),
          y: axis - em * 0.75,
          height: em * 1.5,
        }),
      );
  }
  for (const mark of close) {
    const group = s("g", { class: mark.last && !strip.dead_heat ? "pf-last" : "" });
    group.append(
      s("line", {
        class: "pf-hand",
        x1: x(mark.t_ns),
        x2: x(mark.t_ns),
        y1: axis - em,
        y2: axis + em,
        "stroke-width": Math.max(2.5, em * 0.17),
      }),
    );
    svg.append(group);
  }
  names(strip, svg, box, x, axis);
  caption(strip, svg, box, axis, scale);
}

/**
 * Names when they fit side by side, cut when they nearly do, else numbers.
 *
 * @param {Page.Strip} strip
 * @param {SVGElement} svg
 * @param {Page.Box} box
 * @param {(ns: number) => number} x
 * @param {number} axis
 */
function names(strip, svg, box, x, axis) {
  const { em, close } = strip;
  const inside = { lo: box.x + em * 0.4, hi: box.x + box.w - em * 0.4, levels: 1, gap: em * 0.5 };
  const room = (inside.hi - inside.lo - inside.gap * (close.length - 1)) / close.length - em * 2;
  const labels = close.map((mark) => {
    const name =
      close.length > 4 ? "" : strip.measure(mark.player, em, 600) <= room ? mark.player : strip.fit(mark.player, room);
    const w = em * 1.6 + (name ? em * 0.4 + strip.measure(name, em, 600) : 0);
    return { mark: { ...mark, last: mark.last && !strip.dead_heat }, name, w, x: x(mark.t_ns) };
  });
  const slack = labels.reduce((sum, label) => sum + label.w + inside.gap, -inside.gap) <= inside.hi - inside.lo;
  const shown = slack ? labels : labels.map((label) => ({ ...label, name: "", w: em * 1.6 }));
  for (const label of place(shown, inside).placed) strip.drawLabel(svg, label, axis - em * 1.8, true);
}

/**
 * @param {Page.Strip} strip
 * @param {SVGElement} svg
 * @param {Page.Box} box
 * @param {number} axis
 * @param {number} scale
 */
function caption(strip, svg, box, axis, scale) {
  const { em } = strip;
  const y = axis + em * 2.1;
  const words =
    strip.margin_ns == null
      ? ""
      : `${duration(strip.margin_ns)}${strip.u_ns == null ? "" : ` ± ${uncertainty(strip.u_ns)}`}`;
  svg.append(strip.word("pf-gap", box.x + em, y, words, "start", em));
  // A ruler of its own, since this is another scale.
  const step = niceStep((box.w * 0.3) / scale, 2);
  const long = step * scale;
  const left = box.x + box.w - em - long;
  svg.append(s("path", { class: "pf-measure", d: `M${left} ${y - em * 0.7}v${em * 0.7}h${long}v${-em * 0.7}` }));
  svg.append(strip.word("pf-scale", left - em * 0.4, y, duration(step), "end", Math.max(12, em * 0.9)));
}
