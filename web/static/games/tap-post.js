// @ts-check
// Taps on their way to the table, and the page's word that nothing earlier is still coming. A tap that did not get
// through is sent again for as long as it may count; the page promises nothing beyond one that is under way. What
// it has called lost is not sent any more: the table hears that something is missing, and what is up again.
import { ask, Refused } from "../lib/api.js";
import { PAGE } from "../lib/clock.js";
import { t } from "../lib/words.js";

/** @typedef {{ line: string; level: number; stamp_ms: number; kind: Page.TouchKind }} Tap */

const OFTEN_MS = 8;
const ARMED_MS = 250;
const IDLE_MS = 1000;
const EXCITED_MS = 3000; // so long after a tap of one's own something may be decided
const GRACE_MS = 8; // how late the browser hands over an event, at the least
const MOST_GRACE_MS = 120;
const RETRY_MS = 400;
const GIVE_UP_MS = 25_000;
const ANSWER_WITHIN_MS = 6000;
const QUIET_MS = 2000; // no answer for so long: whoever touches a nose is to know that the table may not hear of it
const LOST_MS = 3500; // after its last word the table has counted this page as silent: no touch since then is in time
const MOST_POSTS = 2; // under way; what comes meanwhile goes together with the next

export class TapPost {
  /** @type {Tap[]} */
  #queue = [];
  /** @type {Set<Tap>} */
  #underway = new Set();
  #posting = false; // a post of what is queued is due
  #posts = 0; // that are under way
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #promising = false;
  #due_ms = Infinity;
  #phase = "";
  #again_ms = OFTEN_MS;
  #tapped_ms = -Infinity;
  #lag_ms = 0;
  #n = 0; // of the request: one that says less than a later one must not undo it
  /** @type {number | null} */
  #lost_ms = null;
  #heard_ms = -Infinity; // when the last word had got through
  #awaited = false; // it carried a nose by then: the table counts it as silent without further words
  #unsent = false; // a touch has not got through since
  /** Whether the last word did not get through: the table does not hear this page. */
  cut = false;
  /** Called when the way to the table is lost, and when it is found again. */
  /** @type {() => unknown} */
  onCut = () => {};
  /** Called when the host has let another page be the nose that this one was. */
  /** @type {() => unknown} */
  onReplaced = () => {};
  /** Whether this page may carry a nose: it owns one, or one was tapped on it. */
  carries = false;
  /** The page is hidden or left: everything goes at once, and nothing more follows. */
  #gone = false;
  #refused;

  /**
   * @param {import("../lib/clock.js").HostClock} clock
   * @param {(refusal: Error) => void} refused
   */
  constructor(clock, refused) {
    this.clock = clock;
    this.#refused = refused;
  }

  /** What becomes of a touch while this page is cut off: it is "waiting", or "lost"; "" when there is none. */
  get unsent() {
    if (!this.cut || !this.#unsent) return "";
    return this.#given_up ? "lost" : "waiting";
  }

  /** Whether the table has counted this page as silent by now. */
  get #given_up() {
    return this.cut && this.#awaited && performance.now() - this.#heard_ms > LOST_MS;
  }

  /** @param {Tap} tap */
  add(tap) {
    const now = performance.now();
    this.#unsent ||= tap.level === 1;
    this.#lag_ms = Math.max(this.#lag_ms * 0.9, now - tap.stamp_ms);
    this.#tapped_ms = now;
    this.carries = true;
    this.clock.frozen = true; // what is touched in one round is mapped alike, from the first touch on
    this.#queue.push(tap);
    this.#soon();
  }

  /**
   * Learn what the table is at: it decides how often to promise.
   *
   * @param {string} phase
   */
  follow(phase) {
    const same = phase === this.#phase;
    this.#phase = phase;
    this.clock.frozen = phase === "judging" || this.#excited;
    if (!same) this.#plan();
  }

  /** Begin, or go on after the page was hidden. */
  wake() {
    this.#gone = false;
    if (this.#queue.length) this.#soon();
    this.#plan(0);
  }

  /** Send what is left, and the word that nothing more will come. */
  leave() {
    this.#gone = true;
    clearTimeout(this.#timer);
    this.#due_ms = Infinity;
    const taps = this.#queue;
    this.#queue = [];
    queueMicrotask(() => this.#send(taps, { leaves: true }).catch((problem) => this.#failed(taps, problem)));
  }

  // ---- taps

  #soon(wait_ms = -1) {
    if (this.#posting) return;
    this.#posting = true;
    const post = () => {
      this.#posting = false;
      this.#post();
    };
    if (wait_ms < 0) queueMicrotask(post);
    else setTimeout(post, wait_ms);
  }

  // Requests may overtake each other: the next change of a line waits until its last one has got through.
  async #post() {
    if (this.#gone || this.#posts >= MOST_POSTS) return;
    if (this.#given_up) this.#queue = this.#still(this.#queue);
    const busy = new Set([...this.#underway].map(({ line }) => line));
    const taps = this.#queue.filter(({ line }) => !busy.has(line));
    if (!taps.length) return;
    this.#queue = this.#queue.filter(({ line }) => busy.has(line));
    let wait_ms = -1;
    for (const tap of taps) this.#underway.add(tap);
    this.#posts++;
    try {
      if (!this.clock.known) await this.clock.sync();
      await this.#send(taps);
      this.clock.arrived(taps[0].stamp_ms);
    } catch (problem) {
      wait_ms = this.#failed(taps, problem) ? RETRY_MS : -1;
    } finally {
      this.#posts--;
      for (const tap of taps) this.#underway.delete(tap);
      if (this.#queue.length) this.#soon(wait_ms);
    }
    this.#plan(this.#again_ms);
  }

  /**
   * Keep *taps* that the network did not take, for another try; return whether there is one.
   *
   * @param {Tap[]} taps
   * @param {unknown} problem
   */
  #failed(taps, problem) {
    this.#refused(problem instanceof Error ? problem : new Error(String(problem)));
    if (problem instanceof Refused && problem.status) {
      // A table that was started again does not know this page any more.
      if (this.#phase !== "judging") this.clock.sync().catch(() => {});
      return false;
    }
    this.#queue = this.#still([...taps, ...this.#queue]);
    return this.#queue.length > 0;
  }

  /**
   * Return those of *taps* that may count still; the table is to hear from when on others are missing. The end of a
   * hold is told all the same, as of now: else the table would wait for a finger that is not there.
   *
   * @param {Tap[]} taps by time
   */
  #still(taps) {
    const now_ms = performance.now();
    const fresh = this.#given_up ? [] : taps.filter(({ stamp_ms }) => stamp_ms > now_ms - GIVE_UP_MS);
    if (fresh.length === taps.length) return fresh;
    this.#lost_ms = Math.min(this.#lost_ms ?? Infinity, taps[0].stamp_ms);
    const ends = new Map(taps.map((tap) => [tap.line, tap]));
    const up = [...ends.values()].filter((tap) => tap.level === 0 && !fresh.includes(tap));
    return [...fresh, ...up.map((tap) => ({ ...tap, stamp_ms: now_ms }))];
  }

  // ---- promises

  get #excited() {
    return performance.now() - this.#tapped_ms < EXCITED_MS;
  }

  /** How long to wait for the next promise, as things stand. */
  get #pause_ms() {
    if (this.#phase === "judging" || this.#excited) return this.#again_ms;
    if (!this.carries) return Infinity;
    return Math.max(this.#phase === "armed" ? ARMED_MS : IDLE_MS, this.#again_ms);
  }

  #plan(wait_ms = this.#pause_ms) {
    const due_ms = performance.now() + wait_ms;
    if (this.#gone || due_ms >= this.#due_ms || wait_ms === Infinity) return;
    clearTimeout(this.#timer);
    this.#due_ms = due_ms;
    this.#timer = setTimeout(() => this.#promise(), wait_ms);
  }

  async #promise() {
    this.#due_ms = Infinity;
    if (this.#promising || this.#gone) return;
    this.#promising = true;
    this.clock.frozen = this.#phase === "judging" || this.#excited;
    try {
      // What came before now, and waits in the browser, is handed over before the next turn of its loop.
      const seen_ms = performance.now();
      await new Promise((turn) => setTimeout(turn, 0));
      if (!this.clock.known) await this.clock.sync();
      if (!this.#gone) await this.#send([], { until_ms: seen_ms - this.#grace_ms });
    } catch {
      this.#again_ms = RETRY_MS; // the stream says already that the table is away
    } finally {
      this.#promising = false;
      this.#plan();
    }
  }

  get #grace_ms() {
    return Math.min(MOST_GRACE_MS, Math.max(GRACE_MS, 2 * this.#lag_ms));
  }

  /**
   * Send *taps*, and the promise that nothing from before *until_ms* is still coming.
   *
   * @param {Tap[]} taps
   * @param {{ until_ms?: number; leaves?: boolean }} [word]
   */
  async #send(taps, { until_ms, leaves = false } = {}) {
    const { clock } = this;
    const open = this.#besides(taps).map(({ stamp_ms }) => stamp_ms);
    const lost_ms = open.length ? null : this.#lost_ms; // a loss says that nothing else is still coming
    if (lost_ms === null && this.#lost_ms !== null) open.push(this.#lost_ms);
    const until = until_ms === undefined ? null : Math.min(until_ms, ...open);
    const body = {
      page: PAGE,
      clock_u_ns: clock.u_ns,
      taps: taps.map(({ line, level, kind, stamp_ms }) => ({ line, level, kind, t_ns: clock.host_ns(stamp_ms) })),
      promised_ns: until === null ? null : clock.earliest_ns(until),
      lost_ns: lost_ms === null ? null : clock.earliest_ns(lost_ms),
      leaves,
      n: ++this.#n,
    };
    const sent = performance.now();
    const stop = new AbortController();
    const late = setTimeout(() => stop.abort(), ANSWER_WITHIN_MS);
    const quiet = setTimeout(() => this.#through(false), QUIET_MS);
    try {
      const heard = await ask("/api/v1/taps", { body, keepalive: taps.length > 0 || leaves, signal: stop.signal });
      clock.note(sent, performance.now(), heard.t_ns);
      this.#unsent = this.#besides(taps).some(({ level }) => level === 1);
      this.#through(true);
      this.#again_ms = Math.max(OFTEN_MS, heard.again_ms);
      if (heard.replaced && !leaves) this.onReplaced();
      if (lost_ms !== null) {
        this.#lost_ms = null;
        if (["armed", "judging"].includes(this.#phase))
          this.#refused(new Refused(t("A tap has been lost on the way: the round may be void.")));
      }
    } catch (problem) {
      this.#through(problem instanceof Refused && problem.status > 0);
      throw problem;
    } finally {
      clearTimeout(late);
      clearTimeout(quiet);
    }
  }

  /**
   * What has not got through yet, besides *taps*.
   *
   * @param {Tap[]} taps
   */
  #besides(taps) {
    return [...this.#queue, ...this.#underway].filter((tap) => !taps.includes(tap));
  }

  /** @param {boolean} got_through */
  #through(got_through) {
    if (got_through) {
      this.#heard_ms = performance.now();
      this.#awaited = this.carries;
    }
    if (this.cut !== got_through) return;
    this.cut = !got_through;
    this.onCut();
  }
}
