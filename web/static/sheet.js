// The score sheet: a row a hand, a column a player, totals, and how they ran. Lower is better. No game is known here.
import { $, attr, h, match, put, s } from "./dom.js";
import { dealt, pictured } from "./pieces.js";
import { LANG, t } from "./words.js";

const INKS = 10;

/** Draw the sheet of *state* into *root*; *open(line, seat)* is called for a cell to correct, or nothing is. */
export function sheet(root, state, open) {
  const found = state.sheet;
  attr(root, "hidden", !found);
  if (!found) return;
  const table = $("table", root);
  root.classList.toggle("many", state.rows.length > 7);
  put($(".sh-title", root), `${state.title} · ${new Date().toLocaleDateString(LANG, { dateStyle: "long" })}`);
  head($("thead tr", table), state);
  match($("tbody", table), found.lines, (line) => line.hand, () => h("tr"), (row, line) => hand(row, line, state, open));
  foot($("tfoot", table), found);
  const by = Object.values(found.writers);
  put($(".sh-by", root), by.length === 1 ? t("All of it written by: {by}", { by: by[0] }) : null);
  chart($(".sh-chart", root), found);
}

/** The totals, and how far each is behind the least of them, once there is one to lead. */
function foot(parent, { lines, totals, leaders, behind, cannot_win }) {
  const writing = lines.some((line) => !line.complete && line.cells.some((cell) => cell.points != null));
  const after = lines.filter((line) => line.complete).length;
  const rows = [["total", t("Total"), totals],
    ["behind", writing ? t("Behind, hand {n}", { n: after }) : t("Behind"), behind.map((points) => (points ? `+${points}` : "–"))]];
  match(parent, leaders.length ? rows : rows.slice(0, 1), ([name]) => name, ([name]) => h("tr", { class: `sh-${name}` }), (row, [, title, cells]) =>
    match(row, [title, ...cells], (_, i) => i, (_, i) => (i ? h("td") : h("th", { scope: "row", class: "left" })), (cell, words, i) => {
      put(cell, words);
      cell.classList.toggle("lead", leaders.includes(i));
      cell.classList.toggle("over", cannot_win.includes(i));
    }));
}

function head(row, state) {
  match(row, ["", ...state.rows], (_, i) => i, (_, i) => h("th", { scope: "col", class: i ? null : "left" }, i ? "" : t("Hand")), (cell, one, i) => {
    if (i) put(cell, one.player);
  });
}

function hand(row, line, state, open) {
  row.classList.toggle("now", line.current);
  match(row, [line, ...line.cells], (_, i) => i, (_, i) => (i ? h("td") : h("th", { scope: "row", class: "left" })), (cell, one, i) => {
    if (!i) {
      const deals = dealt(line, state);
      const says = `${line.hand} ${line.title} ${deals} ${line.hint} ${line.notes.join(", ")}`;
      if (cell.dataset.says === says) return;
      cell.dataset.says = says;
      const picture = pictured(line.picture);
      attr(picture ?? cell, "aria-hidden", picture ? "true" : null);
      cell.replaceChildren(h("div", { class: "th" }, ...[picture, h("span", {}, h("i", {}, `${line.hand}. `), h("span", { class: "about" }, line.title), deals && h("small", { class: "deals" }, deals), line.hint && h("small", { class: "hint" }, line.hint), ...line.notes.map((note) => h("small", {}, note)))].filter(Boolean)));
      return;
    }
    points(cell, one, i, line, state, open);
  });
}

function points(cell, one, seat, line, state, open) {
  const written = one.points != null;
  const may = open && state.entries.some((entry) => entry.ask === "rewrite" && entry.hands.includes(line.hand));
  const { writers } = state.sheet;
  const by = Object.keys(writers).length > 1 ? (/^phone (\S+)$/.exec(one.by)?.[1] ?? writers[one.by]) : null;
  cell.classList.toggle("win", one.points === 0);
  const tag = may ? "button" : "span";
  match(cell, [...(written ? [one] : []), ...(one.notes ?? [])], (what, i) => (typeof what === "string" ? `note ${i}` : tag), (what) => (typeof what === "string" ? h("small") : h(tag, { class: "sh-cell", type: may ? "button" : null }, h("b"), h("small"))), (element, what) => {
    if (typeof what === "string") return put(element, what);
    put(element.firstElementChild, one.points);
    put(element.lastElementChild, by);
    attr(element, "title", writers[one.by] ? t("Written by: {by}", { by: writers[one.by] }) : null);
    if (!may) return;
    attr(element, "aria-label", t("{player}, hand {hand}: {points}. Correct", { player: state.rows[seat - 1].player, hand: line.hand, points: one.points }));
    element.onclick = () => open(line, seat);
  });
}

// ---- how the totals ran

function chart(box, { players, lines, totals }) {
  const complete = lines.filter((line) => line.complete);
  attr(box, "hidden", !complete.length);
  const says = JSON.stringify([players, complete.map((line) => line.cells.map((cell) => cell.total))]);
  if (box.dataset.says === says || !complete.length) return;
  box.dataset.says = says;
  const wide = box.clientWidth < 480 ? 340 : 640;
  const labels = players.map((name, i) => `${name.length > 10 ? `${name.slice(0, 9)}…` : name} ${complete.at(-1).cells[i].total}`);
  const [left, right, top, bottom] = [10, wide - 14 - 8.8 * Math.max(...labels.map((label) => label.length)), 16, 190];
  const runs = players.map((_, i) => [0, ...complete.map((line) => line.cells[i].total)]);
  const [low, high] = [Math.min(...runs.flat()), Math.max(...runs.flat(), 1)];
  const x = (i) => left + ((right - left) * i) / complete.length;
  const y = (total) => top + ((bottom - top) * (total - low)) / (high - low || 1);
  const ends = runs.map((run, i) => ({ i, at: y(run.at(-1)), total: run.at(-1) })).sort((a, b) => a.at - b.at);
  ends.forEach((end, n) => (end.label = n ? Math.max(end.at, ends[n - 1].label + 17) : end.at));
  const picture = s("svg", { viewBox: `0 0 ${wide} ${Math.max(214, ends.at(-1).label + 24)}`, role: "img",
    "aria-label": `${t("Totals so far. Lower is better: who leads runs on top.")} ${players.map((name, i) => `${name} ${totals[i]}`).join(", ")}` });
  for (const at of [top, bottom]) picture.append(s("path", { class: "sh-grid", d: `M${left} ${at}H${right}` }));
  for (const end of ends) {
    const ink = `sh-ink${end.i % INKS}`;
    picture.append(s("path", { class: `sh-run ${ink}`, d: runs[end.i].map((total, n) => `${n ? "L" : "M"}${x(n).toFixed(1)} ${y(total).toFixed(1)}`).join("") }));
    const name = s("text", { class: `sh-name ${ink}`, x: right + 8, y: end.label + 5 });
    name.textContent = labels[end.i];
    picture.append(name);
  }
  const scale = (at, words, anchor) => {
    const label = s("text", { class: "sh-scale", x: at, y: 208, "text-anchor": anchor });
    label.textContent = words;
    picture.append(label);
  };
  scale(left, t("start"), "start");
  scale(right, t("hand {n}", { n: complete.at(-1).hand }), "end");
  box.replaceChildren(h("p", { class: "hint" }, t("Totals so far. Lower is better: who leads runs on top.")), picture);
}

// ---- on paper, as it is, or empty to fill in by hand

for (const [name, empty] of [["print", false], ["empty", true]]) {
  $(`[data-sheet=${name}]`)?.addEventListener("click", () => {
    const root = $("#sheet");
    root.classList.toggle("empty", empty);
    print();
    root.classList.remove("empty");
  });
}
