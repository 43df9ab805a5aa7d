// @ts-check
// The sentence in the largest type, its proof, and the photo finish.
import { tellDoubt } from "../doubt/doubt.js";
import { $, proof } from "../lib/dom.js";
import { live } from "../lib/page.js";
import { isDecided } from "../lib/stages.js";
import { t } from "../lib/words.js";
import { withLetter } from "./rows.js";

const BETWEEN = new Set(["armed", "blocked"]);

/**
 * Write the headline; the letter that was just won stands in red.
 *
 * @param {HTMLElement} element
 * @param {Api.Snapshot} state
 */
export function headline(element, state) {
  const sentence = state.headline;
  if (element.dataset.says === sentence) return false;
  element.dataset.says = sentence;
  element.replaceChildren(...withLetter(state));
  element.classList.toggle("long", sentence.length > 26);
  return true;
}

/**
 * Show the verdict of *state* in *root*: true when its sentence changed.
 *
 * @param {HTMLElement} root
 * @param {Api.Snapshot} state
 * @param {{ reserve?: boolean }} [given]
 */
export function verdict(root, state, { reserve = false } = {}) {
  const changed = headline($("h1", root), state);
  proof($(".proof", root), state.proof);
  const touched = !document.body.matches(".page-board, .page-overlay"); // there is nothing to tap on those
  const told = touched && isDecided(state.phase);
  tellDoubt($(".proof", root), told ? shown : () => null);
  const strip = /** @type {Page.FinishElement} */ ($("photo-finish", root));
  strip.hidden = state.phase === "setup" || !state.watched || (isDecided(state.phase) && !state.finish);
  // The last round stays in sight, pale, until a nose goes down.
  strip.classList.toggle("before", BETWEEN.has(state.phase) && Boolean(state.finish));
  strip.data = {
    finish: state.phase === "judging" ? null : state.finish,
    decided: state.phase !== "void",
    reserve,
    seats: state.rows.filter((row) => !row.out).length,
    idle: t("Photo finish"),
  };
  return changed;
}

/** What the page shows now: its photo finish, and which round of the log it is while that can be protested. */
function shown() {
  const { finish, round_no, protestable, phase } = live.state;
  const n = BETWEEN.has(phase) ? round_no - 1 : round_no; // armed: the one before is still shown
  return finish && { finish, name: t("Round {n}", { n }), seq: protestable };
}
