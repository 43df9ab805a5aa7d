// A hand that was written wrong: its cells all at once, for who went out may have been somebody else. As numbers, or tapped.
import { $, attr, h, match, put, s } from "./dom.js";
import { choosing, summed } from "./tapping.js";
import { t } from "./words.js";

const PIECES = "M4 7h9v13H4zM8 7V4h12v13h-7";

/** Return the empty form; *leave()* closes it. */
export function fixer(leave) {
  return h("div", { class: "en-editor" }, h("div", { class: "en-fix" }),
    h("div", { class: "en-tap" }, h("div", { class: "en-halves", role: "group", "aria-label": t("One half") }), h("div", { class: "en-pieces", role: "group" })), h("div", { class: "en-marks" }),
    h("div", { class: "do" }, h("button", { type: "button", class: "main" }, t("Correct it")), h("button", { type: "button" }), h("button", { type: "button", click: leave }, t("Never mind"))));
}

/** Draw what *found* corrects into the form: {hand, seat, fixes, cards, tap, marks}; *does* has again(), done(work) and send(move). */
export function fix(element, found, state, rewrite, does) {
  const [list, tap, marks, buttons] = element.children;
  const line = state.sheet.lines[found.hand - 1];
  const written = state.rows.filter((one) => line.cells[one.seat - 1].points != null);
  const worth = new Map(rewrite.pieces.map((name, i) => [name, rewrite.worth[i]]));
  match(list, written, (one) => one.seat, (one) => row(one, found, does.again), (element, one) => {
    const cell = line.cells[one.seat - 1];
    const [label, toggle] = element.children;
    const number = $("input", label);
    attr(number, "min", rewrite.least);
    attr(number, "step", rewrite.step);
    put($("small", label), t("Written by: {by}", { by: state.sheet.writers[cell.by] ?? cell.by }));
    const shown = tapped(found, cell, one.seat) ? summed(found.cards.get(one.seat).pieces, worth) : cell.points;
    if (!found.fixes.has(one.seat) && number.value !== String(shown)) number.value = shown;
    attr(toggle, "aria-expanded", String(found.tap === one.seat));
    toggle.onclick = () => {
      found.tap = found.tap === one.seat ? null : one.seat;
      if (found.tap && !found.cards.has(one.seat)) found.cards.set(one.seat, { pieces: [...(cell.pieces ?? [])], half: null });
      found.fixes.delete(one.seat);
      does.again();
    };
  });
  attr(tap, "hidden", !found.tap);
  if (found.tap) choosing(...tap.children, { pieces: there(found, line, rewrite), drawn: rewrite.drawn, worth }, found.cards.get(found.tap), does.again);
  const held = found.marks ?? line.marks;
  match(marks, rewrite.marks, (one) => one.value, (one) => flag(one), (label, one) => {
    const box = label.lastElementChild;
    box.checked = held.includes(one.value);
    box.onchange = () => {
      found.marks = box.checked ? [...held, one.value] : held.filter((name) => name !== one.value);
      does.again();
    };
  });
  const cells = written.map((one) => changed(found, line.cells[one.seat - 1], one.seat)).filter(Boolean);
  const marked = held.length !== line.marks.length || held.some((name) => !line.marks.includes(name));
  const [yes, back] = buttons.children;
  yes.disabled = (!cells.length && !marked) || cells.some((cell) => !cell.pieces && !Number.isInteger(cell.points));
  yes.onclick = () => does.done(does.send({ type: rewrite.move, hand: line.hand, cells, ...(marked ? { marks: held } : {}) }));
  attr(back, "hidden", state.sheet.lines.slice(line.hand).some((later) => later.cells.some((cell) => cell.points != null)));
  put(back, t("Take back {player}’s", { player: state.rows.find((one) => one.seat === found.seat).player }));
  back.onclick = () => does.done(does.send({ type: rewrite.move, hand: line.hand, cells: [{ seat: found.seat }] }));
}

function row(one, found, again) {
  const number = h("input", { type: "number", class: "short", inputmode: "numeric", "data-seat": one.seat });
  number.addEventListener("input", () => {
    found.fixes.set(one.seat, number.value);
    found.cards.delete(one.seat);
    if (found.tap === one.seat) found.tap = null;
    again();
  });
  return h("div", { class: "en-row" },
    h("label", {}, h("span", { class: "seat" }, String(one.seat)), h("span", { class: "en-who" }, h("b", {}, one.player), h("small")), number),
    h("button", { type: "button", class: "icon", "aria-label": t("Tap what {player} had left", { player: one.player }) }, s("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, s("path", { d: PIECES }))));
}

const flag = (one) => h("label", { class: "flag" }, h("span", { class: "name" }, one.label), h("small", {}, one.explain), h("input", { type: "checkbox", class: "switch", role: "switch" }));

const alike = (some, others) => [...some].sort().join() === [...others].sort().join();

/** Whether the pieces of *seat* were tapped, and differ from those of its *cell*. */
const tapped = (found, cell, seat) => found.cards.has(seat) && !alike(found.cards.get(seat).pieces, cell.pieces ?? []);

/** Return what the *cell* of *seat* should say, or nothing if it stays. */
function changed(found, cell, seat) {
  if (tapped(found, cell, seat)) return { seat, pieces: found.cards.get(seat).pieces };
  const number = found.fixes.get(seat);
  if (number === undefined || number === String(cell.points)) return null;
  return { seat, points: number === "" ? NaN : Number(number) };
}

/** Return the pieces that can be tapped for the seat in hand: what the others of *line* have is gone. */
function there(found, line, { pieces, copies }) {
  const left = pieces.flatMap((name) => Array.from({ length: copies }, () => name));
  line.cells.forEach((cell, i) => {
    if (i + 1 === found.tap) return;
    const theirs = found.cards.get(i + 1)?.pieces ?? (found.fixes.has(i + 1) ? [] : cell.pieces ?? []);
    for (const name of theirs) if (left.includes(name)) left.splice(left.indexOf(name), 1);
  });
  return left;
}
