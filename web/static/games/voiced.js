// @ts-check
// What pages of who plays say of the moment: the last round until everybody has cards, then how cards go round.
import { t } from "../lib/words.js";

/**
 * Return *state* with its sentence and lines as who plays reads them.
 *
 * @param {Api.Snapshot} state
 * @returns {Api.Snapshot}
 */
export function voiced(state) {
  const { guide, last_round: before } = state;
  if (guide && state.phase === "ready") return { ...state, headline: t("First the cards.") };
  if (state.phase !== "armed" || !guide) return state;
  if (!state.dealing) return { ...state, headline: guide.now, proof: guide.proof };
  return before ? { ...state, proof: [before.headline, ...before.proof] } : state;
}
