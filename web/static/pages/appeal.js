// @ts-check
// A round that somebody brings as a link: its tape stands behind the # of the address, and is judged again here.
import { inPage } from "../doubt/details.js";
import { fill } from "../games/round-card.js";
import { ask, reason } from "../lib/api.js";
import { $, put } from "../lib/dom.js";
import { t } from "../lib/words.js";

/** @param {Api.RoundView} round */
function card(round) {
  const made = /** @type {DocumentFragment} */ (/** @type {HTMLTemplateElement} */ ($("#one")).content.cloneNode(true));
  const [verdict, doubt] = /** @type {HTMLElement[]} */ ([...made.children]);
  $("#rounds").append(made);
  // All about the doubt stands below: no sheet over the page, which would speak of this table's own rounds.
  fill(verdict, { ...round, finish: round.finish && { ...round.finish, budget: null } });
  inPage(doubt, round.finish, false);
}

async function judge() {
  const wrong = $("#appeal-wrong");
  $("#rounds").replaceChildren();
  put(wrong, "");
  const none = t("There is no round in this address: open it from the page of a round.");
  const tape = location.hash.slice(1);
  if (!tape) {
    put(wrong, none);
    return;
  }
  try {
    /** @type {Api.Rounds} */
    const judged = await ask("/api/v1/judge", { body: { tape } });
    for (const round of judged.rounds) card(round);
    if (!judged.rounds.length) put(wrong, none);
  } catch (refusal) {
    put(wrong, reason(refusal));
  }
}

window.addEventListener("hashchange", judge);
judge();
