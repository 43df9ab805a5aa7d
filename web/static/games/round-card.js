// @ts-check
// A round that is over, as the history and its own page show it: its headline, its proof, its photo finish.
import { tellDoubt } from "../doubt/doubt.js";
import { $, attr, maybe, proof, put } from "../lib/dom.js";
import { say } from "../lib/icons.js";
import { t } from "../lib/words.js";
import "../photo-finish/photo-finish.js";

/**
 * Return the little words beside a round.
 *
 * @param {Api.RoundView} round
 */
export function badges(round) {
  /** @type {[style: string, words: string][]} */
  const found = [];
  if (round.void) found.push(["", t("void")]);
  if (round.finish?.dead_heat) found.push(["", t("Dead heat")]);
  if (round.contested) found.push(["", t("contested")]);
  if (round.protested) found.push([round.undecided ? "" : "plain", t("protested")]);
  if (round.amended) found.push(["", t("corrected")]);
  if (round.undone) found.push(["plain", t("taken back")]);
  return found;
}

/** The round that each place on the page shows now. */
const shown = new WeakMap();

/**
 * Fill *root* (h1 or h3, .proof, .inprint, photo-finish, perhaps .contest) with *round*.
 *
 * @param {HTMLElement} root
 * @param {Api.RoundView} round
 */
export function fill(root, round) {
  say($("h1, h3 a, .big", root), round.headline);
  proof($(".proof", root), round.proof);
  shown.set(root, round);
  tellDoubt($(".proof", root), () => about(shown.get(root)));
  const { budget } = round.finish ?? {};
  put(
    $(".inprint", root),
    budget && t("{what}: {says}", { what: `± ${budget.shown}`, says: budget.shares.map(told).join(" + ") }),
  );
  const contest = maybe(".contest", root);
  if (contest) attr(contest, "hidden", !round.undecided);
  const strip = /** @type {Page.FinishElement} */ ($("photo-finish", root));
  strip.hidden = !round.finish;
  if (round.finish) strip.data = { finish: round.finish, decided: !round.void, seats: round.finish.marks.length };
}

/** @param {Api.Share} share */
const told = ({ name, shown }) => `${name} ${shown}`;

/** @param {Api.RoundView} round */
const about = ({ finish, number, seq }) => finish && { finish, name: t("Round {n}", { n: number }), seq };
