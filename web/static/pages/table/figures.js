// @ts-check
// For the curious: who was last how often, how fast, how close. Asked for only when it is looked at.

import { ask } from "../../lib/api.js";
import { $, attr, childrenOf, h, match, put, s } from "../../lib/dom.js";
import { namedRows } from "../../lib/fit.js";
import { live } from "../../lib/page.js";
import { duration, t } from "../../lib/words.js";
import { seen } from "./views.js";

const NAMES = { style: "rx-name", size: 15, weight: 400 }; // as the style has it
const ROW = 26;
const AGAIN_MS = 2000;
let drawn = ""; // what the figures rest on
/** @type {ReturnType<typeof setTimeout> | undefined} */
let again;
/** @type {Api.Glance | null} */
let figures = null;

/**
 * Show the figures of *state* when they are looked at and have changed.
 *
 * @param {Api.Snapshot} state
 */
export async function curious(state) {
  const key = `${state.evening}/${state.seq}`;
  if (!state.game || !state.watched) {
    drawn = "";
    return none(state);
  }
  if (!seen("figures")) return;
  if (key !== drawn && state.phase !== "judging") {
    drawn = key;
    try {
      figures = await ask("/api/v1/statistics/glance");
    } catch {
      // Many pages may ask at once, and the table works out one answer at a time.
      drawn = "";
      clearTimeout(again);
      again = setTimeout(() => curious(live.state), AGAIN_MS);
    }
  }
  if (figures) show(figures, state);
}

// What answers again may be another table, with an evening of its own at the same number.
live.watch(() => {
  drawn = "";
});

/**
 * Say that nothing has been played, or how much is written: what is shown may be of an evening that is over, or of
 * another table.
 *
 * @param {Api.Snapshot} state
 */
function none({ sheet, game, watched }) {
  figures = null;
  const n = sheet?.lines.filter((line) => line.complete).length;
  const says = game && !watched ? n && t("Entries: {n}", { n }) : t("No round so far.");
  put($("#tonight"), says || null);
  for (const part of ["#lasts", "#reactions", "#closest"]) attr($(part), "hidden", true);
}

/**
 * @param {Api.Glance} found
 * @param {Api.Snapshot} state
 */
function show(found, state) {
  if (!found.rounds) return none(state);
  put(
    $("#tonight"),
    [
      t("{what}: {says}", { what: t("Rounds"), says: found.rounds }),
      t("{what}: {says}", { what: t("Dead heats"), says: found.dead_heats }),
    ].join(" · "),
  );
  for (const part of ["#lasts", "#reactions"]) attr($(part), "hidden", false);
  const names = new Set(state.rows.filter((row) => state.last.includes(row.seat)).map((row) => row.player));
  const first = state.question === "first";
  const [last, firstly] = childrenOf($("#lasts h3"));
  attr(last, "hidden", first);
  attr(firstly, "hidden", !first);
  shares($("#lasts .shares"), first ? firsts(found) : losses(found), names);
  reactions($("#reactions"), found);
  const close = found.closest;
  attr($("#closest"), "hidden", !close);
  if (!close) return;
  put($("#closest b"), close.in_short?.replace("± ", "±\u00a0"));
  attr($("#closest a"), "href", `/history/${close.seq}`);
  put(
    $("#closest p"),
    t("Round {n}, {last} behind {rival}", { n: close.number, last: close.last, rival: close.rival }),
  );
}

/** @typedef {{ player: string; n: number; of: number }} Share */

/**
 * @param {Api.Glance} found
 * @returns {Share[]}
 */
const losses = ({ players }) =>
  players.map(({ player, lost, rounds, asked }) => ({ player, n: lost, of: rounds - asked }));

/**
 * @param {Api.Glance} found
 * @returns {Share[]}
 */
const firsts = ({ players }) => players.map(({ player, firsts: n, asked }) => ({ player, n, of: asked }));

/**
 * A bar is the share of the rounds that somebody played; what they lost just now is its red end.
 *
 * @param {HTMLElement} root
 * @param {Share[]} found
 * @param {Set<string>} fresh
 */
function shares(root, found, fresh) {
  const rows = found.filter((one) => one.of).sort((a, b) => b.n / b.of - a.n / a.of);
  match(
    root,
    rows,
    (one) => one.player,
    () =>
      h(
        "li",
        {},
        h("bdi"),
        h("span", { class: "g", "aria-hidden": "true" }, h("b"), h("b")),
        h("span", { class: "n" }),
      ),
    (item, one) => {
      const [name, bar, n] = childrenOf(item);
      const now = fresh.has(one.player) && one.n > 0 ? 1 : 0;
      put(name, one.player);
      const [old, red] = childrenOf(bar);
      old.style.width = `${(100 * (one.n - now)) / one.of}%`;
      red.style.width = `${(100 * now) / one.of}%`;
      put(n, t("{n} of {of}", { n: one.n, of: one.of }));
    },
  );
}

/**
 * @param {HTMLElement} root
 * @param {Api.Glance} found
 */
function reactions(root, found) {
  const rows = found.players.filter((one) => one.after_us.length);
  const box = $(".reactions", root);
  const width = Math.floor(box.clientWidth);
  attr(root, "hidden", !rows.length);
  if (!rows.length || width < 120) return;
  rows.sort((a, b) => (a.median_ns ?? 0) - (b.median_ns ?? 0));
  const most = Math.max(...rows.flatMap((one) => one.after_us.map((us) => 1000 * us)));
  const tick = [1, 2, 5].flatMap((n) => [0, 1, 2, 3].map((power) => n * 1e7 * 10 ** power)).sort((a, b) => a - b);
  const step = tick.find((one) => most / one <= 3) ?? most;
  const ends = step * Math.max(1, Math.ceil(most / step)); // all may be 0, of less than 50 µs
  const places = namedRows(
    rows.map((one) => one.player),
    { ...NAMES, wide: width, part: 0.45, row: ROW },
  );
  const { left, high: foot } = places;
  const x = (/** @type {number} */ ns) => left + 14 + (ns / ends) * (width - left - 38);
  const svg = s("svg", { viewBox: `0 0 ${width} ${foot + 20}`, role: "img", "aria-label": words(rows) });
  for (let at = 0; at <= ends; at += step) {
    svg.append(s("line", { class: "rx-grid", x1: x(at), x2: x(at), y1: 0, y2: foot }));
    svg.append(
      s("text", { class: "rx-scale", x: x(at), y: foot + 16, "text-anchor": "middle" }, at ? duration(at) : "0"),
    );
  }
  for (const [i, one] of rows.entries()) svg.append(...line(one, places.rows[i], x));
  box.replaceChildren(svg);
}

/**
 * @param {Api.PlayerGlance} one
 * @param {{ y: number; name: SVGElement }} place
 * @param {(ns: number) => number} x
 */
function line(one, { y, name }, x) {
  const usual = x(one.median_ns ?? 0);
  return [
    name,
    ...one.after_us.map((us) => s("circle", { class: "rx-dot", cx: x(1000 * us), cy: y, r: 5 })),
    s("line", { class: "rx-usual", x1: usual, x2: usual, y1: y - 10, y2: y + 10 }),
  ];
}

/** @param {Api.PlayerGlance[]} rows */
const words = (rows) =>
  rows
    .map((one) =>
      t("{player}: median {median}, best {best}", {
        player: one.player,
        median: one.median_text,
        best: one.best?.after_text,
      }),
    )
    .join("; ");
