// The evening in figures, as pictures first: who was last, who opened, how fast, how close.
import { $, attr, h, match, put } from "./dom.js";
import { ask } from "./api.js";
import { dots, escape } from "./figures.js";
import { live, say, where } from "./frame.js";
import { list, t } from "./words.js";

let figures = JSON.parse($("#figures").textContent);
let seq = null;

const cell = (words) => h("td", {}, String(words));
const sure = (time, u) => (time ? `${time} ± ${u}` : "–");

/** Draw a bar a player in *root*: *value* of *whole*, the longest first; *style* colours them. */
function bars(root, value, whole, style) {
  const rows = figures.players.map((player) => ({ player: player.player, n: value(player), of: whole(player) })).sort((a, b) => b.n - a.n);
  const most = Math.max(1, ...rows.map((row) => row.n));
  match($(".bars", root), rows, (row) => row.player, () => h("li", { class: style }, h("span", { class: "who" }), h("span", { class: "gauge" }, h("i")), h("span", { class: "n" })), (item, row) => {
    const [who, bar, n] = item.children;
    put(who, row.player);
    bar.firstElementChild.style.setProperty("--part", row.n / most);
    put(n, row.of === null ? row.n : t("{n} of {of}", { n: row.n, of: row.of }));
  });
}

function everybody() {
  $("#everybody tbody").replaceChildren(...figures.players.map((one) => h("tr", {}, h("th", { scope: "row" }, one.player),
    cell(one.games), cell(one.rounds), cell(one.lost), cell(one.letters), cell(one.openings), cell(one.dead_heats),
    cell(sure(one.median_text, one.median_u_text)), cell(one.best ? sure(one.best.after_text, one.best.u_text) : "–"))));
}

function ending(game) {
  if (game.winners.length) return t("won: {players}", { players: list(game.winners) });
  if (game.losers.length) return t("last of all: {players}", { players: list(game.losers) });
  return game.finished ? t("ended early") : t("being played");
}

function games() {
  match($("#games .gamelist"), figures.games, (game) => game.number, () => h("li", {}, h("strong"), h("span", {}), h("small")), (item, game) => {
    const [title, how, people] = item.children;
    put(title, game.title);
    put(how, [game.rounds && t("Rounds: {n}", { n: game.rounds }), ending(game)].filter(Boolean).join(" · "));
    put(people, list(game.players));
  });
}

function show() {
  const played = figures.rounds > 0;
  attr($("#nothing"), "hidden", played);
  for (const part of ["#tiles", "#pictures", "#everybody"]) attr($(part), "hidden", !played);
  attr($("#games"), "hidden", !figures.games.length);
  games();
  if (!played) return;
  [figures.games.length, figures.rounds, figures.dead_heats].forEach((n, i) => put($("#tiles").children[i].lastElementChild, n));
  bars($("#lasts"), (player) => player.lost, (player) => player.rounds, "red");
  bars($("#openers"), (player) => player.openings, () => null, "green");
  attr($("#reactions"), "hidden", !figures.players.some((player) => player.reactions.length));
  dots($("#reactions .dots"), figures.players);
  attr($("#escapes"), "hidden", !figures.closest.length);
  $("#escapes ol").replaceChildren(...figures.closest.map((one) => escape(one, figures.games.length > 1)));
  everybody();
}

async function refresh() {
  try {
    figures = await ask("/api/v1/statistics");
    show();
  } catch (refusal) {
    say(refusal.message);
  }
}

show();
new ResizeObserver(() => dots($("#reactions .dots"), figures.players)).observe($("#reactions"));
live.follow((state, before) => {
  where(state);
  if (before && (seq !== state.seq || state.evening !== before.evening)) refresh();
  seq = state.seq;
});
