// @ts-check
// One stream a page. It says when it is lost or refused, comes back by itself, and catches up with the newest state.
import { held } from "./dom.js";
import { LANG } from "./words.js";

/**
 * @template S
 * @typedef {(state: S, before: S | null) => unknown} Listener
 */
/** @typedef {(connected: boolean, why: string | null) => unknown} Watcher */

const part = document.body?.dataset?.part; // a page may follow a part of what is shown alone
const EVENTS = `/events?lang=${LANG}${part ? `&part=${part}` : ""}`;
const RETRY_MS = [500, 1000, 2000, 4000, 5000];
// The table gives a sign of life every 5 s: a connection that died without a word is noticed after two of them.
const SILENCE_MS = 12_000;
const FULL_MS = 10_000;

/**
 * Return *state* with a change: fields again, those that are `left_out` away, and `items` of its tables by their index.
 *
 * @template S
 * @param {S} state
 * @param {{ left_out?: string[], gone?: string[], items?: Record<string, unknown> } & Partial<S>} change
 * @returns {S}
 */
export function changed(state, { left_out = [], gone: _, items, ...fields }) {
  /** @type {any} */
  const made = { ...state, ...fields };
  for (const name of left_out) delete made[name];
  if (items) made.tables = made.tables.map((/** @type {unknown} */ one, /** @type {number} */ n) => items[n] ?? one);
  return made;
}

/** @template {{ version: number }} S */
export class Live {
  /** @type {Set<Listener<S>>} */
  #listeners = new Set();
  /** @type {Set<Watcher>} */
  #watchers = new Set();
  /** @type {EventSource | null} */
  #source = null;
  #tries = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #heard = performance.now();
  #fresh = true;
  /** @type {S} */
  state;
  /** @type {S | null} What the stream has told so far: what it changes is this, whatever answers have told since. */
  #streamed = null;
  connected = true;
  /** By how much the table's wall clock is ahead of ours: viewers' clocks are often wrong. */
  ahead_ms = 0;
  /** @type {string | null} */
  #why = null;
  /** Called with what this device may do by now, and with a number that grows whenever devices or guests change. */
  onYou = (/** @type {string} */ _role, /** @type {number} */ _version, /** @type {boolean} */ _asked) => {};

  constructor() {
    this.state = held("#state");
    addEventListener("online", () => this.#again(0));
    addEventListener("pageshow", (event) => event.persisted && this.#again(0));
    addEventListener("pagehide", () => this.#source?.close());
    document.addEventListener("visibilitychange", () => document.hidden || this.#check());
    setInterval(() => this.#check(), 1000);
  }

  /** The table's wall time, in s. */
  now_s() {
    return (Date.now() + this.ahead_ms) / 1000;
  }

  /**
   * Call *listener(state, before)* now and with every newer state.
   *
   * @param {Listener<S>} listener
   */
  follow(listener) {
    this.#listeners.add(listener);
    listener(this.state, null);
    if (!this.#source) this.#open();
    return this;
  }

  /**
   * Call *watcher(connected, why)* whenever the stream is lost or found; *why* is the table's own sentence.
   *
   * @param {Watcher} watcher
   */
  watch(watcher) {
    this.#watchers.add(watcher);
    return this;
  }

  /**
   * Take a state that came as the answer to a command.
   *
   * @param {S} state
   */
  take(state) {
    if (!this.#fresh && state.version < this.state.version) return;
    const before = this.state;
    this.#fresh = false;
    this.state = state;
    for (const listener of this.#listeners) listener(state, before);
  }

  #open() {
    clearTimeout(this.#timer);
    this.#heard = performance.now();
    const source = new EventSource(EVENTS);
    this.#source = source;
    source.onopen = () => {
      this.#tries = 0;
      this.#heard = performance.now();
      this.#fresh = true; // a table that was started again counts its versions from the beginning
      this.#say(true, null);
    };
    source.onmessage = (message) => {
      this.#heard = performance.now();
      this.#streamed = /** @type {S} */ (JSON.parse(message.data));
      this.take(this.#streamed);
    };
    source.addEventListener("change", (message) => {
      this.#heard = performance.now();
      if (!this.#streamed) return;
      this.#streamed = changed(this.#streamed, JSON.parse(message.data));
      this.take(this.#streamed);
    });
    source.addEventListener("beat", (message) => {
      this.#heard = performance.now();
      this.ahead_ms = Number(message.data) - Date.now();
    });
    source.addEventListener("you", (message) => {
      const [role, version, asked] = String(message.data).split(" ");
      this.onYou(role, Number(version ?? 0), asked === "asked");
    });
    source.onerror = () => {
      this.#say(false);
      // A refusal is not read by the browser, and not tried again: the table is full.
      const refused = source.readyState === EventSource.CLOSED;
      this.#again(refused ? FULL_MS * (1 + Math.random()) : RETRY_MS[Math.min(this.#tries++, RETRY_MS.length - 1)]);
      if (refused) this.#ask();
    };
  }

  // Why the stream is refused, in the table's words.
  async #ask() {
    const over = new AbortController();
    try {
      const answer = await fetch(EVENTS, { signal: over.signal, cache: "no-store" });
      if ([403, 503].includes(answer.status)) this.#say(false, (await answer.text()).trim());
    } catch {
      // The stream itself is tried again anyway.
    } finally {
      over.abort();
    }
  }

  /** @param {number} wait_ms */
  #again(wait_ms) {
    this.#source?.close();
    this.#source = null; // nothing is heard, and nothing is missed, until the next one is opened
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#open(), wait_ms);
  }

  // A connection can die without a word (the phone changed network, or lost it while a new one opened).
  #check() {
    if (!this.#source || document.hidden || performance.now() - this.#heard < SILENCE_MS) return;
    this.#say(false, this.#why);
    this.#again(0);
  }

  /**
   * @param {boolean} connected
   * @param {string | null} [why]
   */
  #say(connected, why = null) {
    if (connected === this.connected && why === this.#why) return;
    this.connected = connected;
    this.#why = why;
    for (const watcher of this.#watchers) watcher(connected, why);
  }
}
