// What every page has: the live state, the note of a lost stream, notes of what went wrong, the name of the moment.
import { $, h, put, attr, sentences } from "./dom.js";
import { Live } from "./live.js";
import { t } from "./words.js";

export const live = new Live();
const notes = $(".notes");
let lost = null;
let waiting = 0;

live.watch((connected) => {
  clearTimeout(waiting);
  if (connected) {
    if (lost) say(t("Connected again."), 2500);
    lost?.remove();
    lost = null;
  } else {
    // A blink is not worth a word.
    waiting = setTimeout(() => {
      if (lost || !notes) return;
      lost = h("div", { class: "note waiting", role: "status" }, h("p", {}, t("Not connected. Trying again…")));
      notes.prepend(lost);
    }, 700);
  }
});

/** Show *sentence* above the page; it goes by itself after *for_ms*, or when told. */
export function say(sentence, for_ms = 9000) {
  if (!notes) return;
  const note = h("div", { class: "note", role: "status" }, h("p", {}, sentence),
    h("button", { type: "button", click: () => note.remove() }, t("Close")));
  notes.append(note);
  setTimeout(() => note.remove(), for_ms);
}

/** Run *work*; say why if it was refused. Return whether it went through. */
export async function attempt(work) {
  try {
    live.take(await work());
    return true;
  } catch (refusal) {
    say(refusal.message);
    return false;
  }
}

/** Say in the bar which game and round it is. */
export function where(state) {
  const words = [state.title, state.game_no > 1 ? t("game {n}", { n: state.game_no }) : null, state.round_no ? t("round {n}", { n: state.round_no }) : null].filter(Boolean).join(" · ");
  const place = $(".where");
  if (place) put(place, words);
  const pill = $(".pill.simulated");
  if (pill) attr(pill, "hidden", !state.simulated);
  const faults = $(".faults");
  if (faults) sentences(faults, state.faults ?? []);
}
