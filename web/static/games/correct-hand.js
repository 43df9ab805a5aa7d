// @ts-check
// A hand that was written wrong: its cells all at once, for who went out may have been somebody else.
// As numbers, or tapped.
import { $, attr, childrenOf, h, input, match, put, s } from "../lib/dom.js";
import { foresee } from "../lib/foresee.js";
import { unsay } from "../lib/notes.js";
import { live, say } from "../lib/page.js";
import { t, trueMinus } from "../lib/words.js";
import { offerAnyway, stillOffered } from "./anyway.js";
import { pointsField, pointsIn, turning } from "./points-field.js";
import { choosing, summed } from "./tapping.js";

const PIECES = "M4 7h9v13H4zM8 7V4h12v13h-7";

/**
 * Return the empty form; *leave()* closes it.
 *
 * @param {() => void} leave
 */
export function correctionForm(leave) {
  const made = h(
    "div",
    { class: "se-editor" },
    h("div", { class: "se-fix" }),
    h(
      "div",
      { class: "se-tap" },
      h("div", { class: "se-halves", role: "group", "aria-label": t("One half") }),
      h("div", { class: "se-pieces", role: "group" }),
    ),
    h("div", { class: "se-marks" }),
    h("div", { class: "se-behind hint", "aria-live": "polite" }),
    h(
      "div",
      { class: "do" },
      h("button", { type: "button", class: "main" }, t("Correct it")),
      h("button", { type: "button" }),
      h("button", { type: "button", click: leave }, t("Never mind")),
    ),
    h("div", { class: "se-anyway", hidden: true }),
  );
  made.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(/** @type {Element} */ (event.target).matches(".se-fix input"))) return;
    event.preventDefault();
    $(".main", made).click();
  });
  return made;
}

/**
 * Let what *found* says stay with its people, wherever they sit in *state*: others may have come or gone.
 *
 * @param {Page.Correcting} found
 * @param {Api.Snapshot} state
 */
export function reseat(found, { rows, sheet }) {
  const [sat, now] = [found.sat, rows.map((one) => one.player)];
  const seat = (/** @type {number} */ was) => now.indexOf(sat[was - 1]) + 1;
  const line = sheet?.lines[found.hand - 1];
  if (!line || now.join("\n") === sat.join("\n")) return;
  for (const by of [found.fixes, found.cards]) {
    const all = [...by];
    by.clear();
    for (const [was, what] of all) if (seat(was)) /** @type {Map<number, unknown>} */ (by).set(seat(was), what);
  }
  found.tap = (found.tap && seat(found.tap)) || null;
  found.seat = seat(found.seat) || 1;
  const before = found.was.cells;
  found.was = { ...found.was, cells: now.map((name, i) => before[sat.indexOf(name)] ?? line.cells[i]) };
  found.sat = now;
}

/**
 * Draw what *found* corrects into the form.
 *
 * @param {HTMLElement} element
 * @param {Page.Correcting} found
 * @param {Api.Snapshot} state
 * @param {Api.CorrectHand} rewrite
 * @param {{ again(): void; done(work: Promise<boolean | null>, refused?: () => unknown): void; send: Page.Send }} does
 */
export function correctHand(element, found, state, rewrite, does) {
  const [list, tap, marks, behind, buttons, doubt] = childrenOf(element);
  const { sheet } = state;
  if (!sheet) return;
  const line = sheet.lines[found.hand - 1];
  const written = state.rows.filter((one) => line.cells[one.seat - 1].points != null);
  const worth = new Map(rewrite.pieces.map((name, i) => [name, rewrite.worth[i]]));
  match(
    list,
    written,
    (one) => `${one.seat} ${one.player}`,
    (one) => row(one, found, does.again),
    (element, one) => {
      const cell = line.cells[one.seat - 1];
      const [label, turn, toggle] = childrenOf(element);
      const number = input("input", label);
      attr(turn, "hidden", rewrite.least >= 0);
      put($("small", label), cell.by ? t("Written by: {by}", { by: sheet.writers[cell.by] ?? cell.by }) : null);
      const pieces = tapped(found, cell, one.seat);
      const shown = pieces ? summed(pieces, worth) : cell.points;
      if (!found.fixes.has(one.seat) && pointsIn(number.value) !== shown) number.value = trueMinus(shown ?? "");
      attr(toggle, "hidden", !rewrite.pieces.length);
      attr(toggle, "aria-expanded", String(found.tap === one.seat));
      toggle.onclick = () => {
        found.tap = found.tap === one.seat ? null : one.seat;
        if (found.tap && !found.cards.has(one.seat))
          found.cards.set(one.seat, { pieces: [...(cell.pieces ?? [])], half: null });
        found.fixes.delete(one.seat);
        does.again();
      };
    },
  );
  attr(tap, "hidden", !found.tap);
  const mine = found.tap && found.cards.get(found.tap);
  if (mine) {
    const [parts, grid] = childrenOf(tap);
    choosing(parts, grid, { pieces: there(found, line, rewrite), drawn: rewrite.drawn, worth }, mine, does.again);
  }
  const held = found.marks ?? line.marks;
  match(
    marks,
    rewrite.marks,
    (one) => one.value,
    (one) => flag(one),
    (label, one) => {
      const name = String(one.value);
      const box = input("input", label);
      box.checked = held.includes(name);
      box.onchange = () => {
        found.marks = box.checked ? [...held, name] : held.filter((other) => other !== name);
        does.again();
      };
    },
  );
  const cells = written
    .map((one) => changed(found, line.cells[one.seat - 1], one.seat))
    .filter((cell) => cell !== null);
  const marked = held.length !== line.marks.length || held.some((name) => !line.marks.includes(name));
  const [yes, back] = /** @type {HTMLButtonElement[]} */ (childrenOf(buttons));
  yes.disabled = (!cells.length && !marked) || cells.some((cell) => !cell.pieces && !Number.isInteger(cell.points));
  const whole = { type: rewrite.move, hand: line.hand, cells, ...(marked ? { marks: held } : {}) };
  foreseen(behind, yes.disabled ? null : whole);
  const because = (/** @type {string} */ why) => ({
    ...whole,
    cells: cells.map((cell) => ({ ...cell, anyway: why })),
  });
  const write = (/** @type {Page.Move} */ move) => {
    const news = meanwhile(found, state, cells, marked);
    found.was = line;
    unsay(found.news ?? "");
    found.news = news;
    if (news) return say(news);
    return does.done(does.send(move, state.seq), () => {
      if (cells.length) offerAnyway(doubt, whole, (why) => write(because(why)));
    });
  };
  stillOffered(doubt, whole);
  yes.onclick = () => write(whole);
  attr(
    back,
    "hidden",
    sheet.lines.slice(line.hand).some((later) => later.cells.some((cell) => cell.points != null)),
  );
  put(back, t("Take back {player}’s", { player: state.rows.find((one) => one.seat === found.seat)?.player }));
  back.onclick = () =>
    does.done(does.send({ type: rewrite.move, hand: line.hand, cells: [{ seat: found.seat }] }, state.seq));
}

/**
 * Show what *move* would change, once each: the form is drawn again with all that happens at the table.
 *
 * @param {HTMLElement} box
 * @param {Page.Move | null} move
 */
function foreseen(box, move) {
  const wish = move && { type: /** @type {const} */ ("play"), seq: null, move };
  const key = JSON.stringify([wish, live.state.seq]);
  if (box.dataset.of === key) return;
  box.dataset.of = key;
  foresee(box, wish);
}

/**
 * Return what somebody else has made of *cells*, or of the marks, since their correction was begun; else nothing.
 *
 * @param {Page.Correcting} found
 * @param {Api.Snapshot} state
 * @param {{ seat: number }[]} cells
 * @param {boolean} marked
 */
function meanwhile(found, { sheet, rows }, cells, marked) {
  const line = sheet?.lines[found.hand - 1];
  if (!sheet || !line) return "";
  const theirs = cells.find(({ seat }) => line.cells[seat - 1].seq !== found.was.cells[seat - 1].seq);
  const same = alike(line.marks, found.was.marks);
  if (!theirs && (!marked || same)) return "";
  const cell = theirs && line.cells[theirs.seat - 1];
  const player = rows.find((one) => one.seat === theirs?.seat)?.player;
  return t("{other} has changed this meanwhile: {what}. Press once more, and yours holds instead.", {
    other: (cell?.by && (sheet.writers[cell.by] ?? cell.by)) || t("Somebody else"),
    what: cell ? `${player} ${trueMinus(cell.points ?? "–")}` : line.title,
  });
}

/**
 * @param {Api.PlayerRow} one
 * @param {Page.Correcting} found
 * @param {() => void} again
 */
function row(one, found, again) {
  const typedBefore = found.fixes.get(one.seat) ?? "";
  const number = pointsField({ "data-seat": one.seat, enterkeyhint: "done", value: typedBefore });
  const typed = () => {
    found.fixes.set(one.seat, number.value);
    found.cards.delete(one.seat);
    if (found.tap === one.seat) found.tap = null;
    again();
  };
  number.addEventListener("input", typed);
  return h(
    "div",
    { class: "se-row" },
    h(
      "label",
      {},
      h("span", { class: "seat" }, String(one.seat)),
      h("span", { class: "se-who" }, h("b", {}, one.player), h("small")),
      number,
    ),
    turning(number, typed),
    h(
      "button",
      { type: "button", class: "icon", "aria-label": t("Left with {player}", { player: one.player }) },
      s("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, s("path", { d: PIECES })),
    ),
  );
}

/** @param {Api.Choice} one */
const flag = (one) =>
  h(
    "label",
    { class: "flag" },
    h("span", { class: "name" }, one.label),
    h("small", {}, one.explain),
    h("input", { type: "checkbox", class: "switch", role: "switch" }),
  );

/**
 * @param {string[]} some
 * @param {string[]} others
 */
const alike = (some, others) => [...some].sort().join() === [...others].sort().join();

/**
 * Return the pieces that were tapped for *seat*, if they differ from those of its *cell*.
 *
 * @param {Page.Correcting} found
 * @param {Api.Cell} cell
 * @param {number} seat
 */
function tapped(found, cell, seat) {
  const mine = found.cards.get(seat)?.pieces;
  return mine && !alike(mine, cell.pieces ?? []) ? mine : null;
}

/**
 * Return what the *cell* of *seat* should say, or nothing if it stays.
 *
 * @param {Page.Correcting} found
 * @param {Api.Cell} cell
 * @param {number} seat
 */
function changed(found, cell, seat) {
  const pieces = tapped(found, cell, seat);
  if (pieces) return { seat, pieces };
  const words = found.fixes.get(seat);
  const points = words === undefined ? cell.points : pointsIn(words);
  return points === cell.points ? null : { seat, points: points ?? NaN };
}

/**
 * Return the pieces that can be tapped for the seat in hand: what the others of *line* have is gone.
 *
 * @param {Page.Correcting} found
 * @param {Api.SheetRow} line
 * @param {Api.CorrectHand} given
 */
function there(found, line, { pieces, copies }) {
  const left = pieces.flatMap((name) => Array.from({ length: copies }, () => name));
  line.cells.forEach((cell, i) => {
    if (i + 1 === found.tap) return;
    const theirs = found.cards.get(i + 1)?.pieces ?? (found.fixes.has(i + 1) ? [] : (cell.pieces ?? []));
    for (const name of theirs) if (left.includes(name)) left.splice(left.indexOf(name), 1);
  });
  return left;
}
