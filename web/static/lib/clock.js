// @ts-check
// The page's clock against the host's: every answer that bears the host's time bounds how far it is ahead, hard and
// for both ways; bounds widen with time as clocks drift, and the mapping never moves in the middle of a round.
const PINGS = 4; // every later answer bounds the clock as well
const AGAIN_MS = 30_000;
const RESOLUTION_NS = 100_000; // browsers round their clocks to a tenth of a millisecond
const DRIFT = 200e-6; // two quartz clocks at 50 ppm each, and as much again for one that is being set right

export const PAGE = crypto.getRandomValues(new Uint32Array(2)).reduce((id, n) => id + n.toString(36), "p");

export class HostClock {
  // How far the host is ahead of `performance.now()`: not less than #least_ns, not more than #most_ns, at #at_ms.
  #least_ns = -Infinity;
  #most_ns = Infinity;
  #at_ms = 0;
  /** @type {number | null} */
  #offset_ns = null; // the mapping in use
  /** @type {Promise<void> | null} */
  #busy = null;
  /** @type {((slow_ns: number) => Promise<unknown>) | undefined} */
  ready;
  rtt_ns = 0;
  /** The longest that anything took to get through lately: how late a tap may come. */
  slow_ns = 0;
  /** Set to true from the first tap of a round until it is decided: its presses must share one mapping. */
  frozen = false;

  /**
   * Begin, and call *ready(slow_ns)* after every synchronisation, and when something took longer than known.
   *
   * @param {(slow_ns: number) => Promise<unknown>} ready
   */
  start(ready) {
    this.ready = ready;
    setInterval(() => this.frozen || document.hidden || this.sync().catch(() => {}), AGAIN_MS);
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
    let worst = 0;
    for (let i = 0; i < PINGS; i++) {
      const sent = performance.now();
      const answer = await fetch("/api/v1/clock", { cache: "no-store" });
      const got = performance.now();
      if (!answer.ok) throw new Error("no clock");
      const { t_ns } = await answer.json();
      if (i) worst = Math.max(worst, got - sent); // the first one opens the connection
      shortest = Math.min(shortest, got - sent);
      this.note(sent, got, t_ns);
    }
    this.rtt_ns = Math.round(shortest * 1e6);
    this.slow_ns = Math.round(worst * 1e6);
    await this.ready?.(this.slow_ns);
  }

  /**
   * Learn that the host's clock stood at *t_ns* at some time between *sent_ms* and *got_ms* of the page's.
   *
   * @param {number} sent_ms
   * @param {number} got_ms
   * @param {number} t_ns
   */
  note(sent_ms, got_ms, t_ns) {
    const [least_ns, most_ns] = this.#bounds(got_ms);
    const least = Math.max(least_ns, t_ns - got_ms * 1e6);
    const most = Math.min(most_ns, t_ns - sent_ms * 1e6);
    // Bounds that contradict each other: one of the clocks has stood still (a phone that slept). Begin anew.
    const known = least <= most;
    this.#least_ns = known ? least : t_ns - got_ms * 1e6;
    this.#most_ns = known ? most : t_ns - sent_ms * 1e6;
    this.#at_ms = got_ms;
    if (!this.frozen || this.#offset_ns === null || !known) this.#offset_ns = (this.#least_ns + this.#most_ns) / 2;
  }

  /** How far the two clocks may have drifted apart since they were last compared. */
  get drift_ns() {
    return Math.max(0, performance.now() - this.#at_ms) * 1e6 * DRIFT;
  }

  /** @param {number} now_ms */
  #bounds(now_ms) {
    const drifted_ns = Math.max(0, now_ms - this.#at_ms) * 1e6 * DRIFT;
    return [this.#least_ns - drifted_ns, this.#most_ns + drifted_ns];
  }

  /**
   * Learn that something that happened at *stamp_ms* has only now got through.
   *
   * @param {number} stamp_ms
   */
  arrived(stamp_ms) {
    const late_ns = Math.round((performance.now() - stamp_ms) * 1e6);
    if (late_ns <= this.slow_ns) return;
    this.slow_ns = late_ns;
    this.ready?.(late_ns)?.catch(() => {});
  }

  /** Tell the table that this page is there: one that was started again does not know. */
  tell() {
    if (this.known) this.ready?.(this.slow_ns)?.catch(() => {});
  }

  get known() {
    return this.#offset_ns !== null;
  }

  /** How far the mapping in use may be off now, and the grain of the browser's clock. */
  get u_ns() {
    if (this.#offset_ns === null) return 0;
    const [least_ns, most_ns] = this.#bounds(performance.now());
    return Math.round(Math.max(this.#offset_ns - least_ns, most_ns - this.#offset_ns)) + RESOLUTION_NS;
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
   * @param {number} stamp_ms
   */
  earliest_ns(stamp_ms) {
    const [least_ns] = this.#bounds(performance.now());
    return Math.floor(stamp_ms * 1e6 + Math.min(least_ns, this.#offset_ns ?? 0));
  }
}
