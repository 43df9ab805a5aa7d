// @ts-check
// <photo-finish>: a true axis from the opener's 0, a mark a seat, a lens where the last two are too close to see.
// Its margin is said as the table says it in short; where it is weighed (`exact`) always with its ±.
import { s } from "../lib/dom.js";
import { ARRIVED } from "../lib/names.js";
import { clip, inUnit, t, unitOf } from "../lib/words.js";
import { asides, legend } from "./asides.js";
import { inWords } from "./in-words.js";
import { above, labelled } from "./labels.js";
import { bands, closest, ticks } from "./layout.js";
import { DEEP, lens, lensHeight, wedge } from "./lens.js";

const ruler = /** @type {CanvasRenderingContext2D} */ (document.createElement("canvas").getContext("2d"));

class PhotoFinish extends HTMLElement {
  /** @type {Page.FinishData | null} */
  #data = null;
  #drawn = "";
  #watch = new ResizeObserver(() => this.#draw());
  #again = () => {
    this.#drawn = "";
    this.#draw();
  };

  connectedCallback() {
    if (Object.hasOwn(this, "data")) {
      // It was told before this script was there.
      const { data } = /** @type {Page.FinishElement} */ (this);
      Reflect.deleteProperty(this, "data");
      this.data = data;
    }
    this.#watch.observe(this);
    document.addEventListener(ARRIVED, this.#again);
    this.#draw();
  }

  disconnectedCallback() {
    this.#watch.disconnect();
    document.removeEventListener(ARRIVED, this.#again);
  }

  /**
   * *data*: a Finish or null; whether its missing seat was last; what to say without one.
   *
   * @param {Page.FinishData} data
   */
  set data(data) {
    this.#data = data;
    this.#draw();
  }

  #draw() {
    const width = Math.floor(this.clientWidth);
    if (!this.#data || width < 40) return;
    const style = getComputedStyle(this);
    const em = Math.max(12, parseFloat(style.fontSize) * 0.9);
    const key = JSON.stringify([this.#data, width, em]);
    if (key === this.#drawn) return;
    this.#drawn = key;
    this.classList.toggle("was-first", this.#data.finish?.first ?? false);
    const exact = this.hasAttribute("exact");
    this.replaceChildren(new Strip(this.#data, exact, width, em, style.fontFamily).svg());
  }
}

/** @implements {Page.Strip} */
class Strip {
  /**
   * @param {Page.FinishData} given
   * @param {boolean} exact whether a clear margin stands there with its ± too
   * @param {number} width
   * @param {number} em
   * @param {string} family
   */
  constructor({ finish, decided = true, idle = "", seats = 4, reserve = false }, exact, width, em, family) {
    this.idle = idle;
    this.seats = seats;
    this.reserve = reserve;
    this.width = width;
    this.em = em;
    this.family = family;
    this.marks = finish?.marks ?? [];
    /** @type {[number, string][]} */
    this.missing = finish?.missing ?? [];
    this.margin_ns = finish?.margin_ns ?? null;
    const plain = !exact && finish?.closeness === "clear"; // in everyday words, without its ±
    this.margin_text = (plain ? finish?.in_short : finish?.margin_text) ?? "";
    this.u_text = (plain ? null : finish?.u_text) ?? "";
    this.gap = this.margin_text && this.u_text ? `${this.margin_text} ± ${this.u_text}` : this.margin_text;
    this.u_ns = finish?.u_ns ?? null;
    this.dead_heat = finish?.dead_heat ?? false;
    this.first = finish?.first ?? false;
    this.pad = em * 0.9;
    // What was before the opener has no place on its axis.
    this.asides = (finish?.asides ?? []).filter((one) => one.t_ns >= 0);
    this.legend = legend(this);
    this.drawn = Boolean(finish && (this.marks.length || this.asides.length));
    const noneLast = !this.marks.some((mark) => mark.last);
    this.gone = this.missing.map(([seat, player]) => ({
      seat,
      player,
      last: decided && noneLast && this.missing.length === 1,
    }));
    this.away = this.gone.length ? Math.min(width * 0.34, em * (this.gone.length > 1 ? 7.5 : 6.5)) : 0;
    this.right = width - this.pad - this.away;
    // The name of a single one that is too long for its place stands above the others.
    /** @type {boolean} */
    this.lifted = this.gone.length === 1 && labelled(this, this.gone[0], width).w > this.away - em;
    /** @type {number} */
    this.reach = this.lifted ? width : this.right + this.pad * 0.9;
    this.end = Math.max(0, ...this.marks.map((mark) => mark.t_ns), ...this.asides.map((one) => one.t_ns));
    this.unit = unitOf(this.end);
    this.close = this.drawn ? closest(this.marks, this.margin_ns) : [];
    this.band = bands(this.marks, this.close, this.u_ns);
    const span = this.close.length ? this.close[this.close.length - 1].t_ns - this.close[0].t_ns : Infinity;
    const perNs = this.end ? (this.right - this.pad) / this.end : 0;
    const bandPx = Math.max(0, ...this.close.map((mark) => this.halfOf(mark))) * perNs;
    this.lens = this.close.length > 1 && (span * perNs < em * 2.2 || (this.dead_heat && bandPx < em));
  }

  /** @param {Api.Mark} mark */
  halfOf(mark) {
    return this.band.get(mark.seat) ?? 0;
  }

  /** @param {number} ns */
  x(ns) {
    return this.end ? this.pad + (ns / this.end) * (this.right - this.pad) : this.pad;
  }

  /**
   * @param {string} words
   * @param {number} size
   * @param {number} weight
   */
  measure(words, size, weight) {
    ruler.font = `${weight} ${size}px ${this.family}`;
    return ruler.measureText(words).width;
  }

  svg() {
    const { em, width } = this;
    const many = this.seats > 8 || this.marks.length > 8;
    const row = em * 1.95;
    const labels = this.drawn ? this.labels() : { placed: [], used: 1 };
    const up = this.drawn && this.lifted ? labels.used : 0;
    const rows = Math.max(labels.used, up + 1, this.reserve && many ? 2 : 1);
    const measured = !this.lens && this.close.length === 2 && this.margin_ns != null;
    const top = em * (measured ? 1.7 : 0.2);
    const axis = Math.round(top + rows * row + em * 0.7);
    const lensTop = Math.ceil(axis + em * (2.2 + 1.5 * this.legend.length));
    // Kept free, so that nothing below moves: a margin, labels in as many rows as fit with a lens, and the lens.
    const kept = this.reserve ? (many ? 3 : 2) * row + em * (4.6 + DEEP) : 0;
    const height = Math.ceil(Math.max(lensTop + (this.lens ? lensHeight(this) : 0), kept));
    const svg = s("svg", {
      viewBox: `0 0 ${width} ${height}`,
      width,
      height,
      role: "img",
      "aria-label": this.says(),
      "font-size": em,
    });
    if (!this.drawn) {
      svg.append(
        s("line", { class: "pf-axis", x1: this.pad, x2: width - this.pad, y1: axis, y2: axis }),
        s("circle", { class: "pf-dot", cx: this.pad, cy: axis, r: em * 0.34, "stroke-width": 2 }),
      );
      const words = s("text", { class: "pf-idle", x: this.pad - em * 0.3, y: axis - em * 1.1 });
      words.textContent = this.idle;
      svg.append(words);
      return svg;
    }
    this.drawAxis(svg, axis);
    if (this.lens) wedge(this, svg, axis, lensTop);
    if (this.asides.length) asides(this, svg, axis);
    for (const label of labels.placed) this.drawLead(svg, label, axis, row);
    for (const mark of [...this.marks].sort((a, b) => Number(a.last) - Number(b.last))) this.drawDot(svg, mark, axis);
    for (const label of labels.placed) this.drawLabel(svg, label, axis - em * 0.75 - label.level * row - row / 2);
    this.drawGone(svg, axis, row, up);
    if (measured) this.drawMargin(svg, axis - em * 0.75 - labels.used * row - em * 0.25);
    if (this.lens) lens(this, svg, lensTop);
    return svg;
  }

  /** Place whoever is not in the lens above the axis. */
  labels() {
    const inLens = this.lens ? new Set(this.close.map((mark) => mark.seat)) : new Set();
    return above(
      this,
      this.marks.filter((mark) => !inLens.has(mark.seat)),
    );
  }

  /**
   * @param {SVGElement} svg
   * @param {number} axis
   */
  drawAxis(svg, axis) {
    const { em } = this;
    svg.append(s("line", { class: "pf-axis", x1: this.pad, x2: this.right, y1: axis, y2: axis }));
    const named = this.measure(inUnit(this.end || 1e6, this.unit), em * 0.9, 400);
    const all = ticks(this.end, Math.max(1, (this.right - this.pad) / Math.max(em * 4.5, named * 1.7)));
    for (const [i, ns] of all.entries()) {
      const x = this.x(ns);
      svg.append(s("line", { class: "pf-axis", x1: x, x2: x, y1: axis, y2: axis + em * 0.4 }));
      const words = s("text", {
        class: "pf-scale",
        x,
        y: axis + em * 1.55,
        "text-anchor": i ? "middle" : "start",
        "font-size": Math.max(12, em * 0.9),
      });
      if (!i) words.setAttribute("x", String(x - em * 0.25));
      words.textContent = inUnit(ns, this.unit, i === all.length - 1 && i > 0);
      svg.append(words);
    }
  }

  /**
   * @param {SVGElement} svg
   * @param {Api.Mark} mark
   * @param {number} axis
   */
  drawDot(svg, mark, axis) {
    const { em } = this;
    const x = this.x(mark.t_ns);
    const half = this.end ? (this.halfOf(mark) / this.end) * (this.right - this.pad) : 0;
    const group = s("g", { class: `pf-seat${mark.last && !this.dead_heat ? " pf-last" : ""}` });
    if (half >= 3) {
      const left = Math.max(0, x - half);
      group.append(
        s("rect", {
          class: "pf-band",
          x: left,
          width: Math.min(this.width, x + half) - left,
          y: axis - em * 0.5,
          height: em,
          rx: 2,
        }),
      );
    }
    const small = this.marks.length > 10;
    group.append(
      s("circle", { class: "pf-dot", cx: x, cy: axis, r: em * (small ? 0.32 : 0.45), "stroke-width": small ? 1 : 1.5 }),
    );
    svg.append(group);
  }

  /**
   * @param {SVGElement} svg
   * @param {Page.Label & { mark: Api.Mark; level: number }} label
   * @param {number} axis
   * @param {number} row
   */
  drawLead(svg, label, axis, row) {
    const x = this.x(label.mark.t_ns);
    const bottom = axis - this.em * 0.75 - label.level * row - this.em * 0.4;
    if (Math.abs(label.at - x) < label.w / 2 && label.level === 0) return;
    const foot = Math.min(Math.max(x, label.at - label.w / 2 + this.em * 0.6), label.at + label.w / 2 - this.em * 0.6);
    svg.append(
      s("path", {
        class: label.mark.last ? "pf-lead pf-red" : "pf-lead",
        d: `M${x} ${axis - this.em * 0.4}L${foot} ${bottom}`,
      }),
    );
  }

  /**
   * @param {SVGElement} svg
   * @param {Page.Label} given
   * @param {number} y
   * @param {boolean} [bare]
   */
  drawLabel(svg, { mark, name, at, w, size = this.em }, y, bare = false) {
    const { em } = this;
    const group = s("g", { class: `pf-seat${mark.last && !this.dead_heat ? " pf-last" : ""}` });
    const left = at - w / 2;
    if (name && !bare)
      group.append(
        s("rect", { class: "pf-back", x: left - 2, y: y - em * 0.85, width: w + 4, height: em * 1.7, rx: em * 0.85 }),
      );
    group.append(s("circle", { class: "pf-chip", cx: left + em * 0.8, cy: y, r: em * 0.8 }));
    group.append(
      this.word("pf-no", left + em * 0.8, y + em * 0.33, String(mark.seat), "middle", Math.max(12, em * 0.9)),
    );
    if (name) group.append(this.word("pf-name", left + em * 2, y + em * 0.35, name, "start", size));
    svg.append(group);
  }

  /**
   * Seats that have not pressed: the line goes on in dots, and there they sit.
   *
   * @param {SVGElement} svg
   * @param {number} axis
   * @param {number} row
   * @param {number} level the row in which the name of a single one stands
   */
  drawGone(svg, axis, row, level) {
    if (!this.gone.length) return;
    const { em } = this;
    const middle = this.right + (this.width - this.right) / 2 + em * 0.4;
    svg.append(s("line", { class: "pf-wait", x1: this.right + em * 0.6, x2: this.width, y1: axis, y2: axis }));
    svg.append(this.word("pf-scale", middle, axis + em * 1.55, t("not yet"), "middle", Math.max(12, em * 0.9)));
    const room = this.width - this.right - em;
    const [first] = this.gone;
    if (this.gone.length === 1) {
      const label = labelled(this, first, this.width);
      const up = axis - em * 0.75 - level * row;
      if (level) svg.prepend(s("path", { class: "pf-lead", d: `M${middle} ${axis}V${up}` }));
      this.drawLabel(svg, { ...label, at: Math.min(middle, this.width - label.w / 2) }, up - row / 2);
      const group = s("g", { class: first.last ? "pf-last" : "" });
      group.append(s("circle", { class: "pf-dot", cx: middle, cy: axis, r: em * 0.45, "stroke-width": 1.5 }));
      svg.append(group);
      return;
    }
    const most = Math.max(1, Math.floor(room / (em * 1.8)));
    const shown = this.gone.slice(0, this.gone.length > most ? most - 1 : most);
    const left = middle - ((shown.length + (shown.length < this.gone.length ? 1 : 0)) * em * 1.8) / 2;
    for (const [i, mark] of shown.entries())
      this.drawLabel(svg, { mark, name: "", at: left + em * (0.9 + i * 1.8), w: em * 1.6 }, axis - em * 0.75 - row / 2);
    if (shown.length < this.gone.length) {
      svg.append(
        this.word(
          "pf-scale",
          left + em * (0.9 + shown.length * 1.8),
          axis - em * 0.4 - row / 2,
          `+${this.gone.length - shown.length}`,
          "middle",
          Math.max(12, em * 0.9),
        ),
      );
    }
  }

  /**
   * Far enough apart to see: a measure between the last two.
   *
   * @param {SVGElement} svg
   * @param {number} y
   */
  drawMargin(svg, y) {
    const { em } = this;
    const [left, right] = this.close.map((mark) => this.x(mark.t_ns));
    const words = this.gap;
    const half = this.measure(words, em, 650) / 2;
    const middle = Math.min(Math.max((left + right) / 2, half), this.width - half);
    svg.append(s("path", { class: "pf-measure", d: `M${left} ${y + em * 0.3}v${-em * 0.4}H${right}v${em * 0.4}` }));
    svg.append(this.word("pf-gap", middle, y - em * 0.45, words, "middle", em));
  }

  /**
   * @param {string} name
   * @param {number} room
   * @param {number} size
   */
  fit(name, room, size) {
    if (this.measure(name, size, 600) <= room) return name;
    for (let most = name.length - 1; most > 2; most--) {
      const shorter = clip(name, most);
      if (this.measure(shorter, size, 600) <= room) return shorter;
    }
    return "";
  }

  /**
   * @param {string} style
   * @param {number} x
   * @param {number} y
   * @param {string} words
   * @param {string} anchor
   * @param {number} size
   */
  word(style, x, y, words, anchor, size) {
    const element = s("text", { class: style, x, y, "text-anchor": anchor, "font-size": size });
    element.textContent = words;
    return element;
  }

  /** Say the whole picture in words. */
  says() {
    return this.drawn ? inWords(this) : this.idle || t("Photo finish");
  }
}

customElements.define("photo-finish", PhotoFinish);
