// @ts-check
// A game with a sheet: who leads by how much, in order of rank, and how the totals ran.

import { chart } from "../../games/chart.js";
import { h, lastIn, match, put } from "../../lib/dom.js";
import { ems, unit_px } from "../../lib/fit.js";
import { t, trueMinus } from "../../lib/words.js";

/**
 * Return seats by rank: [rank, seat], equal totals share a rank.
 *
 * @param {Api.Sheet} sheet
 */
export function ranks({ totals, highest }) {
  const better = (/** @type {number} */ a, /** @type {number} */ b) => (highest ? b - a : a - b);
  return totals
    .map((total, i) => ({ seat: i + 1, total, rank: 1 + totals.filter((other) => better(other, total) < 0).length }))
    .sort((a, b) => a.rank - b.rank || a.seat - b.seat);
}

/**
 * Return how many hands of *sheet* are left, in words.
 *
 * @param {Api.Sheet} sheet
 */
export function handsLeft({ lines, open_end, plain }) {
  const left = lines.filter((line) => !line.complete).length;
  if (open_end) return t("rounds played: {n}", { n: lines.length - left });
  if (plain) return left === 1 ? t("one round left") : t("{n} rounds left", { n: left });
  return left === 1 ? t("one hand left") : t("{n} hands left", { n: left });
}

/**
 * Draw the score of *state* into *root*.
 *
 * @param {HTMLElement} root
 * @param {Api.Snapshot} state
 */
export function score(root, state) {
  const sheet = /** @type {Api.Sheet} */ (state.sheet);
  if (!root.firstElementChild) root.append(h("ol", { class: "sc-ranks" }), h("figure", { class: "sc-graph sh-chart" }));
  const [list, graph] = /** @type {HTMLElement[]} */ ([...root.children]);
  const u = unit_px();
  const places = ranks(sheet);
  const [least] = places;
  const ran = sheet.lines.some((line) => line.complete);
  root.classList.toggle("alone", !ran);
  const columns = places.length > 13 ? 2 : 1;
  const lines = Math.ceil(places.length / columns);
  const longest = Math.max(3, ...sheet.players.map((name) => Math.min(12, ems(root, name) * 1.12)));
  const digits = Math.max(1, ...sheet.totals.map((total) => ems(root, trueMinus(total)) * 1.15));
  const wide = (root.clientWidth / u) * (ran ? 0.44 : 0.96);
  const size = Math.min(9.5, (root.clientHeight / u / lines) * 0.62, wide / columns / (longest + 5.4 + digits));
  list.style.setProperty("--size", `${(size * u).toFixed(1)}px`);
  list.style.setProperty("--lines", String(lines));
  match(
    list,
    places,
    (one) => one.seat,
    () => h("li", {}, h("b"), h("bdi"), h("span"), h("small")),
    (item, one) => {
      const [rank, name, total] = item.children;
      put(rank, ran ? one.rank : "");
      put(name, sheet.players[one.seat - 1]);
      put(total, one.total);
      const behind = Math.abs(one.total - least.total);
      put(lastIn(item), behind ? `+${behind}` : "");
      item.classList.toggle("lead", one.rank === 1 && ran);
      item.classList.toggle("over", sheet.cannot_win.includes(one.seat));
      item.classList.toggle("won", state.rows[one.seat - 1]?.winner);
    },
  );
  graph.hidden = !ran;
  if (ran) chart(graph, sheet, { wide: graph.clientWidth / u, high: graph.clientHeight / u, em: 3.2 });
}
