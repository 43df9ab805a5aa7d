// @ts-check
// The lower half of a phone as one nose: any finger anywhere on it, several count as one, and no gesture else.

import { isOther, kindOf } from "../../games/noses.js";
import { TapPost } from "../../games/tap-post.js";
import { HostClock, PAGE } from "../../lib/clock.js";
import { keep, kept } from "../../lib/kept.js";

const KEPT = "lastnose-phone"; // what this phone calls itself: zero tests count for it

/** Return what this phone calls itself. */
function phone() {
  const name = kept(KEPT) || PAGE; // of one that keeps nothing each visit is another phone
  keep(KEPT, name);
  return name;
}

export class Finger {
  clock = new HostClock();
  /** The line of the nose that this phone is, "" while it is none. */
  line = "";
  /** @type {Map<string, Page.TouchKind>} */
  #holders = new Map();
  #touched = ""; // the line that was this nose's when the first of them came
  #takes = false; // somebody has just taken the seat
  #felt;

  /**
   * @param {HTMLElement} root
   * @param {(refusal: Error) => void} refused
   * @param {(down: boolean) => void} felt
   */
  constructor(root, refused, felt) {
    this.#felt = felt;
    this.post = new TapPost(this.clock, refused, () => ({ owns: this.line, phone: phone(), takes: this.#takes }));
    this.post.onIntroduced = ({ owns }) => {
      if (owns === this.line) this.#takes = false;
    };
    root.addEventListener("pointerdown", (event) => this.#pointer(event));
    for (const end of /** @type {const} */ (["pointerup", "pointercancel"]))
      addEventListener(end, (event) => this.#end(`p${event.pointerId}`, event.timeStamp));
    addEventListener("keydown", (event) => this.#key(event));
    addEventListener("keyup", (event) => this.#end(`k${event.code}`, event.timeStamp));
    for (const gesture of ["touchstart", "touchmove", "gesturestart", "contextmenu", "selectstart"])
      root.addEventListener(gesture, (event) => event.preventDefault(), { passive: false });
    addEventListener("blur", (event) => this.#endAll(event.timeStamp));
    addEventListener("pagehide", (event) => this.#sleep(event.timeStamp));
    addEventListener("pageshow", (event) => event.persisted && this.#wake());
    document.addEventListener("visibilitychange", (event) =>
      document.hidden ? this.#sleep(event.timeStamp) : this.#wake(),
    );
  }

  get down() {
    return this.#holders.size > 0;
  }

  /**
   * Be the nose on *line* from now on; *by_hand*: somebody has taken that seat, it is not merely kept.
   *
   * @param {string} line
   * @param {boolean} by_hand
   */
  async take(line, by_hand) {
    this.line = line;
    this.#takes = by_hand;
    this.post.carries = true;
    await this.post.start();
  }

  /** Be no nose any more; *told*: somebody else is it already. */
  async leave(told = false) {
    const { line } = this;
    this.line = "";
    this.#endAll(performance.now()); // a finger that lies there lets go of the nose that it had touched
    this.post.carries = false;
    if (line && !told) await this.post.introduce().catch(() => {});
    this.post.leave();
  }

  /** @param {string} phase */
  follow(phase) {
    this.post.follow(phase);
  }

  /** @param {PointerEvent} event */
  #pointer(event) {
    if (isOther(event)) return;
    /** @type {Element} */ (event.target).releasePointerCapture?.(event.pointerId);
    this.#begin(`p${event.pointerId}`, event.timeStamp, kindOf(event));
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const free = !event.repeat && !event.ctrlKey && !event.altKey && !event.metaKey;
    const elsewhere = /** @type {Element} */ (event.target).closest?.("button:not(.m-nose), a, summary, dialog");
    if (!free || elsewhere || !this.line || !["Space", "Enter"].includes(event.code)) return;
    event.preventDefault();
    this.#begin(`k${event.code}`, event.timeStamp, "key");
  }

  /**
   * @param {string} holder
   * @param {number} stamp_ms
   * @param {Page.TouchKind} kind
   */
  #begin(holder, stamp_ms, kind) {
    if (!this.line || this.#holders.has(holder)) return;
    this.#holders.set(holder, kind);
    if (this.#holders.size > 1) return;
    this.#touched = this.line;
    this.#set(1, stamp_ms, kind);
  }

  /**
   * @param {string} holder
   * @param {number} stamp_ms
   */
  #end(holder, stamp_ms) {
    const kind = this.#holders.get(holder);
    if (!kind || !this.#holders.delete(holder) || this.#holders.size) return;
    this.#set(0, stamp_ms, kind);
  }

  /** @param {number} stamp_ms */
  #endAll(stamp_ms) {
    for (const holder of [...this.#holders.keys()]) this.#end(holder, stamp_ms);
  }

  /**
   * @param {number} level
   * @param {number} stamp_ms
   * @param {Page.TouchKind} kind
   */
  #set(level, stamp_ms, kind) {
    this.post.add({ line: this.#touched, level, stamp_ms, kind });
    this.#felt(level === 1);
  }

  // Nobody sees the page any more: it says so, and that nothing more will come.
  /** @param {number} stamp_ms */
  #sleep(stamp_ms) {
    if (!this.line) return;
    this.#endAll(stamp_ms);
    this.post.leave();
  }

  #wake() {
    if (!this.line) return;
    this.clock.sync().catch(() => {}); // the nose says that it is not connected
    this.post.wake();
  }
}
