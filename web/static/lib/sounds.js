// @ts-check
// What this phone lets be heard: tones, and a voice that says where the round is, who was last, what is due. Off until
// wanted.
import { attr, input, maybe } from "./dom.js";
import { keep, kept } from "./kept.js";
import { undone } from "./stages.js";
import { play, sounds, wake } from "./tones.js";
import { hush, speak, speaks } from "./voice.js";
import { t } from "./words.js";

const CALLED = /^(decided|dead-heat|wrong|side-\d)$/;
const BEGUN = new Set(["armed", "opened"]);
/** @typedef {"tones" | "voice"} Setting */

/** @type {Record<Setting, boolean>} */
const SETTINGS = { tones: sounds, voice: speaks };

/**
 * Whether this browser is to let *name* be heard.
 *
 * @param {Setting} name
 */
export function wanted(name) {
  return SETTINGS[name] && kept(`lastnose.${name}`) === "on";
}

/**
 * Let *name* be heard from now on, or no more.
 *
 * @param {Setting} name
 * @param {boolean} on
 */
export function setWanted(name, on) {
  keep(`lastnose.${name}`, on ? "on" : "off");
}

/**
 * Let be heard what *state* brings that *before* had not.
 *
 * @param {Api.Snapshot} state
 * @param {Api.Snapshot | null} before
 */
export async function hear(state, before) {
  if (!before) return;
  const signals = state.signalled > before.signalled ? state.signals : [];
  if (signals.length && wanted("tones")) await play(signals).catch(() => {});
  if (!wanted("voice")) return;
  const called = signals.some((signal) => CALLED.test(signal));
  const over = signals.includes("time");
  const early = signals.includes("too-early") ? (state.early ?? state.proof[0]) : undefined;
  const due = undone(state);
  if (called) hush(); // what is to be done waits for the verdict to be said
  if (over) speak(t("Time!"));
  if (called) speak([state.stage_says, state.headline].filter(Boolean).join(". "));
  // Where the first is asked for, a word would be in the way of who listens for the question, or the signal.
  const begins = signals.some((signal) => BEGUN.has(signal)) || (state.stage === "deal" && before.stage !== "deal");
  if (begins && state.stage_says && state.question !== "first") speak(state.stage_says);
  if (signals.includes("armed") && before.phase === "judging") speak(state.headline); // it was no press
  if (early) speak(early);
  if (due && due !== undone(before)) speak(due);
}

/**
 * Make the switches in *root* work; those that this browser cannot keep are not shown.
 *
 * @param {HTMLElement} root
 */
export function switches(root) {
  for (const name of /** @type {Setting[]} */ (Object.keys(SETTINGS))) {
    const box = input(`[name=${name}]`, root);
    box.checked = wanted(name);
    attr(/** @type {Element} */ (box.closest("label")), "hidden", !SETTINGS[name]);
    box.addEventListener("change", () => {
      setWanted(name, box.checked);
      if (name === "tones" && box.checked) play(["armed"]).catch(() => {});
      if (name === "voice" && !box.checked) hush();
    });
  }
  attr(root, "hidden", !sounds && !speaks && !maybe("#owner", root));
  addEventListener("pointerdown", () => wanted("tones") && wake().catch(() => {}), { once: true });
}
