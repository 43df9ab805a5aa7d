// One stream a page. It says when it is lost, comes back by itself, and catches up with the newest state.
import { LANG } from "./words.js";

const RETRY_MS = [500, 1000, 2000, 4000, 5000];
const SILENCE_MS = 35_000;

export class Live {
  #listeners = new Set();
  #watchers = new Set();
  #source = null;
  #tries = 0;
  #timer = 0;
  #heard = performance.now();
  #fresh = true;
  state = null;
  connected = true;

  constructor() {
    const first = document.getElementById("state");
    if (first) this.state = JSON.parse(first.textContent);
    addEventListener("online", () => this.#again(0));
    addEventListener("pageshow", (event) => event.persisted && this.#again(0));
    addEventListener("pagehide", () => this.#source?.close());
    document.addEventListener("visibilitychange", () => document.hidden || this.#check());
    setInterval(() => this.#check(), 10_000);
  }

  /** Call *listener(state, before)* now and with every newer state. */
  follow(listener) {
    this.#listeners.add(listener);
    if (this.state) listener(this.state, null);
    if (!this.#source) this.#open();
    return this;
  }

  /** Call *watcher(connected)* whenever the stream is lost or found. */
  watch(watcher) {
    this.#watchers.add(watcher);
    return this;
  }

  /** Take a state that came as the answer to a command. */
  take(state) {
    if (!state || (this.state && !this.#fresh && state.version < this.state.version)) return;
    const before = this.state;
    this.#fresh = false;
    this.state = state;
    for (const listener of this.#listeners) listener(state, before);
  }

  #open() {
    const source = new EventSource(`/events?lang=${LANG}`);
    this.#source = source;
    source.onopen = () => {
      this.#tries = 0;
      this.#heard = performance.now();
      this.#fresh = true; // a table that was started again counts its versions from the beginning
      this.#say(true);
    };
    source.onmessage = (message) => {
      this.#heard = performance.now();
      this.take(JSON.parse(message.data));
    };
    source.onerror = () => {
      this.#say(false);
      this.#again(RETRY_MS[Math.min(this.#tries++, RETRY_MS.length - 1)]);
    };
  }

  #again(wait_ms) {
    this.#source?.close();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#open(), wait_ms);
  }

  // A connection can die without a word (the phone changed network): after a silence, ask.
  async #check() {
    if (!this.connected || document.hidden || performance.now() - this.#heard < SILENCE_MS) return;
    this.#heard = performance.now();
    try {
      await fetch("/api/v1/clock", { signal: AbortSignal.timeout(4000), cache: "no-store" });
    } catch {
      this.#say(false);
      this.#again(0);
    }
  }

  #say(connected) {
    if (connected === this.connected) return;
    this.connected = connected;
    for (const watcher of this.#watchers) watcher(connected);
  }
}
