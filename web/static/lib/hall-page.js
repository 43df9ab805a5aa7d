// @ts-check
// What every page of a hall has: its live state, notes, and the way to ask for something.
import { ask, reason } from "./api.js";
import { attr, put } from "./dom.js";
import { Live } from "./live.js";
import { readAlong } from "./names.js";
import { say as saying, watchLost } from "./notes.js";

/** @type {Live<Hall.HallScreen>} */
export const live = new Live();
watchLost(live);
readAlong();
live.follow((screen) => live.beyond(screen.away ?? null));
const said = document.querySelector(".says");
live.follow((screen) => {
  if (!said) return;
  put(said, screen.says ?? "");
  attr(said, "hidden", !screen.says);
});

/** Show a sentence above the page; it goes by itself. */
export const say = saying;

/**
 * Ask for *command*; show what the hall shows then, and return the answer. Raise Refused with a sentence.
 *
 * @param {Hall.HallWish["command"]} command
 */
export async function order(command) {
  const done = await ask("/api/v1/hall/commands", { body: { command, seen: live.state.seq } });
  live.take(done.state);
  return done;
}

/**
 * Ask for *command*; show what the hall shows then, or why not. Return whether it was done.
 *
 * @param {Hall.HallWish["command"]} command
 */
export async function wish(command) {
  try {
    await order(command);
    return true;
  } catch (refusal) {
    saying(reason(refusal));
    return false;
  }
}
