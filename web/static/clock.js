// The page's clock against the host's: the best of several pings, again every half minute, never in the middle of a round.
const PINGS = 8;
const AGAIN_MS = 30_000;
const RESOLUTION_NS = 100_000; // browsers round their clocks to a tenth of a millisecond

export const PAGE = crypto.getRandomValues(new Uint32Array(2)).reduce((id, n) => id + n.toString(36), "p");

export class HostClock {
  #offset_ns = null;
  #busy = null;
  rtt_ns = 0;
  /** The longest that anything took to get through lately: how late a tap may come. */
  slow_ns = 0;
  /** Set to true while a round runs: its presses must share one mapping. */
  frozen = false;

  /** Begin, and call *ready(slow_ns)* after every synchronisation, and when something took longer than known. */
  start(ready) {
    this.ready = ready;
    setInterval(() => this.frozen || document.hidden || this.sync().catch(() => {}), AGAIN_MS);
    return this.sync();
  }

  /** Ask the host for its time, several times; keep the answer that was under way the shortest. */
  sync() {
    this.#busy ??= this.#measure().finally(() => (this.#busy = null));
    return this.#busy;
  }

  async #measure() {
    let best = null;
    let worst = 0;
    for (let i = 0; i < PINGS; i++) {
      const sent = performance.now();
      const answer = await fetch("/api/v1/clock", { cache: "no-store" });
      const got = performance.now();
      if (!answer.ok) throw new Error("no clock");
      const { t_ns } = await answer.json();
      if (i) worst = Math.max(worst, got - sent); // the first one opens the connection
      if (!best || got - sent < best.rtt) best = { rtt: got - sent, offset_ns: t_ns - ((sent + got) / 2) * 1e6 };
    }
    this.rtt_ns = Math.round(best.rtt * 1e6);
    this.#offset_ns = best.offset_ns;
    this.slow_ns = Math.round(worst * 1e6);
    await this.ready?.(this.slow_ns);
  }

  /** Learn that something that happened at *stamp_ms* has only now got through. */
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

  /** Half the shortest way there and back, and the grain of the browser's clock. */
  get u_ns() {
    return Math.round(this.rtt_ns / 2) + RESOLUTION_NS;
  }

  /** Return the host's time of a browser event's time stamp (milliseconds of the page). */
  host_ns(stamp_ms) {
    return Math.round(stamp_ms * 1e6 + this.#offset_ns);
  }
}
