// What this phone lets be heard: tones, and a voice that calls who was last. Off until somebody wants it.
import { $, attr } from "./dom.js";
import { play, sounds, wake } from "./sound.js";
import { hush, speak, speaks } from "./voice.js";

const CALLED = new Set(["decided", "dead-heat"]);
const SETTINGS = { tones: sounds, voice: speaks };

function wanted(name) {
  try {
    return SETTINGS[name] && localStorage.getItem(`lastnose.${name}`) === "on";
  } catch {
    return false;
  }
}

function want(name, on) {
  try {
    localStorage.setItem(`lastnose.${name}`, on ? "on" : "off");
  } catch {
    // A browser that keeps nothing is quiet again after a reload.
  }
}

/** Let be heard what *state* brings that *before* had not. */
export async function hear(state, before) {
  if (!before || !(state.signalled > before.signalled)) return;
  if (wanted("tones")) await play(state.signals).catch(() => {});
  if (!wanted("voice") || !state.signals.some((signal) => CALLED.has(signal))) return;
  hush();
  await speak(state.headline);
}

/** Make the switches in *root* work; those that this browser cannot keep are not shown. */
export function switches(root) {
  for (const name of Object.keys(SETTINGS)) {
    const box = $(`[name=${name}]`, root);
    box.checked = wanted(name);
    attr(box.closest("label"), "hidden", !SETTINGS[name]);
    box.addEventListener("change", () => {
      want(name, box.checked);
      if (name === "tones" && box.checked) play(["armed"]).catch(() => {});
      if (name === "voice" && !box.checked) hush();
    });
  }
  attr(root, "hidden", !sounds && !speaks && !$("#owner", root));
  addEventListener("pointerdown", () => wanted("tones") && wake().catch(() => {}), { once: true });
}
