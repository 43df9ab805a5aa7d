// @ts-check
// The page's half of the protocol of touches, which web/taps.py tells: numbers, words, promises. What has not been
// answered is said again with the same number, and nothing is promised beyond it. No timer, clock or network in here:
// time is an argument, and what is to be sent comes out.

const OFTEN_MS = 8;
const ARMED_MS = 250;
const IDLE_MS = 1000;
const EXCITED_MS = 3000; // so long after a tap of one's own something may be decided
const GRACE_MS = 8; // how late the browser hands over an event, at the least
const MOST_GRACE_MS = 120;
const RETRY_MS = [40, 80, 160, 400]; // what did not get through, the first time and from then on
const UNANSWERED_MS = 600; // what is under way for so long is said once more beside it
const QUIET_MS = 2000; // no answer for so long: whoever touches a nose is to know that the table may not hear of it
const LOST_MS = 3500; // after its last word the table has counted this page as silent: no touch since then is in time
const MOST_POSTS = 4; // words with touches that are under way; what comes meanwhile goes together with the next
const MOST_OPEN = 200; // touches that wait: older ones are told as missing

/**
 * @typedef {{ line: string; level: number; stamp_ms: number; kind: Page.TouchKind }} Tap
 * @typedef {Tap & { no: number; u_ns: number; epoch: number | null; sent_ms: number }} Touch
 * @typedef {{ no: number; line: string; level: number; kind: Page.TouchKind; at_ms: number }} Unmapped
 * @typedef {{ body: Api.Taps; unmapped: Unmapped[] }} Kept
 * @typedef {{ nos: number[]; sent_ms: number; wall_ms: number; upto: number; leaves: boolean; promise: boolean }} Word
 */

export class Touches {
  /** @type {Map<number, Touch>} those not answered, by number */
  #open = new Map();
  #given = 0; // the last number
  #dropped = 0; // the last number of those that were too many
  /** @type {Map<number, Word>} words under way */
  #words = new Map();
  #n = 0;
  #gone = false; // the page is hidden or left: everything went at once, and nothing more follows
  #phase = "";
  #post_ms = Infinity; // when touches are due
  #promise_ms = Infinity; // when a promise is due
  /** @type {number | null} */
  #seen_ms = null; // when a promise was begun: what came before waits in the browser until the next turn of its loop
  #again_ms = OFTEN_MS;
  #failures = 0; // one after the other
  #tapped_ms = -Infinity;
  #lag_ms = 0;
  #heard_ms = -Infinity; // when the last word had got through
  #awaited = false; // it carried a nose by then: the table counts it as silent without further words
  #unsent = false; // a touch has not got through since
  /** Whether the last word did not get through: the table does not hear this page. */
  cut = false;
  /** Whether this page may carry a nose: it owns one, or one was tapped on it. */
  carries = false;
  /** Whether the table has been told of this page. */
  met = false;

  /**
   * @param {string} page
   * @param {import("./clock.js").Mapping} mapping
   */
  constructor(page, mapping) {
    this.page = page;
    this.mapping = mapping;
  }

  /**
   * Take a touch; *wall_ms* is what the other clock of the browser says now.
   *
   * @param {number} now_ms
   * @param {Tap} tap
   * @param {number} wall_ms
   */
  add(now_ms, tap, wall_ms) {
    const { mapping } = this;
    const stamp_ms = Math.min(tap.stamp_ms, now_ms);
    this.#unsent ||= tap.level === 1;
    this.#lag_ms = Math.max(this.#lag_ms * 0.9, now_ms - stamp_ms);
    this.#tapped_ms = now_ms;
    this.carries = true;
    mapping.frozen = true; // what is touched in one round is mapped alike, from the first touch on
    const no = ++this.#given;
    const epoch = mapping.known ? mapping.epoch : null;
    const u_ns = Math.round(mapping.grain_ns) + mapping.apart_ns(now_ms, wall_ms);
    this.#open.set(no, { ...tap, stamp_ms, no, u_ns, epoch, sent_ms: -Infinity });
    if (this.#open.size > MOST_OPEN) {
      const [oldest] = this.#open.keys();
      this.#open.delete(oldest);
      this.#dropped = oldest;
    }
    this.#post_ms = Math.min(this.#post_ms, now_ms);
  }

  /**
   * Learn what the table is at: it decides how often to promise.
   *
   * @param {number} now_ms
   * @param {string} phase
   */
  follow(now_ms, phase) {
    const same = phase === this.#phase;
    this.#phase = phase;
    this.#freeze(now_ms);
    if (!same) this.#plan(now_ms);
  }

  /**
   * Begin, or go on after the page was hidden: meanwhile its clock may have stood still.
   *
   * @param {number} now_ms
   */
  wake(now_ms) {
    if (this.#gone) this.mapping.doubt();
    this.#gone = false;
    if (this.#open.size) this.#post_ms = now_ms;
    this.#plan(now_ms, 0);
  }

  /** Whether the page is hidden or left: what it is still told of is to go with another last word. */
  get gone() {
    return this.#gone;
  }

  /**
   * Return the last word of a page that is hidden or left: all that has not been answered, and that no more comes.
   * Null where it has nothing to take back: the table was not told of it, nor may it carry a nose.
   *
   * @param {number} now_ms
   * @param {number} wall_ms what the other clock of the browser says
   */
  leave(now_ms, wall_ms) {
    this.#gone = true;
    this.#post_ms = this.#promise_ms = Infinity;
    this.#seen_ms = null;
    if (!this.#n && !this.#open.size && !this.carries && !this.met) return null;
    return this.#word(now_ms, wall_ms, [...this.#open.values()], { until_ms: now_ms - this.#grace_ms, leaves: true });
  }

  /**
   * Return what the tab keeps for whatever page is opened in it next, should this one go before it is answered.
   *
   * @param {number} now_ms
   * @param {number} wall_ms what the other clock of the browser says
   * @returns {Kept}
   */
  kept(now_ms, wall_ms) {
    const touches = [...this.#open.values()];
    const began_ms = wall_ms - now_ms;
    return {
      body: { ...this.#body(now_ms, touches), leaves: true, upto: this.#given, n: this.#n, ...UNTOLD },
      unmapped: this.mapping.known
        ? []
        : touches.map(({ no, line, level, kind, stamp_ms }) => ({ no, line, level, kind, at_ms: began_ms + stamp_ms })),
    };
  }

  /** Learn that the table was asked for its clock in vain. */
  unheard() {
    this.cut = true;
  }

  /** Whether something is to be said that cannot, as the host's clock is not known. */
  get needs_clock() {
    return !this.#gone && !this.mapping.known && (this.#open.size > 0 || this.#promise_ms < Infinity);
  }

  /** When `say` has something to do, in milliseconds of the page. */
  get due_ms() {
    if (this.#gone) return Infinity;
    const quiet = Math.min(...[...this.#words.values()].map(({ sent_ms }) => sent_ms)) + QUIET_MS;
    const due = this.mapping.known ? Math.min(this.#post_ms, this.#promise_ms) : Infinity;
    return Math.min(due, this.cut ? Infinity : quiet);
  }

  /**
   * Return what is to be sent now. *turn*: the browser's loop has turned since this was last asked.
   *
   * @param {number} now_ms
   * @param {boolean} turn
   * @param {number} wall_ms what the other clock of the browser says
   */
  say(now_ms, turn, wall_ms) {
    /** @type {NonNullable<ReturnType<Touches["leave"]>>[]} */
    const said = [];
    if ([...this.#words.values()].some(({ sent_ms }) => sent_ms + QUIET_MS <= now_ms)) this.cut = true;
    if (this.#gone || !this.mapping.known) return said;
    if (this.#post_ms <= now_ms) {
      const due = this.#due(now_ms);
      if (due.length) said.push(this.#word(now_ms, wall_ms, due));
      const waiting = [...this.#open.values()]
        .map(({ sent_ms }) => sent_ms + UNANSWERED_MS)
        .filter((at) => at > now_ms);
      this.#post_ms = Math.min(Infinity, ...waiting);
    }
    if (turn && this.#promise_ms <= now_ms) {
      if (this.#seen_ms === null) {
        this.#seen_ms = now_ms;
        this.#freeze(now_ms);
      } else {
        // By a clock that has jumped nothing is promised: the answer sets it.
        const jumped = this.mapping.apart_ns(now_ms, wall_ms) > 0;
        const until_ms = jumped ? undefined : this.#seen_ms - this.#grace_ms;
        this.#planAgain(now_ms, UNANSWERED_MS); // unless it is answered before
        const sent_ms = Math.max(...this.#promises.map((word) => word.sent_ms));
        if (sent_ms + UNANSWERED_MS > now_ms) this.#promise_ms = sent_ms + UNANSWERED_MS;
        else said.push(this.#word(now_ms, wall_ms, [], { until_ms }));
      }
    }
    return said;
  }

  // Requests may overtake each other: the next change of a line waits until its last one has been answered.
  /** @param {number} now_ms */
  #due(now_ms) {
    if ([...this.#words.values()].filter(({ nos }) => nos.length).length >= MOST_POSTS) return [];
    /** @type {Set<string>} */
    const busy = new Set();
    return [...this.#open.values()].filter(({ line, sent_ms }) => {
      const free = !busy.has(line) && sent_ms + UNANSWERED_MS <= now_ms;
      if (sent_ms > -Infinity) busy.add(line);
      return free;
    });
  }

  /**
   * @param {number} now_ms
   * @param {number} wall_ms
   * @param {Touch[]} touches
   * @param {{ until_ms?: number; leaves?: boolean }} [more]
   */
  #word(now_ms, wall_ms, touches, { until_ms, leaves = false } = {}) {
    const { mapping } = this;
    if (!mapping.known) touches = []; // nobody can say when they were: they are told as missing
    const upto = leaves ? this.#given : Math.min(this.#given + 1, ...this.#open.keys()) - 1;
    const open_ms = [...this.#open.values()].map(({ stamp_ms, u_ns }) => stamp_ms - u_ns / 1e6);
    const bound = leaves ? [] : open_ms; // a last word has all of them in it
    const until = until_ms === undefined || !mapping.known ? null : Math.min(until_ms, ...bound);
    const n = ++this.#n;
    for (const touch of touches) {
      touch.sent_ms = now_ms;
      touch.epoch ??= mapping.epoch;
    }
    const nos = touches.map(({ no }) => no);
    this.#words.set(n, { nos, sent_ms: now_ms, wall_ms, upto, leaves, promise: until !== null });
    const promised_ns = until === null ? null : mapping.earliest_ns(now_ms, until);
    return { n, body: { ...this.#body(now_ms, touches), promised_ns, upto, leaves, n, ...mapping.echo(now_ms) } };
  }

  /**
   * Return what every word has in it.
   *
   * @param {number} now_ms
   * @param {Touch[]} touches
   */
  #body(now_ms, touches) {
    const { mapping } = this;
    const first = Math.min(this.#given + 1, ...this.#open.keys());
    return {
      page: this.page,
      clock_u_ns: Math.min(mapping.off_ns(now_ms), MOST_NS),
      taps: (mapping.known ? touches : []).map(({ no, line, level, kind, stamp_ms, u_ns, epoch }) => ({
        ...{ no, line, level, kind, t_ns: mapping.host_ns(stamp_ms) },
        u_ns: Math.min(MOST_NS, u_ns + mapping.moved_ns(epoch ?? mapping.epoch)),
      })),
      answered: this.#dropped ? Math.min(this.#dropped - 1, first - 1) : first - 1,
      epoch: mapping.epoch,
    };
  }

  /**
   * Take the table's answer to word *n*; return whether touches of it were lost, and what was said of them.
   *
   * @param {number} now_ms
   * @param {number} n
   * @param {Api.Heard} answer
   * @param {number} wall_ms
   */
  heard(now_ms, n, answer, wall_ms) {
    const word = this.#words.get(n);
    this.#words.delete(n);
    if (word) this.mapping.note(word.sent_ms, now_ms, answer.t_ns, wall_ms, word.wall_ms);
    let lost = false;
    for (const { no, fate } of answer.fates) {
      lost ||= fate === "lost" && this.#open.get(no)?.level === 1;
      this.#open.delete(no);
    }
    if (word && this.#dropped && word.upto >= this.#dropped) {
      this.#dropped = 0;
      lost = true;
    }
    this.#failures = 0;
    this.#heard_ms = now_ms;
    this.#awaited = this.carries;
    this.#unsent = [...this.#open.values()].some(({ level }) => level === 1);
    this.cut = false;
    this.#again_ms = Math.max(OFTEN_MS, answer.again_ms);
    if (this.#open.size) this.#post_ms = Math.min(this.#post_ms, now_ms);
    this.#freeze(now_ms);
    if (word?.promise && !this.#promises.length) this.#planAgain(now_ms, this.#pause(now_ms));
    else this.#plan(now_ms);
    return lost;
  }

  /**
   * Learn that word *n* did not get through, or was answered with anything but an answer: it counts for nothing.
   *
   * @param {number} now_ms
   * @param {number} n
   */
  failed(now_ms, n) {
    const word = this.#words.get(n);
    this.#words.delete(n);
    this.cut = true;
    if (!word || this.#gone) return;
    const wait_ms = RETRY_MS[Math.min(this.#failures++, RETRY_MS.length - 1)];
    for (const no of word.nos) {
      const touch = this.#open.get(no);
      if (touch?.sent_ms === word.sent_ms) touch.sent_ms = -Infinity;
    }
    if (this.#open.size) this.#post_ms = Math.min(Math.max(this.#post_ms, now_ms), now_ms + wait_ms);
    if (word.promise) this.#planAgain(now_ms, RETRY_MS[RETRY_MS.length - 1]);
    else this.#plan(now_ms);
  }

  /**
   * Return what becomes of a touch while this page is cut off: it is "waiting", or "lost"; "" when there is none.
   *
   * @param {number} now_ms
   */
  unsent(now_ms) {
    if (!this.cut || !this.#unsent) return "";
    return this.#awaited && now_ms - this.#heard_ms > LOST_MS ? "lost" : "waiting";
  }

  // ---- promises

  /** @param {number} now_ms */
  #excited(now_ms) {
    return now_ms - this.#tapped_ms < EXCITED_MS;
  }

  /** @param {number} now_ms */
  #freeze(now_ms) {
    this.mapping.frozen = this.#phase === "judging" || this.#excited(now_ms);
  }

  /**
   * Return how long to wait for the next promise, as things stand.
   *
   * @param {number} now_ms
   */
  #pause(now_ms) {
    if (this.#phase === "judging" || this.#excited(now_ms)) return this.#again_ms;
    if (!this.carries) return Infinity;
    return Math.max(this.#phase === "armed" ? ARMED_MS : IDLE_MS, this.#again_ms);
  }

  /**
   * @param {number} now_ms
   * @param {number} wait_ms
   */
  #plan(now_ms, wait_ms = this.#pause(now_ms)) {
    if (!this.#gone) this.#promise_ms = Math.min(this.#promise_ms, now_ms + wait_ms);
  }

  /**
   * @param {number} now_ms
   * @param {number} wait_ms
   */
  #planAgain(now_ms, wait_ms) {
    this.#seen_ms = null;
    this.#promise_ms = this.#gone ? Infinity : now_ms + wait_ms;
  }

  get #promises() {
    return [...this.#words.values()].filter(({ promise }) => promise);
  }

  get #grace_ms() {
    return Math.min(MOST_GRACE_MS, Math.max(GRACE_MS, 2 * this.#lag_ms));
  }
}

const MOST_NS = 2e9; // a claim wider than that is none
const UNTOLD = { promised_ns: null, echo_ns: 0, held_ns: 0 }; // by a clock that is gone nothing is promised or measured

/**
 * Return the last word of a page that is gone, from what the tab has kept of it: its touches with their own numbers and
 * times. When one was that it could not map is known by the date alone: it says so, with a claim that is none.
 *
 * @param {Kept} kept
 * @param {import("./clock.js").Mapping} mapping of the page that says it
 * @param {number} now_ms
 * @param {number} wall_ms
 * @returns {Api.Taps}
 */
export function wordOf({ body, unmapped }, mapping, now_ms, wall_ms) {
  const late = unmapped.map(({ at_ms, ...tap }) => ({
    ...tap,
    t_ns: mapping.host_ns(Math.min(now_ms, now_ms - wall_ms + at_ms)),
    u_ns: MOST_NS,
  }));
  return { ...body, taps: mapping.known ? [...body.taps, ...late] : body.taps, n: (body.n ?? 0) + 1 };
}
