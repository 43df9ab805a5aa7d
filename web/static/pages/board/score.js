// @ts-check
// A game with a sheet: who leads by how much, in order of rank, and how the totals ran.

import { chart } from "../../games/chart.js";
import { h, lastIn, match, put } from "../../lib/dom.js";
import { ems, unit_px } from "../../lib/fit.js";
import { trueMinus } from "../../lib/words.js";

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
  const ran = sheet.leaders.length > 0;
  const places = sheet.ranks;
  const [least] = places;
  root.classList.toggle("alone", !ran);
  const columns = places.length > 13 ? 2 : 1;
  const lines = Math.ceil(places.length / columns);
  list.style.setProperty("--lines", String(lines));
  match(
    list,
    places,
    (one) => one.seat,
    () => h("li", {}, h("b"), h("bdi"), h("span"), h("small")),
    (item, one) => {
      const [rank, name, total] = item.children;
      put(rank, ran ? one.place : "");
      put(name, sheet.players[one.seat - 1]);
      put(total, one.total);
      const behind = Math.abs(one.total - least.total);
      put(lastIn(item), behind && ran ? `+${behind}` : "");
      item.classList.toggle("lead", one.place === 1 && ran);
      item.classList.toggle("over", sheet.cannot_win.includes(one.seat));
      item.classList.toggle("won", state.rows[one.seat - 1]?.winner);
    },
  );
  const longest = Math.max(3, ...sheet.players.map((name) => Math.min(12, ems(root, name) * 1.12)));
  const digits = Math.max(1, ...sheet.totals.map((total) => ems(root, trueMinus(total)) * 1.15));
  graph.hidden = !ran;
  const wide = list.clientWidth / u; // measured with its lines in it: an empty list has no width
  const size = Math.min(9.5, (root.clientHeight / u / lines) * 0.62, wide / columns / (longest + 5.4 + digits));
  list.style.setProperty("--size", `${(size * u).toFixed(1)}px`);
  if (ran) chart(graph, sheet, { wide: graph.clientWidth / u, high: graph.clientHeight / u, em: 3.2 });
}
