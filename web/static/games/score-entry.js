// @ts-check
// Writing on a score sheet: whose hand, then the pieces to tap or the number. Several phones write at once.
import { $, attr, childrenOf, firstIn, h, input, lastIn, match, maybe, put, s } from "../lib/dom.js";
import { say } from "../lib/page.js";
import { t, trueMinus } from "../lib/words.js";
import { pointed } from "./pieces.js";
import { keypad, onKeypad, pointsField, pointsIn, turning } from "./points-field.js";
import { choosing, summed } from "./tapping.js";

const WIDE = matchMedia("(min-width: 62rem)"); // where the sheet has it: there everybody has a field of their own

/** @type {Page.Writing | Page.Correcting | null} */
let draft = null; // what this phone is writing
let ended = 0; // the round whose last number was written here: on a wide page the next one goes on by itself
/** Whether Enter was pressed: then the next player's points are asked. */
let onward = false;
/** @type {Map<string, string>} */
const typed = new Map(); // by cell: what is not written yet
/** The cell of *player* now: seats change with who comes and goes, and hands end. @param {string} player */
const cellOf = (player) =>
  `${last?.[1].game_no} ${last?.[1].entries.find((one) => one.ask === "points")?.hand} ${player}`;
/** What was typed for *player*, and is not written yet. @param {string} player */
const unsent = (player) => typed.get(cellOf(player)) ?? "";
/** @type {typeof import("./correct-hand.js")} */
let form; // what draws corrections comes with the first of them
/** @type {[root: HTMLElement, state: Api.Snapshot, send: Page.Send | null] | null} */
let last = null; // what was drawn last

WIDE.addEventListener("change", () => again());

/**
 * Begin to correct the hand of *line*, the cell of *seat* first.
 *
 * @param {Api.SheetRow} line
 * @param {number} seat
 */
export async function correct(line, seat) {
  form ??= await import("./correct-hand.js");
  if (draft?.fixes && draft.hand === line.hand) draft.seat = seat;
  else {
    const [game, sat] = [last?.[1].game_no, last?.[1].rows.map((one) => one.player) ?? []];
    const { hand } = line;
    draft = { game, hand, seat, fixes: new Map(), cards: new Map(), tap: null, marks: null, was: line, sat };
  }
  again();
  if (!last) return;
  const [root] = last;
  root.scrollIntoView({ block: "start", behavior: "smooth" });
  const number = maybe(`.se-fix [data-seat="${seat}"]`, root);
  if (number instanceof HTMLInputElement) number.select();
}

/**
 * @param {number} n
 * @param {boolean} [plain]
 */
const correcting = (n, plain) =>
  t("{what}: {says}", { what: t("Correct it"), says: plain ? t("round {n}", { n }) : t("hand {n}", { n }) });

function again() {
  if (last) scoreEntry(...last);
}

/**
 * Draw what can be written into *root*; *send(move)* writes it; without it nothing can be written.
 *
 * @param {HTMLElement} root
 * @param {Api.Snapshot} state
 * @param {Page.Send | null} send
 */
export function scoreEntry(root, state, send) {
  const before = last?.[1];
  last = [root, state, send];
  const cursor = maybe(".se-field input:focus", root);
  if (before) follow(before, state);
  const points = state.entries.find((one) => one.ask === "points");
  const rewrite = state.entries.find((one) => one.ask === "correct-hand");
  if (draft?.game !== state.game_no) draft = null;
  if (draft?.fixes) form.reseat(draft, state);
  else if (draft) draft.seat = seatOf(draft.player);
  if (draft && !stands(draft, points, rewrite)) {
    overtaken(draft, state);
    draft = null;
  }
  if (!points) ended = 0;
  attr(root, "hidden", !send || !(points || draft));
  const mine = draft;
  if (root.hidden || !send) {
    maybe(".se-write", root)?.replaceChildren(); // a form that was closed is not taken up again for another draft
    return;
  }
  if (!root.dataset.made) {
    root.dataset.made = "yes";
    root.prepend(
      h("h2"),
      h("p", { class: "hint" }),
      h("div", { class: "se-write" }),
      h("div", { class: "chips se-seats", role: "group" }),
      h("div", { class: "do se-hand" }),
    );
  }
  const [head, hint, write, seats, whole] = childrenOf(root);
  const row = state.rows.find((one) => one.seat === mine?.seat);
  const whose = t("Who?");
  put(
    head,
    !mine
      ? whose
      : mine.fixes
        ? correcting(mine.hand, state.sheet?.plain)
        : points?.noted
          ? t("Points of {player}", { player: row?.player })
          : t("Left with {player}", { player: row?.player }),
  );
  put(hint, mine?.fixes ? rewrite?.explain : points?.explain);
  attr(seats, "aria-label", whose);
  const open = points ? state.rows.filter((one) => points.seats.includes(one.seat)) : [];
  const numbers = points && !points.pieces.length && !mine?.fixes;
  const fields = Boolean(numbers && WIDE.matches);
  const listed = numbers && (mine || fields); // who is in, and who is not yet
  const cells = state.sheet?.lines[(points?.hand ?? 0) - 1]?.cells;
  root.classList.toggle("listed", Boolean(listed));
  root.classList.toggle("fields", fields);
  match(
    seats,
    listed ? state.rows : mine ? [] : open,
    (one) => `${one.player} ${fields}`,
    (one) => /** @type {HTMLElement} */ (fields ? fieldOf(one.player) : seatButton()),
    (item, one) => {
      const [number, name, value] = childrenOf(item);
      put(number, one.seat);
      put(name, one.player);
      attr(item, "aria-current", one.seat === mine?.seat ? "true" : null);
      const written = cells?.[one.seat - 1]?.points;
      if (fields) {
        const field = input("input", item);
        const says = written == null ? unsent(one.player) : trueMinus(written);
        if (field.value !== says) field.value = says;
        field.disabled = !open.includes(one);
        attr(field, "aria-label", one.player);
        attr($("button", item), "hidden", one.seat !== mine?.seat || (points?.least ?? 0) >= 0);
        return;
      }
      const button = /** @type {HTMLButtonElement} */ (item);
      put(value, listed ? (written ?? unsent(one.player)) : null);
      attr(value, "class", written == null ? "soft" : null);
      button.disabled = !open.includes(one);
      button.onclick = () => points && begin(points, one.seat);
    },
  );
  if (cursor && !cursor.isConnected) maybe(".se-field[aria-current] input", root)?.focus(); // its row has another name
  match(
    write,
    mine ? [mine] : [],
    (one) => (one.fixes ? `fix ${one.hand}` : `${one.hand} ${one.began}`),
    (one) => (one.fixes ? form.correctionForm(leave) : editor()),
    (element, one) => {
      if (one.fixes) {
        if (rewrite) form.correctHand(element, one, state, rewrite, { again, done, send });
      } else if (row && points) edit(element, one, row, points, send);
    },
  );
  if (fields && !mine && ended && points && points.hand !== ended) {
    ended = 0;
    return begin(points, points.seats[0], true);
  }
  const asked = mine && !fields ? [] : state.entries.filter((one) => one.ask === "of-hand");
  match(
    whole,
    asked,
    (one) => one.move,
    () => h("button", { type: "button", class: "two" }, h("span"), h("small")),
    (button, one) => {
      put(firstIn(button), one.label);
      put(lastIn(button), one.explain);
      button.onclick = () => send({ type: one.move, hand: one.hand });
    },
  );
}

/**
 * Return who is called otherwise than *before*, and how now; nothing where somebody else may sit there: who comes takes
 * the last seat, between two hands.
 *
 * @param {Api.Snapshot} before
 * @param {Api.Snapshot} now
 */
function calledNow(before, now) {
  const names = before.rows.map((one) => one.player);
  const other = now.rows.filter((one, i) => one.player !== names[i]);
  const [row] = other;
  if (before.game_no !== now.game_no || now.rows.length !== names.length || other.length !== 1) return null;
  const i = row.seat - 1;
  const written = (/** @type {Api.Snapshot} */ { sheet }) => sheet?.lines.map((line) => line.cells[i]?.points ?? null);
  const same = written(before)?.join() === written(now)?.join() && !names.includes(row.player);
  const hand = now.sheet?.lines.find((line) => line.cells.some((cell) => cell.points == null));
  const sits = row.seat < names.length || hand?.cells.some((cell) => cell.points != null);
  return same && sits ? [names[i], row.player] : null;
}

/**
 * Let what is being typed go on for who is called otherwise since *before*: a name was corrected, and nobody came.
 *
 * @param {Api.Snapshot} before
 * @param {Api.Snapshot} now
 */
function follow(before, now) {
  const called = calledNow(before, now);
  if (!called) return;
  const [was, is] = called;
  for (const [cell, value] of [...typed])
    if (cell === cellOf(was)) {
      typed.delete(cell);
      typed.set(cellOf(is), value);
    }
  if (draft?.fixes) draft.sat = draft.sat.map((name) => (name === was ? is : name));
  else if (draft?.player === was) draft.player = is;
}

const seatButton = () => h("button", { type: "button" }, h("span", { class: "seat" }), h("span"), h("b"));

/** Where *player* sits now, 0 for nowhere. @param {string} player */
const seatOf = (player) => last?.[1].rows.find((one) => one.player === player)?.seat ?? 0;

/**
 * Return the row of *player* on a wide page, with a field: the cursor in it begins to write for them.
 *
 * @param {string} player
 */
function fieldOf(player) {
  const field = pointsField({ placeholder: "–", enterkeyhint: "next" });
  const taken = () => {
    const points = last?.[1].entries.find((one) => one.ask === "points");
    const seat = seatOf(player);
    if (points && draft?.seat !== seat) begin(points, seat);
  };
  const changed = () => {
    const { value } = field;
    taken();
    typed.set(cellOf(player), value);
    again();
  };
  field.addEventListener("input", changed);
  field.addEventListener("focus", taken);
  field.addEventListener("keydown", (event) => {
    const yes = maybe(".se-editor .main", last?.[0]);
    if (event.key !== "Enter" || !yes) return;
    event.preventDefault();
    onward = true;
    yes.click();
  });
  const row = h("div", { class: "se-field" }, h("span", { class: "seat" }), h("span"), turning(field, changed), field);
  row.addEventListener("click", (event) => event.target instanceof HTMLButtonElement || field.focus());
  return row;
}

/**
 * Begin to write for *seat*, with the cursor in its field; where tiles can be tapped, not on a phone, whose keys would
 * lie over them.
 *
 * @param {Api.EnterScore} points
 * @param {number} seat
 * @param {boolean} [typing] whether the keys are there already
 */
function begin(points, seat, typing = false) {
  const player = last?.[1].rows[seat - 1]?.player ?? "";
  draft = { game: last?.[1].game_no, hand: points.hand, seat, player, began: player, pieces: [], half: null };
  again();
  const own = maybe(".se-field[aria-current] input", last?.[0]);
  if (own) return own.focus();
  const field = maybe(".se-sum input", last?.[0]);
  if (!points.pieces.length && field instanceof HTMLInputElement) {
    field.value = unsent(player);
    again();
    if (onKeypad()) last?.[0].scrollIntoView({ block: "start" });
  }
  if (points.pieces.length && !typing && matchMedia("(pointer: coarse)").matches) return;
  field?.focus();
}

/**
 * Return who is to be written after *seat*, around the table; nobody when all others are.
 *
 * @param {Api.EnterScore} points
 * @param {number} seat
 */
const after = ({ seats }, seat) => seats.find((one) => one > seat) ?? seats.find((one) => one !== seat);

/**
 * Whether what *made* writes can still be written.
 *
 * @param {Page.Writing | Page.Correcting} made
 * @param {Api.EnterScore | undefined} points
 * @param {Api.CorrectHand | undefined} rewrite
 */
function stands(made, points, rewrite) {
  if (made.fixes) return Boolean(rewrite?.hands.includes(made.hand));
  return points?.hand === made.hand && points.seats.includes(made.seat);
}

/**
 * Say who was faster, if the cell that was being written is written now, or that what was corrected is no more.
 *
 * @param {Page.Writing | Page.Correcting} mine
 * @param {Api.Snapshot} state
 */
function overtaken(mine, state) {
  const cell = state.sheet?.lines[mine.hand - 1]?.cells[mine.seat - 1];
  if (mine.fixes && state.sheet && !mine.sent) {
    const n = mine.hand;
    const what = state.sheet.plain ? t("Round {n}", { n }) : t("Hand {n}", { n });
    return say(t("{what}: {says}", { what, says: t("taken back") }));
  }
  if (mine.fixes || !cell || cell.points == null || mine.sent) return;
  say(
    t("{player} has {points} already (written by: {by}).", {
      player: state.rows[mine.seat - 1].player,
      points: pointed(cell.points),
      by: state.sheet?.writers[cell.by ?? ""],
    }),
  );
}

function editor() {
  const number = pointsField({ "aria-label": t("Points"), placeholder: "–", enterkeyhint: "next" });
  const changed = () => {
    if (draft && !draft.fixes) typed.set(cellOf(draft.player), number.value);
    again();
  };
  number.addEventListener("input", changed);
  const step = (/** @type {string} */ name, /** @type {string} */ d) =>
    h(
      "button",
      { type: "button", class: "icon", "aria-label": name },
      s("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, s("path", { d })),
    );
  const note = h("input", { type: "text", maxlength: 80, autocomplete: "off", enterkeyhint: "done" });
  const made = h(
    "div",
    { class: "se-editor" },
    h(
      "div",
      { class: "se-sum" },
      h("label", {}, h("span", {}, t("As a number")), number),
      turning(number, changed),
      h("output", { "aria-live": "polite" }),
    ),
    h(
      "div",
      { class: "se-steps" },
      step(t("Player before"), "M15 5l-7 7 7 7"),
      h("div", { class: "se-seek", "aria-hidden": "true" }),
      step(t("Next player"), "M9 5l7 7-7 7"),
    ),
    keypad(number, changed),
    h("div", { class: "se-halves", role: "group", "aria-label": t("One half") }),
    h("div", { class: "se-pieces", role: "group" }),
    h("label", { class: "field se-note", hidden: true }, h("span", { class: "name" }, t("Note")), note),
    h(
      "div",
      { class: "do" },
      h("button", { type: "button", class: "main" }),
      h("button", { type: "button" }),
      h("button", { type: "button" }, t("Never mind")),
    ),
    h("div", { class: "se-anyway", hidden: true }),
  );
  made.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.target instanceof HTMLInputElement)) return;
    event.preventDefault();
    onward = true;
    $(".main", made).click();
  });
  return made;
}

/**
 * @param {HTMLElement} element
 * @param {Page.Writing} mine
 * @param {Api.PlayerRow} row
 * @param {Api.EnterScore} points
 * @param {Page.Send} send
 */
function edit(element, mine, row, points, send) {
  const [sum, steps, keys, parts, grid, note, buttons, doubt] = childrenOf(element);
  const number = input("input", sum);
  const tapping = points.pieces.length > 0;
  const worth = new Map(points.pieces.map((name, i) => [name, points.worth[i]]));
  // What somebody else was given meanwhile is gone.
  const left = tapping ? [...points.pieces] : [];
  mine.pieces = mine.pieces.filter((name) => left.includes(name) && left.splice(left.indexOf(name), 1));
  if (last?.[0].classList.contains("fields")) number.value = unsent(mine.player);
  number.disabled = mine.pieces.length > 0;
  if (number.disabled) number.value = "";
  attr($("button", sum), "hidden", points.least >= 0);
  for (const box of [steps, keys]) attr(box, "hidden", tapping);
  const follows = tapping ? undefined : after(points, mine.seat);
  put($("label span", sum), tapping ? t("As a number") : t("{n} so far", { n: trueMinus(row.score ?? 0) }));
  if (!tapping) seeking(steps, mine.seat, points);

  attr(note, "hidden", !points.noted);
  attr($("output", sum), "hidden", !tapping);
  const typed = pointsIn(number.value);
  const total = mine.pieces.length ? summed(mine.pieces, worth) : typed;
  put($("output", sum), total);
  if (tapping) choosing(parts, grid, { ...points, worth }, mine, again);
  for (const box of [parts, grid]) if (!tapping) attr(box, "hidden", true);
  const [yes, out] = /** @type {HTMLButtonElement[]} */ (childrenOf(buttons));
  const player = follows && last?.[1].rows[follows - 1].player;
  put(yes, player ? t("Next: {player}", { player }) : t("Done"));
  yes.disabled = total === null || !Number.isInteger(total) || total < points.least;
  const made = { type: points.move, hand: mine.hand, seat: mine.seat };
  const words = points.noted ? input("input", note).value.trim() : "";
  const noted = words ? { ...made, note: words } : made;
  const whole = mine.pieces.length ? { ...noted, pieces: mine.pieces } : { ...noted, points: typed };
  const gone = { ...made, points: 0 };
  /** @param {Page.Move} move */
  const write = (move) =>
    done(send(move, last?.[1].seq), async () => {
      const { offerAnyway } = await import("./anyway.js");
      offerAnyway(doubt, { ...move, anyway: undefined }, (why) => write({ ...move, anyway: why }));
    });
  if (![whole, gone].some((move) => doubt.dataset.move === JSON.stringify(move))) attr(doubt, "hidden", true);
  yes.onclick = () => {
    onward ||= Boolean(player);
    write(whole);
  };
  input("input", note).oninput = again;
  attr(out, "hidden", points.noted);
  put(out, t("{player} went out", { player: row.player }));
  out.onclick = () => write(gone);
  lastIn(buttons).onclick = leave;
}

/**
 * Draw who is in, and the ways to the player before and after *seat*, with nothing written.
 *
 * @param {HTMLElement} steps
 * @param {number} seat
 * @param {Api.EnterScore} points
 */
function seeking(steps, seat, points) {
  const [before, bars, next] = childrenOf(steps);
  const others = [...points.seats].reverse();
  const back = others.find((one) => one < seat) ?? others.find((one) => one !== seat);
  for (const [button, to] of /** @type {[HTMLButtonElement, number | undefined][]} */ ([
    [before, back],
    [next, after(points, seat)],
  ])) {
    button.disabled = !to;
    button.onclick = () => to && begin(points, to);
  }
  match(
    bars,
    last?.[1].rows ?? [],
    (one) => one.seat,
    () => h("i"),
    (bar, one) => attr(bar, "class", one.seat === seat ? "here" : points.seats.includes(one.seat) ? null : "in"),
  );
}

function leave() {
  typed.clear();
  draft = null;
  again();
}

/**
 * Close the editor once the table has taken what was written; where a rule forbids it, do what is *refused*.
 *
 * @param {Promise<boolean | null>} work
 * @param {() => unknown} [refused]
 */
async function done(work, refused) {
  const sent = draft;
  if (!sent) return;
  sent.sent = true;
  const cell = sent.fixes ? "" : cellOf(sent.player);
  const taken = await work;
  sent.sent = false;
  if (taken) typed.delete(cell);
  const goes = onward && taken && !sent.fixes;
  onward = false;
  // The state with what was written may have been here first, and have closed the editor.
  if (draft !== sent && !(goes && draft === null)) return;
  if (taken === null) refused?.();
  else if (!taken) return;
  else if (goes) next(sent);
  else leave();
}

/**
 * Go on to whoever is still to be written, as Enter and "Next" do.
 *
 * @param {Page.Writing} sent
 */
function next(sent) {
  const points = last?.[1].entries.find((one) => one.ask === "points");
  const seat = points?.hand === sent.hand ? after(points, sent.seat) : undefined;
  if (!points || seat === undefined) {
    ended = sent.hand;
    return leave();
  }
  begin(points, seat, true);
}
