// @ts-check
// The score sheet: a row a hand, a column a player, totals, and how they ran. No game is known here.
import { $, attr, firstIn, h, lastIn, match, maybe, put } from "../lib/dom.js";
import { longDate, t } from "../lib/words.js";
import { chart } from "./chart.js";
import { dealt, pictured } from "./pieces.js";

const ON_PAPER = 15; // rounds on an empty sheet of a game that has as many as one likes
let openEnd = false; // of the game that was drawn last

/**
 * Draw the sheet of *state* into *root*; *open(line, seat)* is called for a cell to correct, or nothing is.
 *
 * @param {HTMLElement} root
 * @param {Api.Snapshot} state
 * @param {((line: Api.SheetRow, seat: number) => unknown) | null} open
 */
export function sheet(root, state, open) {
  const found = state.sheet;
  attr(root, "hidden", !found);
  if (!found) return;
  openEnd = found.open_end;
  const table = $("table", root);
  root.classList.toggle("many", state.rows.length > 7);
  root.classList.toggle("plain", Boolean(found.plain));
  root.classList.toggle(
    "large",
    found.totals.some((total) => String(total).length > 4),
  );
  table.style.setProperty("--players", `${state.rows.length}`);
  put($(".sh-title", root), `${state.title} · ${longDate(Date.now())}`);
  head($("thead tr", table), state);
  match(
    $("tbody", table),
    found.lines,
    (line) => line.hand,
    () => h("tr"),
    (row, line) => hand(row, line, state, open),
  );
  foot($("tfoot", table), found);
  const by = Object.values(found.writers);
  put($(".sh-by", root), by.length === 1 ? t("Written by: {by}", { by: by[0] }) : null);
  graph($(".sh-chart", root), found);
}

/**
 * Return what the *n*th hand is called, or the round where that is all there is.
 *
 * @param {number} n
 * @param {boolean} [plain]
 */
const called = (n, plain) => (plain ? t("round {n}", { n }) : t("hand {n}", { n }));

/**
 * The totals, and how far each is behind the least of them, once there is one to lead.
 *
 * @param {HTMLElement} parent
 * @param {Api.Sheet} given
 */
function foot(parent, { lines, totals, leaders, behind, cannot_win, plain }) {
  const writing = lines.some((line) => !line.complete && line.cells.some((cell) => cell.points != null));
  const after = lines.filter((line) => line.complete).length;
  const since = t("{what}: {says}", { what: t("Behind"), says: called(after, plain) });
  /** @type {[name: string, title: string, cells: (string | number)[]][]} */
  const rows = [
    ["total", t("Total"), totals],
    ["behind", writing ? since : t("Behind"), behind.map((points) => (points ? `+${points}` : "–"))],
  ];
  match(
    parent,
    leaders.length ? rows : rows.slice(0, 1),
    ([name]) => name,
    ([name]) => h("tr", { class: `sh-${name}` }),
    (row, [, title, cells]) =>
      match(
        row,
        [title, ...cells],
        (_, i) => i,
        (_, i) => (i ? h("td") : h("th", { scope: "row", class: "left" })),
        (cell, words, i) => {
          put(cell, words);
          cell.classList.toggle("lead", leaders.includes(i));
          cell.classList.toggle("over", cannot_win.includes(i));
        },
      ),
  );
}

/**
 * @param {HTMLElement} row
 * @param {Api.Snapshot} state
 */
function head(row, state) {
  match(
    row,
    [null, ...state.rows],
    (_, i) => i,
    (_, i) => h("th", { scope: "col", class: i ? null : "left" }),
    (cell, one) => {
      put(cell, one ? one.player : state.sheet?.plain ? t("Round") : t("Hand"));
      attr(cell, "title", one?.player ?? null);
      cell.classList.toggle("lead", one !== null && Boolean(state.sheet?.leaders.includes(one.seat)));
    },
  );
}

/**
 * @param {HTMLElement} row
 * @param {Api.SheetRow} line
 * @param {Api.Snapshot} state
 * @param {((line: Api.SheetRow, seat: number) => unknown) | null} open
 */
function hand(row, line, state, open) {
  row.classList.toggle("now", line.current);
  match(
    row,
    [line, ...line.cells],
    (_, i) => i,
    (_, i) => (i ? h("td") : h("th", { scope: "row", class: "left" })),
    (cell, one, i) => {
      if ("title" in one) {
        const deals = dealt(line, state);
        const says = `${line.hand} ${line.title} ${deals} ${line.hint} ${line.notes.join(", ")}`;
        if (cell.dataset.says === says) return;
        cell.dataset.says = says;
        const picture = pictured(line.picture);
        attr(picture ?? cell, "aria-hidden", picture ? "true" : null);
        cell.replaceChildren(
          h(
            "div",
            { class: "th" },
            ...[
              picture,
              h(
                "span",
                {},
                state.sheet?.plain ? null : h("i", {}, `${line.hand}. `),
                h("span", { class: "about" }, line.title),
                deals === null ? null : h("small", { class: "deals" }, deals),
                line.hint === null ? null : h("small", { class: "hint" }, line.hint),
                ...line.notes.map((note) => h("small", {}, note)),
              ),
            ].filter((part) => part !== null),
          ),
        );
        return;
      }
      points(cell, one, i, line, state, open);
    },
  );
}

/**
 * @param {HTMLElement} cell
 * @param {Api.Cell} one
 * @param {number} seat
 * @param {Api.SheetRow} line
 * @param {Api.Snapshot} state
 * @param {((line: Api.SheetRow, seat: number) => unknown) | null} open
 */
function points(cell, one, seat, line, state, open) {
  const written = one.points != null;
  const may = open && state.entries.some((entry) => entry.ask === "correct-hand" && entry.hands.includes(line.hand));
  const writers = state.sheet?.writers ?? {};
  const author = one.by ?? "";
  const by = Object.keys(writers).length > 1 ? (/^phone (\S+)$/.exec(author)?.[1] ?? writers[author]) : null;
  cell.classList.toggle("win", one.points === 0 && !state.sheet?.plain);
  const tag = may ? "button" : "span";
  match(
    cell,
    [...(written ? [one] : []), ...(one.notes ?? [])],
    (what, i) => (typeof what === "string" ? `note ${i}` : tag),
    (what) =>
      typeof what === "string"
        ? h("small")
        : h(tag, { class: "sh-cell", type: may ? "button" : null }, h("b"), h("small")),
    (element, what) => {
      if (typeof what === "string") {
        put(element, what);
        return;
      }
      put(firstIn(element), one.points);
      put(lastIn(element), by);
      attr(element, "title", writers[author] ? t("Written by: {by}", { by: writers[author] }) : null);
      if (!may) return;
      const said = {
        player: state.rows[seat - 1].player,
        line: called(line.hand, state.sheet?.plain),
        points: one.points,
      };
      attr(element, "aria-label", t("{player}, {line}: {points}. Correct", said));
      element.onclick = () => open(line, seat);
    },
  );
}

/**
 * The graph as wide as the page, in the page's own type.
 *
 * @param {HTMLElement} box
 * @param {Api.Sheet} found
 */
function graph(box, found) {
  box.hidden = false;
  const wide = box.clientWidth || 640;
  chart(box, found, { wide, high: Math.min(360, Math.max(220, wide * 0.36, 60 + 17 * found.players.length)), em: 14 });
}

// ---- on paper, as it is, or empty to fill in by hand

for (const name of ["print", "empty"]) {
  maybe(`[data-sheet=${name}]`)?.addEventListener("click", () => {
    const root = $("#sheet");
    const more = name === "empty" && openEnd ? spare($("table", root)) : [];
    root.classList.toggle("empty", name === "empty");
    print();
    root.classList.remove("empty");
    for (const row of more) row.remove();
  });
}

/**
 * Add rows to *table* that nobody has played yet, and return them: on paper none is added as it comes.
 *
 * @param {HTMLElement} table
 */
function spare(table) {
  const [body, columns] = [$("tbody", table), $("thead tr", table).childElementCount - 1];
  const row = (/** @type {number} */ n) =>
    h(
      "tr",
      {},
      h("th", { scope: "row", class: "left" }, h("div", { class: "th" }, t("Round {n}", { n }))),
      ...Array.from({ length: columns }, () => h("td")),
    );
  const count = Math.max(0, ON_PAPER - body.childElementCount);
  const more = Array.from({ length: count }, (_, i) => row(ON_PAPER - count + i + 1));
  body.append(...more);
  return more;
}
