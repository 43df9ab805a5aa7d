// @ts-check
// The photo finish in slow motion: marks land in true proportion, then the lens opens on what decides, then the ±.
import { s } from "../lib/dom.js";
import { ems, unit_px } from "../lib/fit.js";
import { inUnit, t, unitOf } from "../lib/words.js";
import { bands, closest, place, sparse, ticks } from "./layout.js";
import { timeline } from "./timeline.js";

const CLOSER = 1.4; // how much higher the lens is where one name stands above the other

/**
 * Return *shape* as it appears *at_s* seconds into the show.
 *
 * @template {SVGElement} E
 * @param {E} shape
 * @param {number} at_s
 */
function appears(shape, at_s) {
  shape.classList.add("an");
  shape.style.setProperty("--d", `${at_s.toFixed(2)}s`);
  return shape;
}

class Replay {
  /**
   * @param {HTMLElement} root
   * @param {Api.PhotoFinish} finish
   * @param {boolean} decided
   * @param {number} em how large its letters are at the most, in pixels
   */
  constructor(root, finish, decided, em) {
    this.root = root;
    this.finish = finish;
    this.width = Math.max(200, root.clientWidth);
    this.em = Math.min(em, this.width / 22);
    this.close = closest(finish.marks, finish.margin_ns);
    this.end_ns = Math.max(0, ...finish.marks.map((mark) => mark.t_ns));
    this.times = timeline(this.end_ns);
    this.heat = finish.dead_heat;
    this.absent = decided && !finish.marks.some((mark) => mark.last) && finish.missing.length === 1;
    const gone = finish.missing.length ? this.width * 0.16 : 0;
    this.left = this.em * 0.8;
    this.right = this.width - this.em * 1.6 - gone;
    this.axis = this.em * 3.1;
    this.narrow = this.width < this.em * 30;
    this.inLens = this.lensNames();
    const more = CLOSER * Math.max(0, this.inLens.used - 1);
    this.high = this.em * (this.close.length > 1 ? (this.narrow ? 10.8 : 9.2) + more : 4.8);
  }

  /** @param {number} t_ns */
  x(t_ns) {
    return this.end_ns ? this.left + (t_ns / this.end_ns) * (this.right - this.left) : this.left;
  }

  /** @param {Api.Mark} mark */
  last(mark) {
    return mark.last && !this.heat;
  }

  /**
   * @param {string} style
   * @param {number} x
   * @param {number} y
   * @param {string} words
   * @param {number} size
   * @param {string} [anchor]
   */
  word(style, x, y, words, size, anchor = "middle") {
    const element = s("text", { class: style, x, y, "text-anchor": anchor, "font-size": size });
    element.textContent = words;
    return element;
  }

  /** @param {string} says */
  svg(says) {
    const { width, high } = this;
    const svg = s("svg", {
      class: "replay",
      viewBox: `0 0 ${width} ${high}`,
      width,
      height: high,
      role: "img",
      "aria-label": says,
    });
    if (this.close.length > 1) this.wedge(svg);
    this.scale(svg);
    this.marks(svg);
    this.missing(svg);
    if (this.close.length > 1) this.lens(svg);
    return svg;
  }

  /** @param {SVGElement} svg */
  scale(svg) {
    const { em, axis, left, right } = this;
    svg.append(s("line", { class: "rp-axis", x1: left, x2: right, y1: axis, y2: axis }));
    const unit = unitOf(this.end_ns || 1e6);
    const all = ticks(this.end_ns, Math.max(1, (right - left) / (em * 9)));
    for (const [i, ns] of all.entries()) {
      const x = this.x(ns);
      svg.append(s("line", { class: "rp-axis", x1: x, x2: x, y1: axis, y2: axis + em * 0.35 }));
      svg.append(this.word("rp-scale", x, axis + em * 1.25, i ? inUnit(ns, unit) : "0", em * 0.78));
    }
  }

  /** Place the names above the axis: all if there is room, else those that have it. */
  names() {
    const { em } = this;
    const inLens = new Set(this.close.map((mark) => mark.seat));
    const labels = this.finish.marks
      .filter((mark) => !inLens.has(mark.seat))
      .map((mark) => this.named(mark, this.x(mark.t_ns), em));
    const bounds = { lo: 0, hi: this.absentee ? this.absentee.from - em * 0.6 : this.right + em, gap: em * 0.8 };
    const one = place(labels, { ...bounds, levels: 1 });
    if (one.fits && one.moved <= em * 2) return one.placed;
    return sparse(labels, { ...bounds, levels: 2 }, em * 2.4)?.placed ?? [];
  }

  /**
   * @param {Api.Mark} mark
   * @param {number} x
   * @param {number} size
   */
  named(mark, x, size) {
    return { mark, name: mark.player, x, w: ems(this.root, mark.player) * size * 1.1 };
  }

  /** @param {SVGElement} svg */
  marks(svg) {
    const { em, axis } = this;
    // The upper ones first: a name covers the lines that lead past it.
    for (const label of this.names().sort((a, b) => b.level - a.level)) {
      const y = axis - em * (0.75 + 1.15 * label.level);
      const x = this.x(label.mark.t_ns);
      const group = s("g", {});
      if (label.level) group.append(s("path", { class: "rp-lead", d: `M${x} ${axis}L${label.at} ${y + em * 0.15}` }));
      group.append(
        this.word(`rp-name rp-above${this.last(label.mark) ? " rp-last" : ""}`, label.at, y, label.name, em),
      );
      svg.append(appears(group, this.times.at(label.mark.t_ns)));
    }
    const few = this.finish.marks.length <= 13;
    for (const mark of [...this.finish.marks].sort((a, b) => Number(a.last) - Number(b.last))) {
      const style = this.last(mark) ? "rp-dot rp-last" : "rp-dot";
      const r = em * (few ? 0.36 : 0.26);
      svg.append(appears(s("circle", { class: style, cx: this.x(mark.t_ns), cy: axis, r }), this.times.at(mark.t_ns)));
    }
    const head = s("line", { class: "rp-head", x1: 0, x2: 0, y1: axis - em * 0.6, y2: axis + em * 0.6 });
    for (const [name, value] of [
      ["--from", `${this.left}px`],
      ["--to", `${this.right}px`],
      ["--run", `${(this.times.end - this.times.at(0)).toFixed(2)}s`],
      ["--d", `${this.times.at(0).toFixed(2)}s`],
    ])
      head.style.setProperty(name, value);
    svg.append(head);
  }

  /** Return how those are called who have not pressed, how large, and where that begins; null when all have. */
  get absentee() {
    const { missing } = this.finish;
    if (!missing.length) return null;
    const name = missing.length > 1 ? t("{n} not yet", { n: missing.length }) : missing[0][1];
    const wide = ems(this.root, name) * 1.1;
    const size = Math.min(this.em, (this.width * 0.5) / wide);
    return { name, size, from: this.width - wide * size };
  }

  /**
   * Who has not pressed: the line goes on in dots, and there they sit.
   *
   * @param {SVGElement} svg
   */
  missing(svg) {
    const { em, axis, right, width, absentee } = this;
    if (!absentee) return;
    svg.append(s("line", { class: "rp-wait", x1: right + em * 0.6, x2: width, y1: axis, y2: axis }));
    const style = this.absent ? " rp-last" : "";
    const group = s("g", {}, s("circle", { class: `rp-dot${style}`, cx: width - em * 1.2, cy: axis, r: em * 0.36 }));
    group.append(this.word(`rp-name${style}`, width, axis - em * 0.75, absentee.name, absentee.size, "end"));
    if (this.finish.missing.length === 1)
      group.append(this.word("rp-scale", width, axis + em * 1.25, t("not yet"), em * 0.78, "end"));
    svg.append(appears(group, this.times.wedge));
  }

  /** @param {SVGElement} svg */
  wedge(svg) {
    const { em, axis, width, high } = this;
    const [from, to] = [this.close[0], this.close[this.close.length - 1]].map((mark) => this.x(mark.t_ns));
    const [top, r] = [axis + em * 2.2, em * 0.6];
    const d =
      `M${from} ${axis}L0 ${top}V${high - r}a${r} ${r} 0 0 0 ${r} ${r}H${width - r}` +
      `a${r} ${r} 0 0 0 ${r}-${r}V${top}L${to} ${axis}Z`;
    svg.append(appears(s("path", { class: "rp-wedge", d }), this.times.wedge));
  }

  /** Return the scale of the lens, and where and how wide its bands are. */
  scaled() {
    const { width, close } = this;
    const half = bands(this.finish.marks, close, this.finish.u_ns);
    const halfOf = (/** @type {Api.Mark} */ mark) => half.get(mark.seat) ?? 0;
    const first = close[0]?.t_ns ?? 0;
    const span = (close[close.length - 1]?.t_ns ?? 0) - first;
    const widest = Math.max(0, ...close.map(halfOf));
    const scale = Math.min((width * 0.54) / Math.max(1, span), (width * 0.8) / Math.max(1, span + 2 * widest));
    const x = (/** @type {number} */ ns) => width / 2 + (ns - first - span / 2) * scale;
    return { x, scale, halfOf };
  }

  /** @param {SVGElement} svg */
  lens(svg) {
    const { em, width, high, close } = this;
    const { x, scale, halfOf } = this.scaled();
    const bottom = high - em * (this.narrow ? 2.4 : 0.8);
    const top = bottom - em * 2.5;
    for (const [i, mark] of close.entries()) {
      const style = this.last(mark) ? " rp-last" : "";
      const wide = Math.max(em * 0.1, halfOf(mark) * scale);
      const at = x(mark.t_ns);
      const group = s(
        "g",
        {},
        s("rect", { class: `rp-band${style}`, x: at - wide, width: 2 * wide, y: top, height: bottom - top }),
        s("line", { class: `rp-hand${style}`, x1: at, x2: at, y1: top, y2: bottom, "stroke-width": em * 0.17 }),
      );
      svg.append(appears(group, i === close.length - 1 ? this.times.last : this.times.rival));
    }
    for (const label of this.inLens.placed) {
      const style = this.last(label.mark) ? "rp-name rp-last" : "rp-name";
      const y = top - em * (0.45 + CLOSER * label.level);
      const times = label.mark === close[close.length - 1] ? this.times.last : this.times.rival;
      svg.append(appears(this.word(style, label.at, y, label.name, this.inLens.size), times));
    }
    if (this.heat) this.overlap(svg, x, halfOf, top, bottom);
    this.margin(svg, x, (top + bottom) / 2);
    const slow = Math.round(this.times.times);
    if (slow > 1) {
      const words = t("slow motion, {scale}", { scale: `1 : ${slow}` });
      svg.append(appears(this.word("rp-scale", width - em * 0.8, high - em * 0.5, words, em * 0.74, "end"), 0));
    }
  }

  /** Place the names in the lens, whole: side by side, else one above the other, as large as the longest allows. */
  lensNames() {
    const { em, width, close } = this;
    const { x } = this.scaled();
    const longest = Math.max(1, ...close.map((mark) => ems(this.root, mark.player) * 1.1));
    const size = Math.min(em * (close.length > 3 ? 0.95 : 1.25), (width - 2 * em) / longest);
    const labels = close.map((mark) => this.named(mark, x(mark.t_ns), size));
    const bounds = { lo: em, hi: width - em, gap: em * 0.5 };
    const one = place(labels, { ...bounds, levels: 1 });
    const two = one.fits ? null : sparse(labels, { ...bounds, levels: 2 }, Infinity);
    return { ...(two ?? one), size };
  }

  /**
   * @param {SVGElement} svg
   * @param {(ns: number) => number} x
   * @param {(mark: Api.Mark) => number} halfOf
   * @param {number} top
   * @param {number} bottom
   */
  overlap(svg, x, halfOf, top, bottom) {
    const left = Math.max(...this.close.map((mark) => mark.t_ns - halfOf(mark)));
    const right = Math.min(...this.close.map((mark) => mark.t_ns + halfOf(mark)));
    if (right <= left) return;
    const wide = Math.max(2, x(right) - x(left));
    const both = s("rect", { class: "rp-both", x: x(left), width: wide, y: top, height: bottom - top });
    svg.append(appears(both, this.times.margin));
  }

  /**
   * @param {SVGElement} svg
   * @param {(ns: number) => number} x
   * @param {number} y
   */
  margin(svg, x, y) {
    const { em, close, finish, width } = this;
    if (!finish.margin_text) return;
    const [from, to] = [x(close[0].t_ns), x(close[close.length - 1].t_ns)];
    const sure = finish.u_text ? ` ± ${finish.u_text}` : "";
    const size = em * 1.5;
    const words = this.word("rp-gap", 0, y + size * 0.35, finish.margin_text, size);
    const doubt = s("tspan", { class: "rp-sure" });
    doubt.textContent = sure;
    words.append(doubt);
    const wide = (ems(this.root, finish.margin_text) + ems(this.root, sure)) * size * 1.05;
    const inside = !this.narrow && to - from > wide + em * 2.5;
    // Beside them if it does not fit between them; on a narrow screen below.
    if (this.narrow) words.setAttribute("y", String(this.high - em * 0.8));
    words.setAttribute("x", String(this.narrow ? em * 0.6 + wide / 2 : inside ? (from + to) / 2 : (to + width) / 2));
    const group = s("g", {}, words);
    const arm = (to - from - wide) / 2 - em * 1.4;
    if (inside && arm > em * 0.5) {
      const d = `M${from + em * 0.9} ${y}h${arm}M${to - em * 0.9 - arm} ${y}h${arm}`;
      group.append(s("path", { class: "rp-measure", d }));
    }
    svg.append(appears(group, this.times.margin));
  }
}

/**
 * Draw the finish of *state* into *root*; return its timeline, null when there is nothing to see.
 *
 * @param {HTMLElement} root
 * @param {Pick<Api.Snapshot, "finish" | "phase">} state
 * @param {string} says the whole picture in words
 */
export function replay(root, state, says) {
  const { finish } = state;
  if (!finish?.marks.length) {
    root.replaceChildren();
    return null;
  }
  const drawn = (/** @type {number} */ em) => new Replay(root, finish, state.phase !== "void", em);
  let made = drawn(3.7 * unit_px());
  if (root.clientHeight && made.high > root.clientHeight) made = drawn((made.em * root.clientHeight) / made.high);
  root.replaceChildren(made.svg(says));
  return made.times;
}
