// Noses on the page: tap, click or key, several at once. Each change carries the browser's own event time.
import { attr, h, match, put } from "./dom.js";
import { HostClock, PAGE } from "./clock.js";
import { ask } from "./api.js";
import { t } from "./words.js";

export class Noses {
  clock = new HostClock();
  #down = new Map(); // who holds it (a pointer, a key) -> line
  #count = new Map(); // line -> how many hold it
  #queue = [];
  #due = false;
  #leaving = false;
  #underway = new Set(); // lines with a change on its way to the table
  #rows = [];
  #refused;

  constructor(root, refused) {
    this.root = root;
    this.#refused = refused;
    root.addEventListener("pointerdown", (event) => this.#pointer(event));
    for (const end of ["pointerup", "pointercancel"]) addEventListener(end, (event) => this.#release(`p${event.pointerId}`, event));
    root.addEventListener("contextmenu", (event) => event.preventDefault());
    root.addEventListener("keydown", (event) => this.#focusKey(event));
    addEventListener("keydown", (event) => this.#digit(event));
    addEventListener("keyup", (event) => this.#release(`k${event.code}`, event));
    addEventListener("blur", (event) => this.#releaseAll(event.timeStamp));
    addEventListener("pagehide", () => this.#leave());
    addEventListener("pageshow", (event) => event.persisted && this.#comeBack());
    document.addEventListener("visibilitychange", (event) => document.hidden && this.#releaseAll(event.timeStamp));
  }

  /** Learn the host's clock; taps before that wait for it. */
  start() {
    return this.clock.start((slow_ns) => ask("/api/v1/clock", { body: { page: PAGE, rtt_ns: slow_ns } })).catch((refusal) => this.#refused(refusal));
  }

  /** Show one nose a row. */
  show(rows, running, lamps = []) {
    const light = new Map(lamps.map((lamp) => [lamp.line, lamp.light]));
    this.#rows = rows.filter((row) => row.line);
    this.clock.frozen = running;
    const n = this.#rows.length;
    this.root.style.setProperty("--cols", columns(n, this.root.clientWidth));
    match(this.root, this.#rows, (row) => row.line, () => {
      const button = h("button", { type: "button", class: "nose" }, h("b"));
      return h("div", {}, button, h("span", { class: "who", "aria-hidden": "true" }));
    }, (box, row) => {
      const button = box.firstElementChild;
      put(button.firstElementChild, row.seat);
      attr(button, "data-line", row.line);
      attr(button, "aria-label", t("Nose of {player}, seat {seat}", { player: row.player, seat: row.seat }));
      attr(button, "aria-pressed", String(Boolean(row.held)));
      button.classList.toggle("out", row.out);
      attr(box, "data-light", light.get(row.line));
      button.classList.toggle("held", row.held);
      put(box.lastElementChild, row.player);
      box.lastElementChild.classList.toggle("counted", row.pressed);
    });
  }

  #pointer(event) {
    const button = event.target.closest(".nose");
    if (!button || event.button > 0) return;
    // Touch would keep the pointer on the button anyway; a mouse must be told.
    button.releasePointerCapture?.(event.pointerId);
    this.#press(`p${event.pointerId}`, button.dataset.line, event.timeStamp);
  }

  #focusKey(event) {
    const button = event.target.closest(".nose");
    if (!button || event.repeat || !["Space", "Enter"].includes(event.code)) return;
    event.preventDefault();
    this.#press(`k${event.code}`, button.dataset.line, event.timeStamp);
  }

  #digit(event) {
    const digit = /^(?:Digit|Numpad)(\d)$/.exec(event.code)?.[1];
    if (!digit || event.repeat || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.target.closest?.("input, textarea, select, dialog") || document.querySelector("dialog[open]")) return;
    const row = this.#rows.find(({ seat }) => seat === (Number(digit) || 10));
    if (row) this.#press(`k${event.code}`, row.line, event.timeStamp);
  }

  #press(holder, line, stamp_ms) {
    if (this.#down.has(holder)) return;
    this.#down.set(holder, line);
    const held = (this.#count.get(line) ?? 0) + 1;
    this.#count.set(line, held);
    if (held === 1) this.#set(line, 1, stamp_ms);
  }

  #release(holder, event) {
    const line = this.#down.get(holder);
    if (line === undefined) return;
    this.#down.delete(holder);
    const held = this.#count.get(line) - 1;
    this.#count.set(line, held);
    if (held === 0) this.#set(line, 0, event.timeStamp);
  }

  #releaseAll(stamp_ms) {
    for (const holder of [...this.#down.keys()]) this.#release(holder, { timeStamp: stamp_ms });
  }

  // A verdict waits for every page that may still send a tap: this one will not.
  #leave() {
    this.#leaving = true;
    this.#releaseAll(performance.now());
    const goodbye = { page: PAGE, rtt_ns: this.clock.slow_ns, leaves: true };
    queueMicrotask(() => ask("/api/v1/clock", { body: goodbye, keepalive: true }).catch(() => {}));
  }

  #comeBack() {
    this.#leaving = false;
    this.clock.sync().catch(() => {});
  }

  /** Set *line* to *level*: a nose, or another line of the simulated table. */
  drive(line, level, stamp_ms) {
    this.#queue.push({ line, level, stamp_ms });
    this.#soon();
  }

  #set(line, level, stamp_ms) {
    const button = this.root.querySelector(`[data-line="${CSS.escape(line)}"]`);
    button?.classList.toggle("down", level === 1);
    if (level && navigator.vibrate && this.#touched) navigator.vibrate(8);
    this.drive(line, level, stamp_ms);
  }

  get #touched() {
    return navigator.userActivation?.hasBeenActive ?? false;
  }

  #soon() {
    if (this.#due) return;
    this.#due = true;
    queueMicrotask(() => {
      this.#due = false;
      this.#post();
    });
  }

  // Requests may overtake each other: the next change of a line waits until its last one has got through.
  async #post() {
    const waits = ({ line }) => !this.#leaving && this.#underway.has(line);
    const taps = this.#queue.filter((tap) => !waits(tap));
    this.#queue = this.#queue.filter(waits);
    if (!taps.length) return;
    for (const { line } of taps) this.#underway.add(line);
    try {
      if (!this.clock.known) await this.clock.sync();
      const { clock } = this;
      const body = () => ({
        page: PAGE, clock_u_ns: clock.u_ns,
        taps: taps.map(({ line, level, stamp_ms }) => ({ line, level, t_ns: clock.host_ns(stamp_ms) })),
      });
      await ask("/api/v1/taps", { body: body(), keepalive: true });
      clock.arrived(taps[0].stamp_ms);
    } catch (refusal) {
      this.#refused(refusal);
      // A table that was started again does not know this page any more.
      if (!this.clock.frozen) this.clock.sync().catch(() => {});
    } finally {
      for (const { line } of taps) this.#underway.delete(line);
      if (this.#queue.length) this.#soon();
    }
  }
}

/** Return how many noses stand side by side. */
export function columns(n, width_px) {
  const most = Math.max(3, Math.min(13, Math.floor(width_px / 62)));
  if (n <= Math.min(4, most)) return Math.max(n, 3);
  const rows = Math.ceil(n / Math.min(most, width_px < 480 ? (n <= 6 ? 3 : n <= 12 ? 4 : 5) : most));
  return Math.ceil(n / rows);
}
