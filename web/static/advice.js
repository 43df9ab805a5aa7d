// What to do with the deck before the next deal: cards to take out, in sentences and as a fan.
import { h, match, sentences } from "./dom.js";
import { card, printed } from "./cards.js";
import { t } from "./words.js";

/** Show the advice of *state* in *root*; return whether there is any. */
export function advice(root, state) {
  const found = state.advice;
  const [fan, say, ranks, quiet] = root.children;
  const cards = (found?.remove ?? []).slice(0, 12);
  match(fan, cards, (one, i) => `${i}${one.rank}${one.suit}`, (one) => card(one));
  fan.hidden = !cards.length;
  sentences(say, found?.sentences ?? []);
  const kept = (state.watched && found?.ranks) || [];
  ranks.className = "ranks";
  match(ranks, kept.length ? [t("In play:"), ...kept] : [], (rank, i) => `${i}${rank}`, (rank, i) => h(i ? "span" : "em", {}, printed(rank)));
  sentences(quiet, state.notes);
  return Boolean(found) || state.notes.length > 0;
}
