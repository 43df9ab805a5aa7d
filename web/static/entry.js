// Writing on a score sheet: whose hand, then the pieces to tap or the number. Several phones write at once.
import { $, attr, h, match, put } from "./dom.js";
import { say } from "./frame.js";
import { pointed } from "./pieces.js";
import { choosing, summed } from "./tapping.js";
import { t } from "./words.js";

let draft = null; // what this phone is writing: {hand, seat, pieces, half}, or of a hand it corrects {hand, seat, fixes, cards, tap, marks}
let form = null; // what draws corrections comes with the first of them
let last = null; // what was drawn last: [root, state, send]

/** Begin to correct the hand of *line*, the cell of *seat* first. */
export async function correct(line, seat) {
  form ??= await import("./fix.js");
  if (draft?.fixes && draft.hand === line.hand) draft.seat = seat;
  else draft = { hand: line.hand, seat, fixes: new Map(), cards: new Map(), tap: null, marks: null };
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
  if (draft && !stands(draft, points, rewrite)) {
    overtaken(state);
    draft = null;
  }
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
  match(write, draft ? [draft] : [], (one) => (one.fixes ? `fix ${one.hand}` : `${one.hand} ${one.seat}`), () => (draft.fixes ? form.fixer(leave) : editor()),
    (element) => (draft.fixes ? form.fix(element, draft, state, rewrite, { again, done, send }) : edit(element, row, points, send)));
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

/** Say who was faster, if the cell that was being written is written now. */
function overtaken(state) {
  const cell = state.sheet?.lines[draft.hand - 1]?.cells[draft.seat - 1];
  if (draft.fixes || !cell || cell.points == null || draft.sent) return;
  say(t("{player} has {points} already (written by: {by}).", { player: state.rows[draft.seat - 1].player, points: pointed(cell.points), by: state.sheet.writers[cell.by] }));
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
  const total = draft.pieces.length ? summed(draft.pieces, worth) : typed;
  put($("output", sum), total);
  if (tapping) choosing(parts, grid, { ...points, worth }, draft, again);
  for (const box of [parts, grid]) if (!tapping) attr(box, "hidden", true);
  const [yes, out] = buttons.children;
  put(yes, t("That is all"));
  yes.disabled = !Number.isInteger(total) || total < points.least;
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

/** Close the editor once the table has taken what was written. */
async function done(work) {
  const sent = draft;
  sent.sent = true;
  const taken = await work;
  sent.sent = false;
  if (taken && draft === sent) leave();
}
