// @ts-check
// What every page of a hall has: its live state, notes, and the way to ask for something.
import { ask, Refused, reason } from "./api.js";
import { attr, put } from "./dom.js";
import { Live } from "./live.js";
import { readAlong } from "./names.js";
import { followUpdates } from "./newer.js";
import { say as saying, watchLost } from "./notes.js";

/** @type {Live<Hall.HallScreen>} */
export const live = new Live();
watchLost(live);
followUpdates(live);
readAlong();
const event = document.querySelector(".brand .event");
live.follow((screen) => {
  if (event && screen.name) put(event, screen.name);
});
const said = document.querySelector(".says");
live.follow((screen) => {
  if (!said) return;
  put(said, screen.says ?? "");
  attr(said, "hidden", !screen.says);
});

export const LONG_MS = 15_000; // how long it stands there what a command changes

/** Show a sentence above the page; it goes by itself. */
export const say = saying;

/**
 * Ask for *command*; show what the hall shows then, and return the answer. Raise Refused with a sentence.
 *
 * @param {Hall.HallWish["command"]} command
 * @param {number | null} [opened] the entry that was the newest when a dialog was opened to write it
 */
export async function order(command, opened = null) {
  const done = await ask("/api/v1/hall/commands", { body: { command, seen: live.state.seq, opened } });
  live.take(done.state);
  return done;
}

/** Return an `order` for a dialog that opens now: what others have changed meanwhile is said once, then overwritten. */
export function orderFromNow() {
  let opened = live.state.seq;
  /** @param {Hall.HallWish["command"]} command */
  return async (command) => {
    try {
      return await order(command, opened);
    } catch (refusal) {
      if (refusal instanceof Refused && refusal.status === 409) opened = live.state.seq;
      throw refusal;
    }
  };
}

/**
 * Ask for *command*; show what the hall shows then, or why not. Return whether it was done.
 *
 * @param {Hall.HallWish["command"]} command
 */
export async function wish(command) {
  try {
    const { says } = await order(command);
    if (says) saying(says, LONG_MS);
    return true;
  } catch (refusal) {
    saying(reason(refusal));
    return false;
  }
}
