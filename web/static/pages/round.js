// @ts-check
// One round: its strip, its order, its tape, its appeal, and its correction.
import { decision } from "../doubt/decision.js";
import { inPage } from "../doubt/details.js";
import { pointsIn } from "../games/points-field.js";
import { badges, fill } from "../games/round-card.js";
import { ask, command, Refused, reason } from "../lib/api.js";
import { answersOf, confirmed, textIn } from "../lib/dialogs.js";
import { $, $$, attr, childrenOf, h, held, input, maybe, modal, put } from "../lib/dom.js";
import { foresee } from "../lib/foresee.js";
import { attempt, live, say, where } from "../lib/page.js";
import { clockTime, inUnit, list, t, trueMinus } from "../lib/words.js";

/** @type {Api.RoundView} */
let round = held("#round");

function show() {
  const name = round.number ? t("Round {n}", { n: round.number }) : t("At the table");
  put($("#which"), [name, clockTime(round.at), round.by].filter(Boolean).join(" · "));
  for (const [id, on] of /** @type {[string, boolean][]} */ ([
    ["#correct", (round.judged || round.typed !== null) && !round.undone],
    ["#take-back", !round.judged && !round.undone],
    ["#put-back", round.undone],
  ])) {
    const button = maybe(id);
    if (button) attr(button, "hidden", !on);
  }
  document.title = `${name} · Last Nose`;
  const card = $("#verdict");
  const small = badges(round).map(([style, words]) => h("span", { class: `pill ${style}` }, words));
  $(".badges", card).replaceChildren(...small);
  $(".badges", card).hidden = !small.length;
  fill(card, round);
  inPage($("#doubt"), round.finish);
  order();
}

/**
 * @param {string} words
 * @param {string} [style]
 */
const cell = (words, style) => h("td", style ? { class: style } : {}, words);

/** @param {...Node | string} children */
const head = (...children) => h("th", { scope: "row" }, ...children);

function order() {
  const { finish } = round;
  const raced = finish !== null && finish.marks.length > 0;
  attr($("#order"), "hidden", !raced);
  if (!raced) return;
  $("#order tbody").replaceChildren(
    ...finish.marks.map((mark) =>
      h(
        "tr",
        mark.last ? { class: "last" } : {},
        head(h("span", { class: "seat" }, String(mark.seat)), mark.player),
        cell(mark.after_text ? `${mark.t_text} ± ${mark.t_u_text}` : "0"),
        cell(mark.after_text ? `+ ${mark.after_text} ± ${mark.after_u_text}` : "–"),
      ),
    ),
    ...finish.missing.map(([seat, player]) =>
      h("tr", {}, head(h("span", { class: "seat" }, String(seat)), player), cell(t("not yet")), cell("–")),
    ),
  );
}

// ---- the tape

async function tape() {
  if (!round.judged) return;
  /** @type {Api.RoundEdges} */
  let found;
  try {
    found = await ask(`/api/v1/rounds/${round.seq}/edges`);
  } catch (refusal) {
    say(reason(refusal));
    return;
  }
  $("#tape tbody").replaceChildren(...found.edges.map(edge));
  put($("#tape-count"), t("{n} of {of}", { n: found.edges.length, of: found.of }));
  attr($("#download"), "href", `/api/v1/rounds/${round.seq}/tape`);
  attr($("#link"), "href", found.link);
  attr($("#tape"), "hidden", false);
  attr($("#appeal"), "hidden", false);
}

/** @param {Api.TapeEdge} line */
function edge(line) {
  const { held, player } = line;
  const who = player ? `${player} (${line.line})` : line.line;
  const what = {
    edge: line.level ? t("down") : t("up"),
    levels: t("held at the start: {lines}", { lines: list(held) || "–" }),
    gap: t("edges may be missing, up to {until}", { until: inUnit(line.until_ns ?? 0, [1e6, "ms"]) }),
    armed: t("Noses on"),
  }[line.kind];
  return h(
    "tr",
    {},
    cell(line.t_text ?? inUnit(line.t_ns, [1e6, "ms"])),
    cell(who, "left"),
    cell(what, "left"),
    cell(line.u_text ? `± ${line.u_text}` : ""),
    cell(line.source, "left"),
  );
}

// ---- the appeal

$("#again").addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = new FormData(/** @type {HTMLFormElement} */ (event.target));
  const wrong = $("#appeal-wrong");
  put(wrong, "");
  try {
    const numbers = Object.fromEntries(
      ["confirm_us", "lockout_us"].map((name) => [name, Math.round(Number(form.get(name)))]),
    );
    const judged = await ask(`/api/v1/rounds/${round.seq}/appeal`, { body: numbers });
    const versus = $(".versus");
    versus.hidden = false;
    const [stored, other] = childrenOf(versus);
    fill(stored, judged.stored);
    fill(other, judged.round);
    put(
      $(".same", versus),
      judged.stored.headline === judged.round.headline
        ? t("The same verdict with these settings.")
        : t("Another verdict with these settings. Nothing was changed: to change it, correct the round."),
    );
  } catch (refusal) {
    put(wrong, reason(refusal));
  }
});

// ---- the correction

const dialog = /** @type {HTMLDialogElement | null} */ (maybe("dialog#amend"));
let over = 0; // the correction that held when the dialog was opened

/** @typedef {{ value: string; label: string; says: (who: string) => string }} Kind */

/** Return who sat there when the round was played, by seat: others may sit there now. */
const players = () => round.players.map((player, place) => ({ seat: place + 1, player }));

/** @returns {Kind[]} */
function kinds() {
  const behind = t("Everything after it is counted again.");
  if (round.typed) return [{ value: "points", label: t("Points"), says: () => behind }];
  const { game_no, rows, acts: now } = live.state;
  const same =
    round.game === game_no && JSON.stringify(round.players) === JSON.stringify(rows.map((one) => one.player));
  const acts = same ? now.filter((act) => act.instead) : []; // they name seats of now
  return [
    {
      value: "last",
      label: t("Somebody else"),
      says: () => behind,
    },
    { value: "dead-heat", label: t("Dead heat"), says: () => behind },
    {
      value: "nobody",
      label: round.question === "first" ? t("Nobody was first") : t("Nobody was last"),
      says: () => behind,
    },
    { value: "void", label: t("It does not count"), says: () => behind },
    ...acts.map((act) => ({
      value: act.move,
      label: act.label,
      says: (/** @type {string} */ who) => (who ? t("{what}: {says}", { what: who, says: act.explain }) : act.explain),
    })),
    {
      value: "seats",
      label: t("Others sat there"),
      says: () => t("What these noses did was theirs, from when they sat down until somebody came or went."),
    },
  ];
}

/**
 * Return the correction that is chosen, or null while it is not whole.
 *
 * @param {HTMLDialogElement} dialog
 * @returns {{ seq: number; move: Record<string, unknown>; over: number | null } | null}
 */
function made(dialog) {
  const form = answersOf(dialog);
  const kind = form.get("kind");
  const seats = form.getAll("seat").map(Number);
  /** @param {Record<string, unknown>} move */
  const ofRound = (move) => ({ seq: round.seq, move, over });
  switch (kind) {
    case null:
      return null;
    case "void":
      return ofRound({ type: "void", reason: textIn(form, "reason") });
    case "nobody":
      return ofRound({ type: "last", seats: [] });
    case "points": {
      const points = pointsIn(textIn(form, "points"));
      const { pieces: _, anyway: __, ...typed } = round.typed ?? {};
      return Number.isInteger(points) ? ofRound({ ...typed, points }) : null;
    }
    case "dead-heat":
      return seats.length > 1 ? ofRound({ type: "last", seats }) : null;
    case "seats":
      return {
        seq: round.seated,
        move: { type: "seats", players: form.getAll("player").map((name) => String(name).trim()) },
        over: null,
      };
    case "last":
      return seats.length === 1 ? ofRound({ type: "last", seats }) : null;
    default:
      return seats.length === 1 ? ofRound({ type: kind, seat: seats[0] }) : null;
  }
}

/**
 * Show what is to be chosen and what the correction would do; return it once it is whole.
 *
 * @param {HTMLDialogElement} dialog
 */
function choose(dialog) {
  const kind = kinds().find((one) => one.value === answersOf(dialog).get("kind"));
  const several = kind?.value === "dead-heat";
  attr($(".who", dialog), "hidden", !kind || ["void", "nobody", "seats", "points"].includes(kind.value));
  attr($(".points", dialog), "hidden", kind?.value !== "points");
  attr($(".reason", dialog), "hidden", kind?.value !== "void");
  attr($(".sat", dialog), "hidden", kind?.value !== "seats");
  const known = [
    ...(round.finish?.marks ?? []).map((mark) => mark.seat),
    ...(round.finish?.missing ?? []).map(([seat]) => seat),
  ];
  // Once corrected it shows who was last by the table's word alone, and whoever else had not touched is not in it.
  const some = kind?.value === "last" && known.length && !round.amended;
  const seats = some ? known : players().map((one) => one.seat);
  for (const label of $$(".who label", dialog)) {
    const box = input("input", label);
    label.hidden = !seats.includes(Number(box.value));
    box.type = several ? "checkbox" : "radio";
  }
  const wish = made(dialog);
  const chosen = answersOf(dialog).getAll("seat").map(Number);
  const who = list(players().flatMap((one) => (chosen.includes(one.seat) ? [one.player] : [])));
  put($(".what", dialog), wish && kind ? kind.says(who) : t("What should it have been?"));
  attr($(".yes", dialog), "aria-disabled", wish ? null : "true");
  return wish;
}

/**
 * Show what the correction would change behind the round, before it is made.
 *
 * @param {HTMLDialogElement} dialog
 */
async function foreseen(dialog) {
  const wish = choose(dialog);
  const behind = $(".behind", dialog);
  const fits = await foresee(behind, wish && { type: "amend", seq: wish.seq, move: wish.move });
  if (fits === false) attr($(".yes", dialog), "aria-disabled", "true");
  if (wish && fits !== null) behind.scrollIntoView({ block: "nearest" });
}

/** @param {HTMLDialogElement} dialog */
async function correct(dialog) {
  const wish = choose(dialog);
  if (!wish) return;
  try {
    live.take(await command({ type: "amend", ...wish }));
    dialog.close();
    await refresh();
  } catch (refusal) {
    if (refusal instanceof Refused && refusal.status === 409) {
      await refresh().catch(() => {});
      over = round.held; // who presses once more, which the refusal offers, has what is there now before them
    }
    put($(".wrong[role=alert]", dialog), reason(refusal));
  }
}

async function refresh() {
  round = (await ask(`/api/v1/rounds/${round.seq}`)).round;
  show();
}

/** @param {HTMLDialogElement} dialog */
function open(dialog) {
  over = round.held;
  for (const label of $$(".kinds label, .who label, .sat label", dialog)) label.remove();
  for (const kind of kinds()) {
    $(".kinds", dialog).append(
      h("label", { class: "pick" }, h("input", { type: "radio", name: "kind", value: kind.value }), kind.label),
    );
  }
  for (const row of players()) {
    $(".who", dialog).append(
      h(
        "label",
        { class: "pick withseat" },
        h("input", { type: "radio", name: "seat", value: row.seat }),
        h("span", { class: "seat" }, String(row.seat)),
        row.player,
      ),
    );
    $(".sat", dialog).append(
      h(
        "label",
        { class: "pick withseat" },
        h("span", { class: "seat" }, String(row.seat)),
        h("input", { type: "text", name: "player", value: row.player, maxlength: 40, autocomplete: "off" }),
      ),
    );
  }
  if (round.typed) input("[name=kind]", dialog).checked = true;
  input("[name=points]", dialog).value = trueMinus(String(round.typed?.points ?? ""));
  put($(".wrong[role=alert]", dialog), "");
  input("[name=reason]", dialog).value = "";
  foreseen(dialog);
  dialog.showModal();
}

if (dialog) {
  maybe("#correct")?.addEventListener("click", () => open(dialog));
  dialog.addEventListener("change", () => foreseen(dialog));
  input("[name=points]", dialog).addEventListener("input", () => foreseen(dialog));
  $(".yes", dialog).addEventListener("click", () => correct(dialog));
  $(".no", dialog).addEventListener("click", () => dialog.close());
}
$("#print").addEventListener("click", () => print());
for (const [name, type] of /** @type {const} */ ([
  ["#take-back", "undo"],
  ["#put-back", "redo"],
])) {
  const button = maybe(name);
  button?.addEventListener("click", async () => {
    const step = modal("dialog#step");
    const yes = $(".yes", step);
    for (const place of [$("h2", step), yes]) put(place, button.textContent ?? "");
    attr(yes, "disabled", "");
    foresee($(".behind", step), { type, seq: round.seq, move: null }).then(
      (fits) => fits && attr(yes, "disabled", null),
    );
    if ((await confirmed(step)) && (await attempt(() => command({ type, seq: round.seq })))) refresh();
  });
}

/** @type {number | null} */
let seq = null;
live.follow((state, before) => {
  where(state);
  if (before && seq !== state.seq) refresh().catch(() => {});
  seq = state.seq;
});
const contest = decision(round.seq);
if (contest) $("#verdict .proof").after(contest);
show();
tape();
