// @ts-check
// Noses on the page: tap, click or key, several at once. Each change carries the browser's own event time.
import { HostClock } from "../lib/clock.js";
import { attr, childrenOf, firstIn, h, lastIn, match, put, s } from "../lib/dom.js";
import { named } from "../lib/fit.js";
import { sent } from "../lib/notes.js";
import { tappable } from "../lib/taps.js";
import { t } from "../lib/words.js";
import { letters } from "./rows.js";
import { TapPost } from "./tap-post.js";

export class Noses {
  clock = new HostClock();
  /** @type {Map<string, string>} */
  #down = new Map(); // who holds it (a pointer, a key) -> line
  /** @type {Map<string, Page.TouchKind>} */
  #kinds = new Map(); // by what each holder holds it
  /** @type {Map<string, number>} */
  #count = new Map(); // line -> how many hold it
  /** @type {Page.Nose[]} */
  #rows = [];
  #begun = false;
  /** @type {Set<string>} */
  #phones = new Set(); // lines of noses that are phones, which answer
  #open = false; // there are noses: before that the page has nothing to promise
  #refused;
  #elsewhere;

  /**
   * @param {HTMLElement} root
   * @param {(refusal: Error) => void} refused
   * @param {(refusal: Error) => void} [elsewhere] told instead of *refused* of a nose that is touched on a phone
   */
  constructor(root, refused, elsewhere = refused) {
    this.root = root;
    this.#refused = refused;
    this.#elsewhere = elsewhere;
    this.post = new TapPost(this.clock, refused);
    this.post.onCut = () => this.post.cut || sent();
    root.addEventListener("pointerdown", (event) => this.#pointer(event));
    for (const end of /** @type {const} */ (["pointerup", "pointercancel"]))
      addEventListener(end, (event) => this.#release(`p${event.pointerId}`, event));
    root.addEventListener("contextmenu", (event) => event.preventDefault());
    root.addEventListener("keydown", (event) => this.#focusKey(event));
    addEventListener("keydown", (event) => this.#digit(event));
    addEventListener("keyup", (event) => this.#release(`k${event.code}`, event));
    addEventListener("blur", (event) => this.#releaseAll(event.timeStamp));
    addEventListener("pagehide", (event) => this.#leave(event.timeStamp));
    addEventListener("pageshow", (event) => event.persisted && this.#comeBack());
    document.addEventListener("visibilitychange", (event) =>
      document.hidden ? this.#leave(event.timeStamp) : this.#comeBack(),
    );
  }

  /** Learn the host's clock when there are noses, taps before that wait for it; sign off when there are none. */
  #attend() {
    const open = this.#rows.length > 0;
    if (open === this.#open) return;
    this.#open = open;
    if (!open) this.post.leave();
    else if (this.#begun) this.#comeBack();
    else {
      this.#begun = true;
      this.post.start().catch((refusal) => this.#refused(refusal));
    }
  }

  /** Introduce the page again: the table may have been started again. */
  tell() {
    if (this.#open) this.clock.tell();
  }

  /**
   * Show one nose a row.
   *
   * @param {Page.Nose[]} rows
   * @param {string} phase
   * @param {Api.Lamp[]} [lamps]
   * @param {number[]} [last] the seats that were last just now, or first where that was asked
   * @param {Api.SeatPhone[]} [phones] as long as one answers, its nose is touched there only
   */
  show(rows, phase, lamps = [], last = [], phones = []) {
    this.#phones = new Set(phones.filter((one) => !one.shared && one.state === "awake").map((one) => one.line));
    const light = new Map(lamps.map((lamp) => [lamp.line, lamp.light]));
    this.#rows = rows.filter((row) => tappable(row.line));
    this.#attend();
    attr(this.root, "data-phase", phase);
    this.post.follow(phase);
    const n = this.#rows.length;
    const side = columns(n, this.root.clientWidth, innerHeight);
    this.root.style.setProperty("--cols", String(side));
    this.root.style.setProperty("--rows", String(Math.max(1, Math.ceil(n / side))));
    this.root.classList.toggle("tight", side > 2);
    this.root.classList.toggle("low", n > 2 * side);
    match(
      this.root,
      this.#rows,
      (row) => row.line,
      () => {
        const button = h("button", { type: "button", class: "nose" }, snout());
        const who = h("bdi", { class: "who", "aria-hidden": "true" });
        return h("div", {}, button, who, h("span", { class: "word", "aria-hidden": "true" }));
      },
      (box, row) => {
        const [button, who, word] = childrenOf(box);
        put(lastIn(firstIn(button)), row.seat);
        attr(button, "data-line", row.line);
        const elsewhere = this.#phones.has(row.line);
        const { player, seat } = row;
        const label = t("Nose of {player}, seat {seat}", { player, seat });
        attr(button, "aria-label", elsewhere ? t("{what}: {says}", { what: label, says: t("A phone") }) : label);
        attr(button, "aria-disabled", elsewhere ? "true" : null);
        button.classList.toggle("phone", elsewhere);
        attr(button, "aria-pressed", String(Boolean(row.held)));
        button.classList.toggle("out", row.out);
        attr(box, "data-light", light.get(row.line));
        button.classList.toggle("locked", Boolean(row.locked));
        button.classList.toggle("held", row.held);
        button.classList.toggle("pressed", row.pressed);
        button.classList.toggle("last", last.includes(row.seat));
        named(who, row.player, 600);
        letters(word, { letters: [], word: [], new: false, ...row }); // also none: the game before had some
      },
    );
  }

  /** @param {PointerEvent} event */
  #pointer(event) {
    const target = /** @type {Element} */ (event.target);
    const button = /** @type {HTMLElement | null} */ (target.closest(".nose"));
    if (!button || isOther(event)) return;
    // Touch would keep the pointer on the button anyway; a mouse must be told.
    button.releasePointerCapture?.(event.pointerId);
    this.#press(`p${event.pointerId}`, button.dataset.line ?? "", event.timeStamp, kindOf(event));
  }

  /** @param {KeyboardEvent} event */
  #focusKey(event) {
    const target = /** @type {Element} */ (event.target);
    const button = /** @type {HTMLElement | null} */ (target.closest(".nose"));
    if (!button || event.repeat || !["Space", "Enter"].includes(event.code)) return;
    event.preventDefault();
    this.#press(`k${event.code}`, button.dataset.line ?? "", event.timeStamp, "key");
  }

  /** @param {KeyboardEvent} event */
  #digit(event) {
    const digit = /^(?:Digit|Numpad)(\d)$/.exec(event.code)?.[1];
    if (!digit || event.repeat || event.ctrlKey || event.altKey || event.metaKey) return;
    const target = /** @type {Partial<Element> | null} */ (event.target);
    if (target?.closest?.("input, textarea, select, dialog") || document.querySelector("dialog[open]")) return;
    const row = this.#rows.find(({ seat }) => seat === (Number(digit) || 10));
    if (row) this.#press(`k${event.code}`, row.line, event.timeStamp, "key");
  }

  /**
   * @param {string} holder
   * @param {string} line
   * @param {number} stamp_ms
   * @param {Page.TouchKind} kind
   */
  #press(holder, line, stamp_ms, kind) {
    if (this.#down.has(holder)) return;
    if (this.#phones.has(line)) return this.#elsewhere(new Error(t("This nose is on a phone: touch it there.")));
    this.#down.set(holder, line);
    const held = (this.#count.get(line) ?? 0) + 1;
    this.#count.set(line, held);
    this.#kinds.set(holder, kind);
    if (held === 1) this.#set(line, 1, stamp_ms, kind);
  }

  /**
   * @param {string} holder
   * @param {{ timeStamp: number }} event
   */
  #release(holder, event) {
    const line = this.#down.get(holder);
    if (line === undefined) return;
    this.#down.delete(holder);
    const held = (this.#count.get(line) ?? 1) - 1;
    this.#count.set(line, held);
    if (held === 0) this.#set(line, 0, event.timeStamp, this.#kinds.get(holder) ?? "touch");
    this.#kinds.delete(holder);
  }

  /** @param {number} stamp_ms */
  #releaseAll(stamp_ms) {
    for (const holder of [...this.#down.keys()]) this.#release(holder, { timeStamp: stamp_ms });
  }

  // A verdict waits for every page that may still send a tap: this one will not, as long as nobody sees it.
  /** @param {number} stamp_ms */
  #leave(stamp_ms) {
    this.#releaseAll(stamp_ms);
    this.post.leave();
  }

  #comeBack() {
    if (!this.#open) return;
    this.clock.sync().catch(() => {});
    this.post.wake();
  }

  /**
   * Set *line* to *level*: a nose, or another line of the simulated table.
   *
   * @param {string} line
   * @param {number} level
   * @param {number} stamp_ms
   * @param {Page.TouchKind} [kind]
   */
  drive(line, level, stamp_ms, kind = "touch") {
    this.post.add({ line, level, stamp_ms, kind });
  }

  /**
   * @param {string} line
   * @param {number} level
   * @param {number} stamp_ms
   * @param {Page.TouchKind} kind
   */
  #set(line, level, stamp_ms, kind) {
    const button = this.root.querySelector(`[data-line="${CSS.escape(line)}"]`);
    button?.classList.toggle("down", level === 1);
    if (level && navigator.vibrate && this.#touched) navigator.vibrate(8);
    this.drive(line, level, stamp_ms, kind);
  }

  get #touched() {
    return navigator.userActivation?.hasBeenActive ?? false;
  }
}

/** Return a snout with room for the seat's number: hollow it waits, filled it counts, flat it is down; or a phone. */
function snout() {
  const hole = (/** @type {number} */ cx) => s("ellipse", { class: "hole", cx, cy: 43, rx: 6.5, ry: 10.5 });
  return s(
    "svg",
    { viewBox: "0 0 100 74", "aria-hidden": "true" },
    s("ellipse", { class: "body", cx: 50, cy: 37, rx: 48, ry: 35 }),
    s("rect", { class: "body handset", x: 29, y: 2, width: 42, height: 70, rx: 7 }),
    hole(33),
    hole(67),
    s("text", { x: 50, y: 26, "text-anchor": "middle" }),
  );
}

/**
 * Return how many noses stand side by side: large ones at the thumb, smaller the more there are.
 *
 * @param {number} n
 * @param {number} width_px
 * @param {number} height_px of the window
 */
export function columns(n, width_px, height_px) {
  // A phone held across: two rows, as long as each nose is as wide as a thumb; above its tabs are four at the most.
  if (height_px <= 480 && n > 6)
    return Math.max(Math.ceil(n / 4), Math.min(Math.floor(width_px / 54), Math.ceil(n / 2)));
  if (width_px < 480 && n < 4) return Math.max(1, n);
  if (width_px < 480 && n === 4) return 2; // two by two, not three and one
  if (width_px < 480) return n > 16 ? 5 : n > 12 ? 4 : n > 6 || height_px < 800 ? 3 : 2;
  if (n <= 6 && height_px < 1000) return n; // a small desktop: one row, for the steps stand below
  const most = Math.max(3, Math.min(9, Math.floor(width_px / 104)));
  return Math.ceil(n / Math.ceil(n / most));
}

/**
 * Whether *event* is no touch: of a mouse only its first button is one, of a pen whatever is held on it.
 *
 * @param {PointerEvent} event
 */
export const isOther = (event) => event.pointerType === "mouse" && event.button > 0;

/**
 * @param {PointerEvent} event
 * @returns {Page.TouchKind}
 */
export const kindOf = (event) => (event.pointerType === "mouse" ? "mouse" : "touch");
