// @ts-check
// The evening in figures, as pictures first: who was last, who opened, how fast, how close.
import { ask, reason } from "../lib/api.js";
import { $, $$, attr, childrenOf, firstIn, h, held, lastIn, match, put } from "../lib/dom.js";
import { folded } from "../lib/fit.js";
import { live, say, where } from "../lib/page.js";
import { list, t } from "../lib/words.js";
import { keep } from "../result/share.js";
import { dots, escaped } from "./statistics/figures.js";

/** @type {Api.Figures} */
let figures = held("#figures");
/** @type {number | null} */
let seq = null;
/** Whether all evenings are shown, and not this one alone. */
const all = $("#which").dataset.all === "yes";

const SHARE = 0.55; // of a bar's row that a name has, as the style has it

/** @param {string | number} words */
const cell = (words) => h("td", {}, String(words));

/**
 * Let the style know how wide the longest of *names* is that stand in *element*.
 *
 * @param {HTMLElement} element
 * @param {string[]} names
 * @param {number} [weight]
 */
function sized(element, names, weight = 400) {
  element.style.setProperty("--ems", Math.max(1, ...names.map((name) => folded(name, weight))).toFixed(2));
}

/**
 * @param {string | null | undefined} time
 * @param {string | null | undefined} u
 */
const sure = (time, u) => (time ? `${time} ± ${u}` : "–");

/**
 * Draw a bar a player in *root*: the share of *whole* that *value* is, or without a whole *value* beside the
 * others', the longest first.
 *
 * @param {HTMLElement} root
 * @param {(player: Api.PlayerFigures) => number} value
 * @param {(player: Api.PlayerFigures) => number | null} whole
 */
function bars(root, value, whole) {
  const rows = figures.players
    .filter((player) => player.rounds)
    .map((player) => ({ player: player.player, n: value(player), of: whole(player) }))
    .map((row) => ({ ...row, part: row.of ? row.n / row.of : 0 }))
    .sort((a, b) => b.part - a.part || b.n - a.n);
  const most = Math.max(1, ...rows.map((row) => row.n));
  const list = $(".bars", root);
  const em_px = Number.parseFloat(getComputedStyle(list).fontSize);
  const room = (SHARE * list.clientWidth) / em_px;
  list.classList.toggle(
    "above",
    rows.some((row) => folded(row.player, 400) > room),
  );
  match(
    list,
    rows,
    (row) => row.player,
    () => h("li", {}, h("span", { class: "who" }), h("span", { class: "gauge" }, h("i")), h("span", { class: "n" })),
    (item, row) => {
      const [who, bar, n] = childrenOf(item);
      put(who, row.player);
      sized(/** @type {HTMLElement} */ (who), [row.player]);
      firstIn(bar).style.setProperty("--part", String(row.of === null ? row.n / most : row.part));
      put(n, row.of === null ? row.n : t("{n} of {of}", { n: row.n, of: row.of }));
    },
  );
}

function everybody() {
  const body = $("#everybody tbody");
  const asked = figures.players.some((one) => one.asked);
  for (const head of $$("#everybody .firsts")) attr(head, "hidden", !asked);
  body.replaceChildren(
    ...figures.players.map((one) =>
      h(
        "tr",
        {},
        h("th", { scope: "row" }, one.player),
        cell(one.games),
        cell(one.won),
        ...[one.rounds, one.rounds > one.asked ? one.lost : "–"].map((n) => cell(one.rounds ? n : "–")),
        ...(asked ? [one.firsts, one.false_starts] : []).map((n) => cell(one.asked ? n : "–")),
        ...[one.letters, one.openings, one.dead_heats].map((n) => cell(one.rounds ? n : "–")),
        cell(sure(one.median_text, one.median_u_text)),
        cell(one.best ? sure(one.best.after_text, one.best.u_text) : "–"),
      ),
    ),
  );
  const heads = $$("#everybody thead th:not([hidden])").map((one) => one.textContent ?? "");
  for (const [n, row] of [...body.children].entries()) {
    for (const [i, one] of [...row.children].entries()) if (i) attr(one, "data-what", heads[i]);
    sized(/** @type {HTMLElement} */ (row.firstElementChild), [figures.players[n].player], 600);
  }
}

/** @param {Api.GameFigures} game */
function ending(game) {
  if (game.winners.length) return t("won: {players}", { players: list(game.winners) });
  if (game.losers.length) return t("last of all: {players}", { players: list(game.losers) });
  return game.finished ? t("ended early") : t("being played");
}

function games() {
  match(
    $("#games .gamelist"),
    figures.games,
    (game) => game.number,
    () => h("li", {}, h("strong"), h("span", {}), h("small")),
    (item, game) => {
      const [title, how, people] = childrenOf(item);
      put(title, game.title);
      put(
        how,
        [game.rounds && t("{what}: {says}", { what: t("Rounds"), says: game.rounds }), ending(game)]
          .filter(Boolean)
          .join(" · "),
      );
      put(people, list(game.players));
      sized(/** @type {HTMLElement} */ (people), game.players);
    },
  );
}

function show() {
  const played = figures.rounds > 0;
  attr($("#nothing"), "hidden", figures.players.length > 0);
  for (const part of ["#tiles", "#pictures"]) attr($(part), "hidden", !played);
  attr($("#everybody"), "hidden", !figures.players.length);
  attr($("#games"), "hidden", !figures.games.length);
  games();
  everybody();
  if (!played) return;
  const tiles = [...(all ? [figures.evenings] : []), figures.games.length, figures.rounds, figures.dead_heats];
  for (const [i, n] of tiles.entries()) {
    put(lastIn($("#tiles").children[i]), n);
  }
  const raced = (/** @type {Api.PlayerFigures} */ player) => player.rounds - player.asked;
  const asked = (/** @type {Api.PlayerFigures} */ player) => player.asked;
  attr($("#lasts"), "hidden", !figures.players.some(raced));
  attr($("#openers"), "hidden", !figures.players.some(raced));
  attr($("#firsts"), "hidden", !figures.players.some(asked));
  bars($("#lasts"), (player) => player.lost, raced);
  if (figures.players.some(asked)) bars($("#firsts"), (player) => player.firsts, asked);
  bars(
    $("#openers"),
    (player) => player.openings,
    (player) => player.rounds,
  );
  attr($("#reactions"), "hidden", !figures.players.some((player) => player.reactions.length));
  dots($("#reactions .dots"), figures.players);
  attr($("#escapes"), "hidden", !figures.closest.length);
  const escapes = figures.closest.map((one) => escaped(one, figures.games.length > 1, !all));
  for (const [n, one] of escapes.entries()) sized(one, [figures.closest[n].rival, figures.closest[n].last], 600);
  $("#escapes ol").replaceChildren(...escapes);
}

async function refresh() {
  try {
    figures = await ask(all ? "/api/v1/statistics/all" : "/api/v1/statistics");
    show();
  } catch (refusal) {
    say(reason(refusal));
  }
}

show();
// What answers again may be another table, with an evening of its own at the same number.
live.watch(() => {
  seq = null;
});
new ResizeObserver(() => dots($("#reactions .dots"), figures.players)).observe($("#reactions"));
$("#picture").addEventListener("click", () => keep(live.state));
live.follow((state, before) => {
  where(state);
  attr($("#picture"), "hidden", all || !state.rows.length);
  if (before && (seq !== state.seq || state.evening !== before.evening)) refresh();
  seq = state.seq;
});
