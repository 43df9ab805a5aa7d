// @ts-check
// The photo finish in slow motion: marks land in true proportion, then the lens opens on what decides, then the ±.
import { s } from "../lib/dom.js";
import { ems, unit_px } from "../lib/fit.js";
import { inUnit, t, unitOf } from "../lib/words.js";
import { bands, closest, place, sparse, ticks } from "./layout.js";
import { timeline } from "./timeline.js";

// In letters: how high a line of names above the axis is, what lies below it with a lens, and how much higher that is
// where one name stands above the other, and where the margin has no room between its marks.
const LEVEL = 1.15;
const LENS = 6.9;
const CLOSER = 1.4;
const BELOW = 1.5;
const LINE = 1.2; // how much more where how slow it is has no room beside the margin
const [GAP, SMALL] = [1.5, 0.78]; // how large the margin is, and the scale
const BOLD = 600; // as the style has names
const LARGEST = 3.7; // its letters, in hundredths of the screen
const still = matchMedia("(prefers-reduced-motion: reduce)");

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
    this.above = this.names();
    const levels = Math.max(finish.missing.length ? 1 : 0, ...this.above.map((label) => label.level + 1));
    this.axis = this.em * (0.65 + LEVEL * levels);
    this.inLens = this.lensNames();
    this.gap = this.margin();
    this.below = BELOW + (this.crowded ? LINE : 0);
    const more = CLOSER * Math.max(0, this.inLens.used - 1) + (this.gap?.inside === false ? this.below : 0);
    this.high = this.axis + this.em * (this.close.length > 1 ? LENS + more : 1.7);
  }

  /** @param {number} t_ns */
  x(t_ns) {
    return this.end_ns ? this.left + (t_ns / this.end_ns) * (this.right - this.left) : this.left;
  }

  /** Say how much slower than it was it is shown; nothing if it is not, or if it stands still. */
  get slow() {
    const slow = Math.round(this.times.times);
    return slow > 1 && !still.matches ? t("slow motion, {scale}", { scale: `1 : ${slow}` }) : "";
  }

  /** How wide that is, with room before it. */
  get slowWide() {
    return this.slow ? this.em * (1.6 + ems(this.root, this.slow) * SMALL) : 0;
  }

  /** Whether the margin, below its marks, has no room beside how slow it is. */
  get crowded() {
    return this.gap?.inside === false && this.slow !== "" && this.gap.wide + this.em * 1.6 + this.slowWide > this.width;
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
      svg.append(this.word("rp-scale", x, axis + em * 1.25, i ? inUnit(ns, unit) : "0", em * SMALL));
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
    // Few of the longest names fit anyway: the room for a second line of them makes all the rest larger.
    const levels = Math.max(0, ...labels.map((label) => label.w)) > this.width * 0.3 ? 1 : 2;
    return sparse(labels, { ...bounds, levels }, em * 2.4)?.placed ?? [];
  }

  /**
   * @param {Api.Mark} mark
   * @param {number} x
   * @param {number} size
   */
  named(mark, x, size) {
    return { mark, name: mark.player, x, w: ems(this.root, mark.player, BOLD) * size };
  }

  /** @param {SVGElement} svg */
  marks(svg) {
    const { em, axis } = this;
    // The upper ones first: a name covers the lines that lead past it.
    for (const label of [...this.above].sort((a, b) => b.level - a.level)) {
      const y = axis - em * (0.75 + LEVEL * label.level);
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
    const name = missing.length > 1 ? t("Not yet: {players}", { players: missing.length }) : missing[0][1];
    const wide = ems(this.root, name, BOLD);
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
      group.append(this.word("rp-scale", width, axis + em * 1.25, t("not yet"), em * SMALL, "end"));
    svg.append(appears(group, this.times.wedge));
  }

  /** @param {SVGElement} svg */
  wedge(svg) {
    const { em, axis, width, high } = this;
    const [from, to] = [this.close[0], this.close[this.close.length - 1]].map((mark) => this.x(mark.t_ns));
    const [top, r] = [axis + em * 1.9, em * 0.6];
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
    const bottom = high - em * (this.gap?.inside === false ? 0.85 + this.below : 1.25);
    const top = bottom - em * 2.2;
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
    this.measure(svg, this.gap?.inside ? (top + bottom) / 2 : high - em * (this.below - 0.35));
    if (this.slow)
      svg.append(appears(this.word("rp-scale", width - em * 0.8, high - em * 0.45, this.slow, em * SMALL, "end"), 0));
  }

  /** Place the names in the lens, whole: side by side, else one above the other, as large as the longest allows. */
  lensNames() {
    const { em, width, close } = this;
    const { x } = this.scaled();
    const longest = Math.max(1, ...close.map((mark) => ems(this.root, mark.player, BOLD)));
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

  /** Return the margin in words, how wide it is, and whether it has room between the bands of its marks; or null. */
  margin() {
    const { em, close, finish } = this;
    if (!finish.margin_text || close.length < 2) return null;
    const sure = finish.u_text ? ` ± ${finish.u_text}` : "";
    const wide = (ems(this.root, finish.margin_text, 700) + ems(this.root, sure, 500)) * GAP * em;
    const { x, scale, halfOf } = this.scaled();
    const [one, two] = [close[0], close[close.length - 1]];
    const [from, to] = [x(one.t_ns) + halfOf(one) * scale, x(two.t_ns) - halfOf(two) * scale];
    return { sure, wide, from, to, inside: close.length === 2 && to - from > wide + em * 1.6 };
  }

  /**
   * Write the margin and how sure it is: between its marks, else below them; nothing lies on a band.
   *
   * @param {SVGElement} svg
   * @param {number} y
   */
  measure(svg, y) {
    const { em, gap, finish, width } = this;
    if (!gap) return;
    const size = em * GAP;
    const words = this.word("rp-gap", 0, y + size * 0.35, finish.margin_text ?? "", size);
    const doubt = s("tspan", { class: "rp-sure" });
    doubt.textContent = gap.sure;
    words.append(doubt);
    const middle = (gap.from + gap.to) / 2;
    const reach = em * 0.8 + gap.wide / 2;
    // Below, at the left where the other corner says how slow it is, if they would meet.
    const free = width - reach - (this.crowded ? 0 : this.slowWide);
    words.setAttribute("x", String(gap.inside ? middle : Math.max(reach, Math.min(middle, free))));
    const group = s("g", {}, words);
    const arm = (gap.to - gap.from - gap.wide) / 2 - em * 1.2;
    if (gap.inside && arm > em * 0.5) {
      const d = `M${gap.from + em * 0.6} ${y}h${arm}M${gap.to - em * 0.6 - arm} ${y}h${arm}`;
      group.append(s("path", { class: "rp-measure", d }));
    }
    svg.append(appears(group, this.times.margin));
  }
}

/**
 * Return how high the finish of *state* is in *root*, in letters of *em* pixels.
 *
 * @param {HTMLElement} root
 * @param {Pick<Api.Snapshot, "finish" | "phase">} state
 * @param {number} em
 */
export const heightOf = (root, { finish, phase }, em) =>
  finish?.marks.length ? new Replay(root, finish, phase !== "void", em).high : 0;

/**
 * Draw the finish of *state* into *root*; return its timeline, null when there is nothing to see.
 *
 * @param {HTMLElement} root
 * @param {Pick<Api.Snapshot, "finish" | "phase">} state
 * @param {string} says the whole picture in words
 */
export function replay(root, state, says) {
  const { finish } = state;
  root.classList.toggle("was-first", finish?.first ?? false);
  if (!finish?.marks.length) {
    root.replaceChildren();
    return null;
  }
  const drawn = (/** @type {number} */ em) => new Replay(root, finish, state.phase !== "void", em);
  const high = root.clientHeight || Infinity;
  let made = drawn(LARGEST * unit_px());
  // Step by step: smaller letters may need fewer lines of names, and then less of the height than one would think.
  for (let more = 40; made.high > high && more; more--) made = drawn(made.em * 0.97);
  root.replaceChildren(made.svg(says));
  return made.times;
}
