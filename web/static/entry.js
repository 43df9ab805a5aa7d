// Writing on a score sheet: whose hand, then the pieces to tap or the number. Several phones write at once.
import { $, attr, h, match, put } from "./dom.js";
import { half, halves, pointed } from "./pieces.js";
import { tapped, tapping } from "./tapping.js";
import { t } from "./words.js";

const MANY = 60; // tiles that are too many for a thumb: one half first, then the other
let draft = null; // what this phone is writing: {hand, seat, pieces, half}, or of a hand it corrects {hand, seat, fixes, marks}
let last = null; // what was drawn last: [root, state, send]

/** Begin to correct the hand of *line*, the cell of *seat* first. */
export function correct(line, seat) {
  draft = { hand: line.hand, seat, fixes: new Map(), marks: null };
  again();
  last[0].scrollIntoView({ block: "start", behavior: "smooth" });
  $(`.en-fix [data-seat="${seat}"]`, last[0])?.select();
}

const again = () => last && entry(...last);

/** Draw what can be written into *root*; *send(move)* writes it; without it nothing can be written. */
export function entry(root, state, send) {
  last = [root, state, send];
  const points = state.entries.find((one) => one.ask === "points");
  const rewrite = state.entries.find((one) => one.ask === "rewrite");
  if (draft && !stands(draft, points, rewrite)) draft = null;
  attr(root, "hidden", !send || !(points || draft));
  if (root.hidden) return;
  if (!root.dataset.made) {
    root.dataset.made = "yes";
    root.prepend(h("h2"), h("p", { class: "hint" }), h("div", { class: "chips en-seats", role: "group" }), h("div", { class: "en-write" }), h("div", { class: "do en-hand" }));
  }
  const [head, hint, seats, write, whole] = root.children;
  const row = draft && state.rows.find((one) => one.seat === draft.seat);
  put(head, !draft ? t("Whose hand?") : draft.fixes ? t("Correct hand {hand}", { hand: draft.hand }) : t("Left with {player}", { player: row.player }));
  put(hint, draft?.fixes ? rewrite.explain : points?.explain);
  attr(seats, "aria-label", t("Whose hand?"));
  const open = points ? state.rows.filter((one) => points.seats.includes(one.seat)) : [];
  match(seats, draft ? [] : open, (one) => one.seat, () => h("button", { type: "button" }, h("span", { class: "seat" }), h("span")), (button, one) => {
    put(button.firstElementChild, one.seat);
    put(button.lastElementChild, one.player);
    button.onclick = () => {
      draft = { hand: points.hand, seat: one.seat, pieces: [], half: null };
      again();
    };
  });
  match(write, draft ? [draft] : [], (one) => (one.fixes ? `fix ${one.hand}` : `${one.hand} ${one.seat}`), () => (draft.fixes ? fixer() : editor()),
    (element) => (draft.fixes ? fix(element, row, state, rewrite, send) : edit(element, row, points, send)));
  const asked = draft ? [] : state.entries.filter((one) => one.ask === "of-hand");
  match(whole, asked, (one) => one.move, () => h("button", { type: "button", class: "two" }, h("span"), h("small")), (button, one) => {
    put(button.firstElementChild, one.label);
    put(button.lastElementChild, one.explain);
    button.onclick = () => send({ type: one.move, hand: one.hand });
  });
}

/** Whether what *made* writes can still be written. */
function stands(made, points, rewrite) {
  if (made.fixes) return Boolean(rewrite?.hands.includes(made.hand));
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

function edit(element, row, points, send) {
  const [sum, parts, grid, buttons] = element.children;
  const number = $("input", sum);
  const tapping = points.pieces.length > 0;
  const worth = new Map(tapping ? points.pieces.map((name, i) => [name, points.worth[i]]) : []);
  // What somebody else was given meanwhile is gone.
  const left = tapping ? [...points.pieces] : [];
  draft.pieces = draft.pieces.filter((name) => left.includes(name) && left.splice(left.indexOf(name), 1));
  number.disabled = draft.pieces.length > 0;
  if (number.disabled) number.value = "";
  attr(number, "step", points.step);
  const typed = number.value === "" ? null : Number(number.value);
  const total = draft.pieces.length ? draft.pieces.reduce((all, name) => all + worth.get(name), 0) : typed;
  put($("output", sum), total);
  if (tapping) tiles(parts, grid, points, worth);
  for (const box of [parts, grid]) if (!tapping) attr(box, "hidden", true);
  const [yes, out] = buttons.children;
  put(yes, t("That is all"));
  yes.disabled = total === null || Number.isNaN(total);
  const made = { type: points.move, hand: draft.hand, seat: draft.seat };
  yes.onclick = () => done(send(draft.pieces.length ? { ...made, pieces: draft.pieces } : { ...made, points: typed }));
  put(out, t("{player} went out", { player: row.player }));
  out.onclick = () => done(send({ ...made, points: 0 }));
  buttons.lastElementChild.onclick = leave;
}

function leave() {
  draft = null;
  again();
}

// ---- a hand that was written wrong: its numbers all at once, for who went out may have been somebody else

function fixer() {
  return h("div", { class: "en-editor" }, h("div", { class: "en-fix" }), h("div", { class: "en-marks" }),
    h("div", { class: "do" }, h("button", { type: "button", class: "main" }, t("Correct it")), h("button", { type: "button" }), h("button", { type: "button", click: leave }, t("Never mind"))));
}

function fix(element, row, state, rewrite, send) {
  const [grid, marks, buttons] = element.children;
  const line = state.sheet.lines[draft.hand - 1];
  const found = draft;
  const written = state.rows.filter((one) => line.cells[one.seat - 1].points !== null);
  match(grid, written, (one) => one.seat, (one) => {
    const number = h("input", { type: "number", class: "short", inputmode: "numeric", "data-seat": one.seat });
    number.addEventListener("input", () => {
      found.fixes.set(one.seat, number.value);
      again();
    });
    return h("label", {}, h("span", { class: "seat" }, String(one.seat)), h("span", { class: "en-who" }, h("b", {}, one.player), h("small")), number);
  }, (label, one) => {
    const cell = line.cells[one.seat - 1];
    const number = label.lastElementChild;
    attr(number, "min", rewrite.least);
    attr(number, "step", rewrite.step);
    put($("small", label), t("Written by {by}", { by: state.sheet.writers[cell.by] ?? cell.by }));
    if (!found.fixes.has(one.seat) && number.value !== String(cell.points)) number.value = cell.points;
  });
  const held = found.marks ?? line.marks;
  match(marks, rewrite.marks, (one) => one.value, (one) => h("label", { class: "flag" }, h("span", { class: "name" }, one.label), h("small", {}, one.explain),
    h("input", { type: "checkbox", class: "switch", role: "switch", change: (event) => {
      found.marks = event.target.checked ? [...held, one.value] : held.filter((name) => name !== one.value);
      again();
    } })), (label, one) => {
    label.lastElementChild.checked = held.includes(one.value);
  });
  const cells = written.filter((one) => found.fixes.has(one.seat) && found.fixes.get(one.seat) !== String(line.cells[one.seat - 1].points))
    .map((one) => ({ seat: one.seat, points: found.fixes.get(one.seat) === "" ? NaN : Number(found.fixes.get(one.seat)) }));
  const marked = held.length !== line.marks.length || held.some((name) => !line.marks.includes(name));
  const [yes, back] = buttons.children;
  yes.disabled = (!cells.length && !marked) || cells.some((cell) => !Number.isInteger(cell.points));
  yes.onclick = () => done(send({ type: rewrite.move, hand: line.hand, cells, ...(marked ? { marks: held } : {}) }));
  attr(back, "hidden", state.sheet.lines.slice(line.hand).some((later) => later.cells.some((cell) => cell.points !== null)));
  put(back, t("Take back {player}’s", { player: row.player }));
  back.onclick = () => done(send({ type: rewrite.move, hand: line.hand, cells: [{ seat: found.seat }] }));
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
