// @ts-check
// All rounds of the evening, newest first, and what can be taken home.
import { decision } from "../doubt/decision.js";
import { badges, fill } from "../games/round-card.js";
import { ask, command, reason } from "../lib/api.js";
import { confirmed } from "../lib/dialogs.js";
import { $, attr, firstIn, h, held, lastIn, match, maybe, modal, put } from "../lib/dom.js";
import { attempt, live, say, where } from "../lib/page.js";
import { clockTime, list, t } from "../lib/words.js";

const box = $(".rounds");
/** @type {number | null} */
let seq = null;

/** How many rounds of a game are shown before somebody asks for all. */
const FEW = 12;
/**
 * What somebody has folded or unfolded, by game; without a wish the newest game is open.
 *
 * @type {Map<number, boolean>}
 */
const wished = new Map();
/** Games of which somebody wants to see all rounds. @type {Set<number>} */
const whole = new Set();
/** @type {Api.RoundView[]} */
let known = [];

/** @typedef {{ heading: number; title: string | null; n: number; won: string[]; open: boolean }} Heading */
/** @typedef {{ more: number; n: number }} More */

/** @param {Heading} item */
const heading = (item) =>
  h("h2", {}, h("button", { type: "button", class: "fold", click: () => fold(item.heading) }, h("span"), h("small")));

/**
 * @param {HTMLElement} element
 * @param {Heading} item
 */
function drawHeading(element, item) {
  const button = firstIn(element);
  const title = item.title
    ? t("{what}: {says}", { what: t("Game {n}", { n: item.heading }), says: item.title })
    : t("Game {n}", { n: item.heading });
  put(firstIn(button), title);
  const won = item.won.length ? t("won: {players}", { players: list(item.won) }) : null;
  put(lastIn(button), [won, t("Entries: {n}", { n: item.n })].filter(Boolean).join(" · "));
  attr(button, "aria-expanded", String(item.open));
}

/** @param {number} game */
function fold(game) {
  const newest = Math.max(...known.map((round) => round.game));
  wished.set(game, !(wished.get(game) ?? game === newest));
  show(known);
}

/** @param {More} item */
const more = (item) =>
  h("button", {
    type: "button",
    class: "noprint",
    click: () => {
      whole.add(item.more);
      show(known);
    },
  });

/** @param {Api.RoundView} round */
const card = (round) =>
  h(
    "article",
    { class: "card" },
    h("header"),
    h("h3", {}, h("a", { href: `/history/${round.seq}` })),
    h("ul", { class: "proof" }),
    h("p", { class: "inprint" }),
    decision(round.seq),
    document.createElement("photo-finish"),
  );

/**
 * @param {HTMLElement} element
 * @param {Api.RoundView} round
 */
function draw(element, round) {
  element.classList.toggle("undone", round.undone);
  element.classList.toggle("step", Boolean(round.step));
  const name = round.number ? t("Round {n}", { n: round.number }) : t("At the table");
  $("header", element).replaceChildren(
    h("strong", {}, name),
    h("span", {}, [clockTime(round.at), round.by].filter(Boolean).join(" · ")),
    ...badges(round).map(([style, words]) => h("span", { class: `pill ${style}` }, words)),
  );
  fill(element, round);
}

/** @param {Api.RoundView[]} rounds */
function show(rounds) {
  known = rounds;
  const newest = [...rounds].reverse();
  const games = [...new Set(newest.map((round) => round.game))];
  /** @type {(Api.RoundView | Heading | More)[]} */
  const items = games.flatMap((game) => {
    const mine = newest.filter((round) => round.game === game);
    const open = wished.get(game) ?? game === games[0];
    const won = mine.flatMap((round) => round.winners);
    const few = whole.has(game) ? mine : mine.slice(0, FEW);
    const rest = few.length < mine.length ? [{ more: game, n: mine.length }] : [];
    return [{ heading: game, title: mine[0].title, n: mine.length, won, open }, ...(open ? [...few, ...rest] : [])];
  });
  match(
    box,
    items,
    (item) => ("heading" in item ? `g${item.heading}` : "more" in item ? `m${item.more}` : `r${item.seq}`),
    (item) => ("heading" in item ? heading(item) : "more" in item ? more(item) : card(item)),
    (element, item) => {
      if ("heading" in item) drawHeading(element, item);
      else if ("more" in item) put(element, t("Show all {n}", { n: item.n }));
      else draw(element, item);
    },
  );
  attr($("#nothing"), "hidden", rounds.length > 0);
  put($("#zero"), newest.find((round) => round.finish?.budget)?.finish?.budget?.zero);
}

async function refresh() {
  try {
    show((await ask("/api/v1/rounds")).rounds);
  } catch (refusal) {
    say(reason(refusal));
  }
}

show(held("#rounds"));
live.follow((state, before) => {
  where(state);
  const known = seq;
  seq = state.seq;
  if (before && (known !== state.seq || state.evening !== before.evening)) refresh();
});
// What answers again may be another table, with an evening of its own at the same number.
live.watch(() => {
  seq = null;
});
$("#print").addEventListener("click", () => {
  // On paper everything is there.
  for (const { game } of known) {
    wished.set(game, true);
    whole.add(game);
  }
  show(known);
  print();
});
maybe("#new-evening")?.addEventListener("click", async () => {
  const { evening } = live.state;
  if ((await confirmed(modal("dialog#evening"))) && (await attempt(() => command({ type: "new-evening", evening }))))
    location.assign("/setup"); // who plays?
});
