// @ts-check
// The rack: one cradle a spoon, in the game's own picture. In simulated mode a tap takes a spoon, or lays it back.
import { attr, firstIn, h, lastIn, match, put, s } from "../lib/dom.js";
import { t } from "../lib/words.js";

export class RackBox {
  /** @type {Set<string>} */
  #out = new Set(); // lines whose spoon this page took: between rounds the table does not look at the rack
  /** @type {Set<string>} */
  #back = new Set(); // lines whose spoon it laid back, until the table knows
  /** @type {Api.Snapshot | null} */
  #state = null;

  /**
   * *drive(line, level, stamp_ms)* moves a spoon; without it the rack is only shown.
   *
   * @param {HTMLElement} root
   * @param {Page.Drive | null} drive
   */
  constructor(root, drive) {
    this.root = root;
    this.drive = drive;
  }

  /** @param {Api.Snapshot} state */
  show(state) {
    const { rack } = state;
    const known = new Map((this.#state?.rack ?? []).map((one) => [one.line, one.lifted]));
    for (const one of rack) {
      if (!one.lifted) this.#back.delete(one.line);
      if (state.phase === "judging" && known.get(one.line) && !one.lifted) this.#out.delete(one.line);
    }
    this.#state = state;
    match(
      this.root,
      rack,
      (one) => one.number,
      () => this.#make(),
      (button, one) => this.#draw(button, one),
    );
  }

  /** Return whether any spoon is out of its cradle. */
  get anyLifted() {
    return (this.#state?.rack ?? []).some((one) => one.used && this.#lifted(one));
  }

  /**
   * Lay every spoon back.
   *
   * @param {number} stamp_ms
   */
  layBack(stamp_ms) {
    if (!this.#state) return;
    for (const one of this.#state.rack) if (this.#lifted(one)) this.#move(one, false, stamp_ms);
    this.show(this.#state);
  }

  /** @param {Api.Cradle} one */
  #lifted(one) {
    return !this.#back.has(one.line) && (one.lifted || this.#out.has(one.line));
  }

  #make() {
    const picture = s("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, s("path", {}));
    return h(
      "button",
      {
        type: "button",
        class: "cradle",
        pointerdown: (event) => this.#tap(event),
        keydown: (event) => this.#key(event),
      },
      picture,
      h("b"),
    );
  }

  /**
   * @param {HTMLButtonElement} button
   * @param {Api.Cradle} one
   */
  #draw(button, one) {
    attr(firstIn(firstIn(button)), "d", this.#state?.emblem);
    put(lastIn(button), one.number);
    const lifted = one.used && this.#lifted(one);
    button.classList.toggle("gone", lifted);
    button.classList.toggle("retired", !one.used);
    attr(button, "data-line", one.line);
    attr(button, "aria-pressed", one.used ? String(lifted) : null);
    button.disabled = !one.used || !this.drive;
    attr(
      button,
      "aria-label",
      one.used
        ? t("Cradle {n}", { n: one.number })
        : t("{what}: {says}", { what: t("Cradle {n}", { n: one.number }), says: t("out") }),
    );
  }

  /** @param {PointerEvent} event */
  #tap(event) {
    const button = /** @type {HTMLButtonElement} */ (event.currentTarget);
    if (event.button > 0 || button.disabled) return;
    button.releasePointerCapture?.(event.pointerId);
    this.#toggle(button.dataset.line ?? "", event.timeStamp);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.repeat || !["Space", "Enter"].includes(event.code)) return;
    event.preventDefault();
    const button = /** @type {HTMLButtonElement} */ (event.currentTarget);
    this.#toggle(button.dataset.line ?? "", event.timeStamp);
  }

  /**
   * @param {string} line
   * @param {number} stamp_ms
   */
  #toggle(line, stamp_ms) {
    const one = this.#state?.rack.find((cradle) => cradle.line === line);
    if (!this.#state || !one) return;
    this.#move(one, !this.#lifted(one), stamp_ms);
    this.show(this.#state);
  }

  /**
   * A spoon rests closed, at 1; lifted it is at 0.
   *
   * @param {Api.Cradle} one
   * @param {boolean} lifted
   * @param {number} stamp_ms
   */
  #move(one, lifted, stamp_ms) {
    this.#out[lifted ? "add" : "delete"](one.line);
    this.#back[lifted || !one.lifted ? "delete" : "add"](one.line);
    this.drive?.(one.line, lifted ? 0 : 1, stamp_ms);
  }
}
