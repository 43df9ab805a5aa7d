// @ts-check
// Touches on their way to the table: the protocol is in lib/touches.js, here are its timer and its requests. It also
// tells the table that the page is there, and whose nose it is.
import { ask, Refused } from "../lib/api.js";
import { bothClocks, PAGE } from "../lib/clock.js";
import { Touches, wordOf } from "../lib/touches.js";
import { t } from "../lib/words.js";

const ANSWER_WITHIN_MS = 6000;
const KEPT = "lastnose-left-"; // with a page's id: what the tab keeps of it until the table has answered
const KEPT_AGAIN_MS = 400;
const KEPT_WITHIN_MS = 2000;
const LOST = t("A tap has been lost on the way: the round may be void.");

export class TapPost {
  #touches;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #asked = false; // for the host's clock
  #phase = "";
  #told = false; // of the last failure
  #was_cut = false;
  /** Called when the way to the table is lost, and when it is found again. */
  /** @type {() => unknown} */
  onCut = () => {};
  /** Called when the host has let another page be the nose that this one was. */
  /** @type {() => unknown} */
  onReplaced = () => {};
  /** Called with the table's sentence when it knows this browser no more: its cookies are gone, or it was put out. */
  /** @type {((why: string) => unknown) | null} */
  onUnknown = null;
  /** Called when the table has heard who this page is. */
  /** @type {(as: Partial<Api.PageClock>) => unknown} */
  onIntroduced = () => {};
  #begun = false;
  #refused;
  #who;
  #after = kept().map((key) => key.slice(KEPT.length)); // the pages before this one in its tab

  /**
   * @param {import("../lib/clock.js").HostClock} clock
   * @param {(refusal: Error) => void} refused
   * @param {() => Partial<Api.PageClock>} [who] what a page that is a nose says of itself
   */
  constructor(clock, refused, who = () => ({})) {
    this.clock = clock;
    this.#refused = refused;
    this.#who = who;
    this.#touches = new Touches(PAGE, clock);
  }

  /** Whether the last word did not get through: the table does not hear this page. */
  get cut() {
    return this.#touches.cut;
  }

  /** What becomes of a touch while this page is cut off: it is "waiting", or "lost"; "" when there is none. */
  get unsent() {
    return this.#touches.unsent(performance.now());
  }

  /** Whether another page was in this tab before, whose noses this one carries on. */
  get follows() {
    return this.#after.length > 0 && !this.#who().owns;
  }

  /** Whether this page may carry a nose: it owns one, or one was tapped on it. */
  get carries() {
    return this.#touches.carries;
  }

  set carries(may) {
    this.#touches.carries = may;
  }

  /** @param {import("../lib/touches.js").Tap} tap */
  add(tap) {
    const [now_ms, wall_ms] = bothClocks();
    this.#touches.add(now_ms, tap, wall_ms);
    this.#keep(now_ms, wall_ms);
    if (this.#touches.gone) this.leave();
    else queueMicrotask(() => this.#go()); // with what else comes of the same event
  }

  /**
   * Learn what the table is at: it decides how often to promise.
   *
   * @param {string} phase
   */
  follow(phase) {
    this.#phase = phase;
    this.#touches.follow(performance.now(), phase);
    this.#go();
  }

  /** Begin: set the clock and introduce the page, again each time that clock is set; from then on touches go. */
  async start() {
    if (this.#begun) await this.introduce();
    else {
      this.clock.heard = () => this.#who().owns || this.#go(); // a touch that waits goes with the first comparison
      if (this.follows) {
        this.carries = this.clock.patient = true;
        this.introduce().catch(() => {}); // at once: what is touched before it knows the clock is waited for
      }
      const before = this.#settleBefore(); // the page before this one says its last word first
      await this.clock.start(() => before.then(() => this.introduce()));
    }
    this.#begun = true;
    this.wake();
  }

  /** Tell the table that this page is there, and who it is. */
  async introduce() {
    const as = this.#who();
    this.#touches.met = true; // from here on the table may wait for it
    const after = this.follows ? { after: this.#after } : {};
    await ask("/api/v1/clock", { body: { page: PAGE, ...as, ...after, ...this.clock.echo(performance.now()) } });
    this.onIntroduced(as);
    if (hidden()) this.leave(); // meanwhile, and now it counts as awake again
  }

  /** Begin, or go on after the page was hidden; where it is hidden again by now, say so again. */
  wake() {
    if (hidden()) return this.leave();
    this.#touches.wake(performance.now());
    this.#go();
  }

  /** Send what is left, and the word that nothing more will come. */
  leave() {
    const [now_ms, wall_ms] = bothClocks();
    const word = this.#touches.leave(now_ms, wall_ms);
    if (word) this.#keep(now_ms, wall_ms);
    if (word) this.#send(word);
    this.#go();
  }

  /**
   * Let the tab keep what has not been answered: this page may be loaded again before it is.
   *
   * @param {number} now_ms
   * @param {number} wall_ms
   */
  #keep(now_ms, wall_ms) {
    try {
      sessionStorage.setItem(KEPT + PAGE, JSON.stringify(this.#touches.kept(now_ms, wall_ms)));
    } catch {
      // it keeps nothing: what the last word does not bring is missing, and the table says so
    }
  }

  /** Say the last words of the pages that were in this tab before, once or until they get through. */
  async #settleBefore() {
    await Promise.all(kept().map((key) => this.#sayBefore(key)));
  }

  /** @param {string} key */
  async #sayBefore(key) {
    try {
      const before = JSON.parse(sessionStorage.getItem(key) ?? "");
      if (before.unmapped.length && !this.clock.known) await this.clock.sync();
      const body = wordOf(before, this.clock, ...bothClocks());
      await ask("/api/v1/taps", { body, keepalive: true, signal: AbortSignal.timeout(KEPT_WITHIN_MS) });
    } catch (problem) {
      const refused = problem instanceof Refused && problem.status >= 400 && problem.status < 500;
      if (!refused && !(problem instanceof SyntaxError)) {
        setTimeout(() => this.#sayBefore(key), KEPT_AGAIN_MS);
        return;
      }
    }
    sessionStorage.removeItem(key);
  }

  /** Send what is due, and come again when more is. *turn*: the browser's loop has turned in between. */
  #go(turn = false) {
    const touches = this.#touches;
    const [now_ms, wall_ms] = bothClocks();
    for (const word of touches.say(now_ms, turn, wall_ms)) this.#send(word);
    this.#tellCut();
    clearTimeout(this.#timer);
    const { due_ms } = touches;
    if (due_ms < Infinity) this.#timer = setTimeout(() => this.#go(true), Math.max(0, due_ms - performance.now()));
    if (touches.needs_clock && !this.#asked) this.#setClock();
  }

  async #setClock() {
    this.#asked = true;
    try {
      await this.clock.sync();
    } catch {
      this.#touches.unheard();
      this.#tellCut();
      await new Promise((turn) => setTimeout(turn, 400)); // the stream says already that the table is away
    } finally {
      this.#asked = false;
      this.#go();
    }
  }

  /** @param {{ n: number; body: Api.Taps }} word */
  async #send({ n, body }) {
    const touches = this.#touches;
    const stop = new AbortController();
    const late = setTimeout(() => stop.abort(), ANSWER_WITHIN_MS);
    try {
      const keepalive = body.taps.length > 0 || body.leaves;
      const heard = await ask("/api/v1/taps", { body, keepalive, signal: stop.signal });
      this.#took(n, body, heard);
    } catch (problem) {
      touches.failed(performance.now(), n);
      if (this.onUnknown && problem instanceof Refused && problem.status === 403) this.onUnknown(problem.message);
      else if (body.taps.length && !this.#told)
        this.#refused(problem instanceof Error ? problem : new Error(String(problem)));
      this.#told ||= body.taps.length > 0;
    } finally {
      clearTimeout(late);
      this.#go();
    }
  }

  /**
   * @param {number} n
   * @param {Api.Taps} body
   * @param {Api.Heard} heard
   */
  #took(n, body, heard) {
    const [now_ms, wall_ms] = bothClocks();
    const lost = this.#touches.heard(now_ms, n, heard, wall_ms);
    this.#told = false;
    if (heard.replaced && !body.leaves) this.onReplaced();
    if (heard.fates.some(({ fate }) => fate === "refused")) this.#refused(new Refused(heard.said ?? LOST));
    else if (lost && ["armed", "judging"].includes(this.#phase)) this.#refused(new Refused(LOST));
  }

  #tellCut() {
    if (this.#was_cut === this.cut) return;
    this.#was_cut = this.cut;
    this.onCut();
  }
}

/** Return under which keys the tab keeps what pages before this one have left. */
function kept() {
  try {
    return Object.keys(sessionStorage).filter((key) => key.startsWith(KEPT) && key !== KEPT + PAGE);
  } catch {
    return [];
  }
}

/** Whether nobody sees the page. */
const hidden = () => globalThis.document?.hidden ?? false;
