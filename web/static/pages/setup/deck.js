// @ts-check
// The cards to take for these people, as pictures, and who deals: the table is asked, no game is known here.
import { ask } from "../../lib/api.js";
import { card } from "../../lib/cards.js";
import { $, attr, h, match, put } from "../../lib/dom.js";

const WAIT_MS = 120;
let asked = "";
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/**
 * Show what *players* take to play *game* with *options*; nothing while they are too few.
 *
 * @param {Api.GameInfo} game
 * @param {string[]} players
 * @param {Page.Options} options
 */
export function deck(game, players, options) {
  const query = new URLSearchParams({ game: game.name, options: JSON.stringify(options) });
  for (const name of players) query.append("players", name);
  const next = query.toString();
  if (next === asked) return;
  asked = next;
  clearTimeout(timer);
  const { fewest, most } = game.seats;
  if (!game.watched || players.length < fewest || players.length > most) return draw([], null);
  attr($("#deck"), "hidden", null); // its place is kept: nothing moves when the answer comes
  timer = setTimeout(async () => {
    const found = await ask(`/api/v1/guide?${next}`).catch(() => ({ steps: [], deals: null }));
    if (next === asked) draw(found.steps, found.deals);
  }, WAIT_MS);
}

/**
 * @param {Api.GuideStep[]} steps
 * @param {string | null} deals
 */
function draw(steps, deals) {
  const [take] = steps;
  attr($("#deck"), "hidden", !take);
  put($("#dealer"), deals);
  put($("#deck p"), take?.says ?? "");
  match(
    $("#deck .row"),
    take?.cards ?? [],
    (one, i) => `${i}${one.rank}${one.suit}`,
    (one) => h("span", { class: "stack" }, card(one)),
  );
}
