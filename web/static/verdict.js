// The sentence in the largest type, its proof, and the photo finish.
import { $, h, proof, put } from "./dom.js";
import { t } from "./words.js";

const BETWEEN = new Set(["armed", "blocked"]);
const DECIDED = new Set(["verdict", "dead-heat", "void", "won"]);

/** Write the headline; the letter that was just won stands in red. */
export function headline(element, state) {
  const sentence = state.headline;
  if (element.dataset.says === sentence) return false;
  element.dataset.says = sentence;
  const fresh = state.rows?.find((row) => row.new && row.letters.length);
  const letter = fresh?.letters.at(-1);
  const red = letter && /^[^\p{L}]/u.test(sentence.slice(0, -letter.length).slice(-1)) && sentence.endsWith(letter);
  if (red && ["verdict", "won"].includes(state.phase)) element.replaceChildren(sentence.slice(0, -letter.length), h("em", {}, letter));
  else element.textContent = sentence;
  element.classList.toggle("long", sentence.length > 26);
  return true;
}

/** Show the verdict of *state* in *root*: true when its sentence changed. */
export function verdict(root, state, { reserve = false } = {}) {
  const changed = headline($("h1", root), state);
  proof($(".proof", root), state.proof);
  const strip = $("photo-finish", root);
  strip.hidden = state.phase === "setup" || !state.watched || (DECIDED.has(state.phase) && !state.finish);
  // The last round stays in sight, pale, until a nose goes down.
  strip.classList.toggle("before", BETWEEN.has(state.phase) && Boolean(state.finish));
  strip.data = {
    finish: state.phase === "judging" ? null : state.finish, decided: state.phase !== "void", reserve,
    seats: state.rows.filter((row) => !row.out).length,
    idle: t("The photo finish will appear here."),
  };
  return changed;
}

/** What the phase is called, for the line above the sentence. */
export function phaseName(state) {
  return {
    setup: t("No game yet"), blocked: t("Not armed"), ready: t("Not armed"), armed: t("Armed"), judging: state.rack?.length ? t("Under way") : t("A nose is down"),
    verdict: t("Verdict"), "dead-heat": t("Dead heat"), void: t("Void"), won: t("The end"), playing: t("In play"),
  }[state.phase] ?? "";
}
