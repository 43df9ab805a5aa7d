// @ts-check
// The page's clock against the host's: every answer that bears the host's time bounds how far it is ahead, hard and
// for both ways; bounds widen with time as clocks drift, and the mapping never moves in the middle of a round. One that
// proves wrong (the phone slept, its clock has jumped) is given up, and the next counts as another clock.
const PINGS = 4; // every later answer bounds the clock as well
const AGAIN_MS = 30_000;
const RESOLUTION_NS = 100_000; // browsers round their clocks to a tenth of a millisecond, some to much more
const DRIFT = 200e-6; // two quartz clocks at 50 ppm each, and as much again for one that is being set right
const ENOUGH_NS = 25e6; // what a mapping may be off by on a page that waits for a better one
const ABSURD_NS = 25e6; // so much further off than need be a mapping is given up, also in the middle of a round
const WALL_NS = 2e6; // what the browser's two clocks may differ by: the grain of the one that tells the date
const WALL_DRIFT = 1e-3; // while that one is being set right
const UNKNOWN_NS = 2e9; // what is mapped by a clock that was given up unseen may be off by anything

export const PAGE = crypto.getRandomValues(new Uint32Array(2)).reduce((id, n) => id + n.toString(36), "p");

/** The page's clock against the host's, without a clock: time is an argument. */
export class Mapping {
  // How far the host is ahead of `performance.now()`: not less than #least_ns, not more than #most_ns, at #at_ms.
  #least_ns = -Infinity;
  #most_ns = Infinity;
  #at_ms = 0;
  /** @type {number | null} */
  #offset_ns = null; // the mapping in use
  /** @type {number[]} by how much it moved with each epoch */
  #moves = [];
  #wall_ms = NaN; // how far the browser's other clock was ahead, at #wall_at_ms
  #wall_at_ms = 0;
  #heard_ns = 0; // what was heard last of the host's clock, at #heard_ms: after a power cut it begins again at zero
  #heard_ms = 0;
  /** What the first mapping may be off by: one that is worse is not used. */
  enough_ns = Infinity;
  /** In what steps the browser's clock goes. */
  grain_ns = RESOLUTION_NS;
  /** Set to true from the first tap of a round until it is decided: its presses must share one mapping. */
  frozen = false;

  /** The number of the mapping: it grows when one is given up. */
  get epoch() {
    return this.#moves.length;
  }

  get known() {
    return this.#offset_ns !== null;
  }

  /**
   * Learn that the host's clock stood at *t_ns* at some time between *sent_ms* and *got_ms* of the page's.
   *
   * @param {number} sent_ms
   * @param {number} got_ms
   * @param {number} t_ns
   * @param {number} [wall_ms] what the other clock says at *got_ms*
   * @param {number} [wall_sent_ms] what it said at *sent_ms*
   */
  note(sent_ms, got_ms, t_ns, wall_ms = NaN, wall_sent_ms = NaN) {
    const [least_ns, most_ns] = this.#bounds(got_ms);
    const apart_ns = this.apart_ns(got_ms, wall_ms);
    const first = t_ns - got_ms * 1e6 - this.grain_ns;
    // *sent_ms* may be of before a jump, also of one that another answer has told of since; *got_ms* is not.
    const jumped_ns = this.#parted_ns(wall_ms - got_ms - (wall_sent_ms - sent_ms), got_ms - sent_ms);
    const last = t_ns - sent_ms * 1e6 + this.grain_ns + jumped_ns;
    this.#heard_ns = t_ns;
    this.#heard_ms = got_ms;
    if (first > last) return this.doubt(); // the clock went back on the way
    // Bounds that contradict each other: one of the clocks has stood still or jumped. Begin again.
    const fits = Math.max(least_ns, first) <= Math.min(most_ns, last) && !apart_ns;
    this.#least_ns = fits ? Math.max(least_ns, first) : first;
    this.#most_ns = fits ? Math.min(most_ns, last) : last;
    this.#at_ms = got_ms;
    this.#wall_ms = wall_ms - got_ms;
    this.#wall_at_ms = got_ms;
    const middle_ns = (this.#least_ns + this.#most_ns) / 2;
    if (this.#offset_ns !== null) {
      const absurd = Math.abs(middle_ns - this.#offset_ns) > ABSURD_NS + (this.#most_ns - this.#least_ns) / 2;
      if (!fits || (this.frozen && absurd)) {
        this.#moves.push(Math.abs(middle_ns - this.#offset_ns) + (this.#most_ns - this.#least_ns) / 2);
        this.#offset_ns = null;
      }
    }
    if (this.#offset_ns === null && this.#most_ns - this.#least_ns > 2 * this.enough_ns) return;
    if (!this.frozen || this.#offset_ns === null) this.#offset_ns = middle_ns;
  }

  /** Forget all: while nobody was looking the clock may have stood still. */
  doubt() {
    if (this.#offset_ns !== null) this.#moves.push(UNKNOWN_NS);
    this.#least_ns = -Infinity;
    this.#most_ns = Infinity;
    this.#offset_ns = null;
    this.#wall_ms = NaN;
  }

  /**
   * Return how far the browser's two clocks may have left each other since the host's was last heard of, 0 where that
   * is no more than their grain: one of them has jumped, or stood still.
   *
   * @param {number} now_ms
   * @param {number} wall_ms what the other clock says
   */
  apart_ns(now_ms, wall_ms) {
    return this.#parted_ns(wall_ms - now_ms - this.#wall_ms, now_ms - this.#wall_at_ms);
  }

  /**
   * @param {number} apart_ms by how much the browser's two clocks went differently
   * @param {number} within_ms in so long a time
   */
  #parted_ns(apart_ms, within_ms) {
    const apart_ns = Math.abs(apart_ms) * 1e6;
    const usual_ns = WALL_NS + 2 * this.grain_ns + Math.max(0, within_ms) * 1e6 * WALL_DRIFT;
    return apart_ns > usual_ns ? Math.round(apart_ns + usual_ns) : 0;
  }

  /**
   * Return the time of the host that this page has heard last, and for how long: so the host measures the way.
   *
   * @param {number} now_ms
   */
  echo(now_ms) {
    const held_ns = Math.max(0, Math.round((now_ms - this.#heard_ms) * 1e6));
    return this.#heard_ns ? { echo_ns: this.#heard_ns, held_ns } : { echo_ns: 0, held_ns: 0 };
  }

  /**
   * Return how far the mapping has moved since *epoch*.
   *
   * @param {number} epoch
   */
  moved_ns(epoch) {
    return Math.round(this.#moves.slice(epoch).reduce((sum, one) => sum + one, 0));
  }

  /** @param {number} now_ms */
  #bounds(now_ms) {
    const drifted_ns = this.drifted_ns(now_ms);
    return [this.#least_ns - drifted_ns, this.#most_ns + drifted_ns];
  }

  /**
   * Return how far the two clocks may have drifted apart since they were last compared.
   *
   * @param {number} now_ms
   */
  drifted_ns(now_ms) {
    return Math.max(0, now_ms - this.#at_ms) * 1e6 * DRIFT;
  }

  /**
   * Return how far the mapping in use may be off now.
   *
   * @param {number} now_ms
   */
  off_ns(now_ms) {
    if (this.#offset_ns === null) return 0;
    const [least_ns, most_ns] = this.#bounds(now_ms);
    return Math.round(Math.max(this.#offset_ns - least_ns, most_ns - this.#offset_ns));
  }

  /**
   * Return the host's time of a browser event's time stamp (milliseconds of the page).
   *
   * @param {number} stamp_ms
   */
  host_ns(stamp_ms) {
    return Math.round(stamp_ms * 1e6 + (this.#offset_ns ?? 0));
  }

  /**
   * Return the earliest that *stamp_ms* can have been on the host's clock: no mapping, also no later one, puts it
   * before that, as long as neither clock stands still. So a promise is mapped.
   *
   * @param {number} now_ms
   * @param {number} stamp_ms
   */
  earliest_ns(now_ms, stamp_ms) {
    const [least_ns] = this.#bounds(now_ms);
    return Math.floor(stamp_ms * 1e6 + Math.min(least_ns, this.#offset_ns ?? 0));
  }
}

/**
 * Return what the browser's two clocks say at once. Read one after the other they may be further apart than they are,
 * where the machine had something else to do in between.
 *
 * @returns {[now_ms: number, wall_ms: number]}
 */
export function bothClocks() {
  for (let tries = 0; ; tries++) {
    const now_ms = performance.now();
    const wall_ms = Date.now();
    if (performance.now() - now_ms < 1 || tries === 3) return [now_ms, wall_ms];
  }
}

/**
 * Return in what steps a clock goes: the least of a few, for the browser may have looked away in between.
 *
 * @param {() => number} read
 * @param {number} longest_ms so long it may take
 */
export function grainOf(read, longest_ms = 250) {
  const begun = Date.now();
  let least = Infinity;
  let before = read();
  for (let steps = 0; steps < 4 && Date.now() - begun < longest_ms; ) {
    const now = read();
    if (now === before) continue;
    if (steps++) least = Math.min(least, now - before);
    before = now;
  }
  return Math.max(RESOLUTION_NS, Math.round(Math.min(least, longest_ms) * 1e6));
}

export class HostClock extends Mapping {
  /** @type {Promise<void> | null} */
  #busy = null;
  /** @type {(() => Promise<unknown>) | undefined} */
  ready;
  /** Called after every comparison. */
  /** @type {(() => unknown) | undefined} */
  heard;
  /** The shortest way there and back of the last comparison. */
  rtt_ns = 0;
  /** Whether what is touched may wait, the first time, for a mapping that is good enough. */
  patient = false;

  /**
   * Begin, and call *ready* after every synchronisation.
   *
   * @param {() => Promise<unknown>} ready
   */
  start(ready) {
    if (!this.ready) {
      this.grain_ns = grainOf(() => performance.now());
      setInterval(() => this.frozen || document.hidden || this.sync().catch(() => {}), AGAIN_MS);
    }
    this.ready = ready;
    return this.sync();
  }

  /** Ask the host for its time, several times. */
  sync() {
    this.#busy ??= this.#measure().finally(() => {
      this.#busy = null;
    });
    return this.#busy;
  }

  async #measure() {
    let shortest = Infinity;
    for (let i = 0; i < PINGS; i++) {
      const [sent, wall_sent] = bothClocks();
      const answer = await fetch("/api/v1/clock", { cache: "no-store" });
      const [got, wall] = bothClocks(); // before the answer is read, which may take its time
      if (!answer.ok) throw new Error("no clock");
      const { t_ns } = await answer.json();
      shortest = Math.min(shortest, got - sent);
      this.enough_ns = this.patient && i < PINGS - 1 ? ENOUGH_NS : Infinity;
      this.note(sent, got, t_ns, wall, wall_sent);
      this.heard?.();
    }
    this.patient = false;
    this.rtt_ns = Math.round(shortest * 1e6);
    await this.ready?.();
  }

  /** Tell the table that this page is there: one that was started again does not know. */
  tell() {
    if (this.known) this.ready?.()?.catch(() => {});
  }

  /** How far the two clocks may have drifted apart since they were last compared. */
  get drift_ns() {
    return this.drifted_ns(performance.now());
  }

  /** How far the mapping in use may be off now, with the grain of the browser's clock. */
  get u_ns() {
    return this.off_ns(performance.now()) + this.grain_ns;
  }
}
