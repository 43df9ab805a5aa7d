// Writing on a score sheet: whose hand, then the pieces to tap or the number. Several phones write at once.
import { $, attr, h, match, put } from "./dom.js";
import { half, halves, pointed } from "./pieces.js";
import { tapped, tapping } from "./tapping.js";
import { t } from "./words.js";

const MANY = 60; // tiles that are too many for a thumb: one half first, then the other
let draft = null; // {hand, seat, pieces, half, seq}: what this phone is writing; `seq`: a cell it corrects
let last = null; // what was drawn last: [root, state, does]

/** Begin to correct the cell of *seat* in *line*. */
export function correct(line, seat) {
  const cell = line.cells[seat - 1];
  draft = { hand: line.hand, seat, pieces: [], half: null, seq: cell.seq, was: cell };
  again();
  last[0].scrollIntoView({ block: "nearest", behavior: "smooth" });
}

const again = () => last && entry(...last);

/** Draw what can be written into *root*; *does* has move(made), amend(seq, made) and undo(seq), or is null. */
export function entry(root, state, does) {
  last = [root, state, does];
  const points = state.entries.find((one) => one.ask === "points");
  if (draft && !stands(draft, state, points)) draft = null;
  attr(root, "hidden", !does || !(points || draft));
  if (root.hidden) return;
  if (!root.firstElementChild) {
    root.append(h("h2"), h("p", { class: "hint" }), h("div", { class: "chips en-seats", role: "group" }), h("div", { class: "en-write" }), h("div", { class: "do en-hand" }));
  }
  const [head, hint, seats, write, whole] = root.children;
  const row = draft && state.rows.find((one) => one.seat === draft.seat);
  put(head, !draft ? t("Whose hand?") : draft.seq ? t("Correct hand {hand} of {player}", { hand: draft.hand, player: row.player }) : t("Left with {player}", { player: row.player }));
  put(hint, draft?.seq ? t("{points}, written by {by}.", { points: pointed(draft.was.points), by: draft.was.by }) : points?.explain);
  attr(seats, "aria-label", t("Whose hand?"));
  const open = points ? state.rows.filter((one) => points.seats.includes(one.seat)) : [];
  match(seats, draft ? [] : open, (one) => one.seat, () => h("button", { type: "button" }, h("span", { class: "seat" }), h("span")), (button, one) => {
    put(button.firstElementChild, one.seat);
    put(button.lastElementChild, one.player);
    button.onclick = () => {
      draft = { hand: points.hand, seat: one.seat, pieces: [], half: null, seq: 0 };
      again();
    };
  });
  match(write, draft ? [draft] : [], (one) => `${one.hand} ${one.seat} ${one.seq}`, () => editor(), (element) => edit(element, row, points, does));
  const asked = draft ? [] : state.entries.filter((one) => one.ask === "of-hand");
  match(whole, asked, (one) => one.move, () => h("button", { type: "button", class: "two" }, h("span"), h("small")), (button, one) => {
    put(button.firstElementChild, one.label);
    put(button.lastElementChild, one.explain);
    button.onclick = () => does.move({ type: one.move, hand: one.hand });
  });
}

/** Whether what *made* writes can still be written. */
function stands(made, state, points) {
  if (made.seq) return state.sheet?.lines[made.hand - 1]?.cells[made.seat - 1]?.seq === made.seq;
  return points?.hand === made.hand && points.seats.includes(made.seat);
}

function editor() {
  const number = h("input", { type: "number", class: "short", min: 0, inputmode: "numeric", "aria-label": t("Points"), placeholder: "–" });
  number.addEventListener("input", again);
  return h("div", { class: "en-editor" },
    h("div", { class: "en-sum" }, h("label", {}, h("span", {}, t("As a number")), number), h("output", { "aria-live": "polite" })),
    h("div", { class: "en-halves", role: "group", "aria-label": t("One half") }), h("div", { class: "en-pieces", role: "group" }),
    h("div", { class: "do" }, h("button", { type: "button", class: "main" }), h("button", { type: "button" }), h("button", { type: "button" }, t("Never mind"))));
}

function edit(element, row, points, does) {
  const [sum, parts, grid, buttons] = element.children;
  const number = $("input", sum);
  const tapping = !draft.seq && points.pieces.length > 0;
  const worth = new Map(tapping ? points.pieces.map((name, i) => [name, points.worth[i]]) : []);
  // What somebody else was given meanwhile is gone.
  const left = tapping ? [...points.pieces] : [];
  draft.pieces = draft.pieces.filter((name) => left.includes(name) && left.splice(left.indexOf(name), 1));
  number.disabled = draft.pieces.length > 0;
  if (number.disabled) number.value = "";
  attr(number, "step", points?.step);
  const typed = number.value === "" ? null : Number(number.value);
  const total = draft.pieces.length ? draft.pieces.reduce((all, name) => all + worth.get(name), 0) : typed;
  put($("output", sum), total);
  if (tapping) tiles(parts, grid, points, worth);
  for (const box of [parts, grid]) if (!tapping) attr(box, "hidden", true);
  const [yes, out] = buttons.children;
  put(yes, draft.seq ? t("Correct it") : t("That is all"));
  yes.disabled = total === null || Number.isNaN(total);
  const made = { type: points?.move ?? "score", hand: draft.hand, seat: draft.seat };
  yes.onclick = () => done(draft.seq
    ? does.amend(draft.seq, { ...made, points: typed }) : does.move(draft.pieces.length ? { ...made, pieces: draft.pieces } : { ...made, points: typed }));
  put(out, draft.seq ? t("Take it back") : t("{player} went out", { player: row.player }));
  out.onclick = () => done(draft.seq ? does.undo(draft.seq) : does.move({ ...made, points: 0 }));
  buttons.lastElementChild.onclick = () => {
    draft = null;
    again();
  };
}

/** Close the editor once the table has taken what was written. */
async function done(work) {
  if (await work) {
    draft = null;
    again();
  }
}

function tiles(parts, grid, points, worth) {
  const whole = points.pieces.length <= MANY || points.drawn !== "tiles";
  attr(parts, "hidden", whole);
  const numbers = whole ? [] : [...new Set(points.pieces.flatMap(halves))].sort((a, b) => a - b);
  match(parts, numbers, (n) => n, (n) => h("button", { type: "button", class: "en-piece" }, half(n)), (button, n) => {
    attr(button, "aria-pressed", String(n === draft.half));
    button.onclick = () => {
      draft.half = n === draft.half ? null : n;
      again();
    };
  });
  const shown = [...new Set(points.pieces)].filter((name) => whole || draft.pieces.includes(name) || halves(name).includes(draft.half));
  attr(grid, "hidden", false);
  attr(grid, "aria-label", t("Tap every one that is left"));
  const times = (all, name) => all.filter((one) => one === name).length;
  const says = (name) => ({ taken: times(draft.pieces, name), more: pointed(worth.get(name)) });
  tapping(grid, shown, points.drawn, says, (name) => {
    draft.pieces = tapped(draft.pieces, name, times(points.pieces, name));
    again();
  });
}
