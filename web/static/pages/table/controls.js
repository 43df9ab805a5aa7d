// @ts-check
// What the host can do; every control says what it will do. What can be undone is done at once, the rest is asked.
import { isAsked } from "../../games/prompts.js";
import { command, Refused } from "../../lib/api.js";
import { answersOf, asking, confirmed, textIn } from "../../lib/dialogs.js";
import { $, $$, attr, childrenOf, firstIn, h, input, lastIn, match, maybe, modal, put } from "../../lib/dom.js";
import { invite } from "../../lib/invite.js";
import { alike, namesIn, pasting } from "../../lib/name-list.js";
import { plays } from "../../lib/own.js";
import { attempt, live } from "../../lib/page.js";
import { tappable } from "../../lib/taps.js";
import { LANG, t } from "../../lib/words.js";
import { noses, otherOrder } from "./other-seats.js";
import { free } from "./seats.js";
import { toPlay } from "./views.js";

const FRESH_MS = 500; // a press that comes so soon was meant for what stood there before

/** @param {Api.Command} wish */
const send = (wish) => attempt(() => command(wish));
const leaveOut = (/** @type {number[]} */ seats) => send({ type: "leave-out", seats, seq: live.state.seq });

/**
 * Make a move of the game; with *seq* it means who sat there then.
 *
 * @param {Page.Move} made
 * @param {number} [seq]
 */
export const move = (made, seq) => send({ type: "play", move: made, seq });

/**
 * Answer what is asked now, and nothing else: a second thumb means the call, or the question, that it had seen.
 *
 * @param {Page.Move} made
 */
export const ruleBy = (made) => move(made, live.state?.seq);

/**
 * What undo or redo would do from here: the host's is anybody's, a phone's its own or the box's.
 *
 * @param {Api.Snapshot} state
 * @param {"undo" | "redo"} name
 */
function mine(state, name) {
  const { by } = document.body.dataset;
  if (plays) return state[`${name}s`][by ?? ""]; // a player takes back what was written here, and nothing else
  return by === "host" ? state[name] : (state[`${name}s`][by ?? ""] ?? state[`${name}s`].box);
}

/** The seats without which the next round is dealt. */
const aside = () => live.state.rows.filter((row) => row.aside).map((row) => row.seat);

/** @type {Record<string, () => unknown>} */
const DOES = {
  arm: () => live.state.waits || live.state.phase === "judging" || send({ type: "arm", seq: live.state.seq }),
  close: () => live.state.closing && move({ type: live.state.closing.move }),
  ending: () => live.state.ending && move({ type: live.state.ending.move }),
  use: () => live.state.duty && free(live.state.duty),
  without: () => live.state.duty && leaveOut([...aside(), live.state.duty.seat]),
  everybody: () => leaveOut([]),
  answer() {
    toPlay();
    const steps = $("#steps .st-ask");
    steps.scrollIntoView({ block: "center" });
    $("button", steps).focus({ preventScroll: true });
  },
  undo: () => send({ type: "undo", seq: mine(live.state, "undo")?.seq ?? null }),
  redo: () => send({ type: "redo", seq: mine(live.state, "redo")?.seq ?? null }),
  async void() {
    const dialog = modal("dialog#void");
    const { phase, seq } = live.state;
    put(
      $(".what", dialog),
      phase === "judging"
        ? t("The round in progress ends here and nobody pays for it.")
        : t("The last round is taken out of the count: nobody pays for it."),
    );
    input("[name=reason]", dialog).value = "";
    const form = await confirmed(dialog);
    const underWay = ["judging", "blocked"].includes(phase);
    if (form) send({ type: "void", reason: textIn(form, "reason"), seq: underWay ? null : seq });
  },
  async rearm() {
    const dialog = modal("dialog#rearm");
    const now = live.state.rearms_in_ns;
    input(`[value=${now === null ? "host" : "self"}]`, dialog).checked = true;
    if (now !== null) input("[name=seconds]", dialog).value = String(now / 1e9);
    const form = await confirmed(dialog);
    if (form) send({ type: "rearm", seconds: form.get("when") === "host" ? null : Number(form.get("seconds")) });
  },
  people() {
    const dialog = modal("dialog#people");
    put($(".what", dialog), live.state.comings);
    const box = $("fieldset", dialog);
    for (const label of $$("label", box)) label.remove();
    const sat = live.state.rows; // while they are looked at, another host may let somebody come or go
    for (const row of sat) box.append(seatPick(row, "checkbox"));
    input("[name=name]", dialog).value = "";
    asking(dialog, async (form) => {
      const seats = new Set(form.getAll("seat").map(Number));
      const gone = new Set(sat.filter((row) => seats.has(row.seat)).map((row) => row.player));
      const stay = live.state.rows.filter((row) => !gone.has(row.player)).map((row) => row.player);
      const players = [...stay, ...namesIn(textIn(form, "name"))];
      const twin = players.find((name, at) => players.findIndex((other) => alike(other, name)) < at);
      if (twin) throw new Refused(t("“{name}” is there already. Add a letter to one.", { name: twin }));
      if (players.length > stay.length || stay.length < live.state.rows.length)
        live.take(await command({ type: "regroup", players, seq: live.state.seq }));
    });
  },
  call() {
    const dialog = modal("dialog#call");
    const box = $("fieldset", dialog);
    const name = input("[name=name]", dialog);
    for (const label of $$("label", box)) label.remove();
    const sat = live.state.rows;
    for (const row of sat) box.append(seatPick(row, "radio"));
    box.onchange = () => {
      name.value = sat.find((row) => row.seat === Number(answersOf(dialog).get("seat")))?.player ?? "";
      name.select();
    };
    name.value = "";
    asking(dialog, async (form) => {
      const player = sat.find((row) => row.seat === Number(form.get("seat")))?.player ?? "";
      live.take(await command({ type: "rename", player, name: textIn(form, "name") }));
    });
  },
  async finish() {
    const { seq } = live.state;
    if (await confirmed(modal("dialog#finish"))) send({ type: "finish", seq });
  },
  again: () => send(sameAgain(live.state)),
  "tie-1": () => duel(0),
  "tie-2": () => duel(1),
  "tie-3": () => duel(2),
  async mixed() {
    const again = sameAgain(live.state);
    const phones = new Set(live.state.phones.filter((one) => !one.shared).map((one) => one.line));
    const dialog = modal("dialog#mixed");
    const shuffle = () => {
      again.players = otherOrder(
        live.state.rows.map((row) => row.player),
        again.players,
      );
      again.lines = noses(again.players, live.state.rows, phones);
      $("ol", dialog).replaceChildren(
        ...again.players.map((player, place) =>
          h("li", {}, h("span", { class: "seat" }, String(place + 1)), h("bdi", {}, player)),
        ),
      );
    };
    shuffle();
    $("[type=button]", dialog).onclick = shuffle;
    if (await confirmed(dialog)) send(again);
  },
  async restart() {
    const again = sameAgain(live.state); // of what was seen as it was asked for
    if (await confirmed(modal("dialog#restart"))) send(again);
  },
  phones: invite,
};

/**
 * Let those play a duel who share a place: the *at*-th of those that are offered.
 *
 * @param {number} at
 */
function duel(at) {
  const { game, players, lines } = live.state.ties[at];
  send({ type: "start", game, players, ...(lines.length ? { lines } : {}), options: {}, seq: live.state.seq });
}

/**
 * Return the command that starts the game of *state* again: same people, seats, noses and rules.
 *
 * @param {Api.Snapshot} given
 * @returns {Api.StartCommand & { players: string[] }}
 */
function sameAgain({ game, rows, options, seq }) {
  const players = rows.map((row) => row.player);
  return { type: "start", game, players, lines: rows.map((row) => row.line), options, seq };
}

/**
 * Return a seat to be picked.
 *
 * @param {Api.PlayerRow} row
 * @param {"radio" | "checkbox"} type
 */
function seatPick(row, type) {
  return h(
    "label",
    { class: "pick withseat" },
    h("input", { type, name: "seat", value: row.seat, required: type === "radio" }),
    h("span", { class: "seat" }, String(row.seat)),
    row.player,
  );
}

/**
 * Let the game's own act *act* be done: who, and what it will do.
 *
 * @param {Api.ChooseSeat} wish
 */
async function act(wish) {
  const dialog = modal("dialog#seats");
  put($("h2", dialog), wish.label);
  put($(".what", dialog), wish.explain);
  put($(".main", dialog), wish.label);
  const box = $("fieldset", dialog);
  for (const label of $$("label", box)) label.remove();
  const sat = live.state.rows.filter((row) => wish.seats.includes(row.seat));
  for (const row of sat) box.append(seatPick(row, "radio"));
  const form = await confirmed(dialog);
  const who = sat.find((row) => row.seat === Number(form?.get("seat")))?.player;
  const now = live.state.rows.find((row) => row.player === who); // others may have come or gone meanwhile
  if (form) move({ type: wish.move, seat: now?.seat ?? Number(form.get("seat")) });
}

/** What the keys of the keyboard say of who was first: right, wrong, neither. */
const KEYS = [["y", "ArrowRight"], ["n", "ArrowLeft"], ["x"]];
let asked_ms = 0; // since when the table has been asked about the call that is ruled on
let ruling = ""; // which call that is

/** @param {KeyboardEvent} event */
function ruledByKey(event) {
  const given = live.state?.ruling;
  const closing = live.state?.phase === "armed" ? live.state.closing : null;
  const typing = /** @type {Element} */ (event.target).closest("input, textarea, select, dialog");
  const waits = live.state?.phase === "armed" || live.state?.phase === "judging" ? live.state.duty?.without : null;
  if (!(given || closing || waits) || typing || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (waits && key === "w") DOES.without?.();
  if (closing && key === "x") move({ type: closing.move });
  if (!given) return;
  const choice = given.choices[KEYS.findIndex((keys) => keys.includes(key))];
  if (!choice || performance.now() - asked_ms < FRESH_MS) return;
  event.preventDefault();
  ruleBy({ type: given.move, value: choice.value });
}

/**
 * Ask what it was worth that somebody was first: one large key an answer, the keyboard's beside it.
 *
 * @param {Api.Snapshot} state
 */
function rule(state) {
  const given = state.ruling;
  const now = given ? `${state.game_no}.${state.round_no}.${state.headline}` : "";
  const fresh = now !== ruling;
  if (fresh) asked_ms = performance.now();
  ruling = now;
  for (const box of $$(".go .ruling")) {
    attr(box, "hidden", !given);
    const [says, keys] = childrenOf(box);
    put(says, given?.label);
    attr(box, "aria-label", given?.label ?? null);
    match(
      keys,
      given?.choices ?? [],
      (one) => one.value,
      () => h("button", { type: "button", class: "two" }, h("span"), h("small")),
      (button, one, i) => {
        put(firstIn(button), one.label);
        put(lastIn(button), one.explain);
        button.classList.toggle("main", i === 0);
        attr(button, "aria-keyshortcuts", KEYS[i]?.join(" ") ?? null);
        button.onclick = () => {
          if (given && performance.now() - asked_ms >= FRESH_MS) ruleBy({ type: given.move, value: one.value });
        };
      },
    );
  }
}

/** Make the controls of the table page work. */
export function begin() {
  addEventListener("keydown", ruledByKey);
  const comes = maybe("#people [name=name]");
  if (comes) pasting(/** @type {HTMLInputElement} */ (comes));
  document.addEventListener("click", (event) => {
    const target = /** @type {Element} */ (event.target);
    const wanted = /** @type {HTMLElement | null} */ (target.closest("[data-do]"));
    if (wanted && wanted.getAttribute("aria-disabled") !== "true") DOES[wanted.dataset.do ?? ""]?.();
    const chip = target.closest("dialog .chips button");
    if (chip) {
      event.preventDefault();
      input("[name=reason]", /** @type {Element} */ (chip.closest("dialog"))).value = chip.textContent ?? "";
    }
  });
}

/**
 * @param {string} name
 * @param {boolean} on
 */
function shown(name, on) {
  for (const element of $$(`[data-do=${name}]`)) {
    if (on && element.hidden && element.closest(".go")) fresh(element);
    attr(element, "hidden", !on);
  }
}

/**
 * Let *element*, which appears under the fingers, be pressed only when people can have seen it.
 *
 * @param {HTMLElement} element
 */
function fresh(element) {
  attr(element, "aria-disabled", "true");
  setTimeout(() => attr(element, "aria-disabled", null), FRESH_MS);
}

/**
 * Show what can be done in *state*, when the play view *shows* that.
 *
 * @param {Api.Snapshot} state
 * @param {string} shows
 */
export function show(state, shows) {
  const game = state.phase !== "setup";
  const over = state.phase === "won";
  const free = over && !state.hall?.signs; // a hall waits for the result first
  shown("setup", !game || free);
  for (const setup of $$("[data-do=setup]")) {
    put(setup, over ? `${t("Another game")}…` : t("Set the table"));
    setup.classList.toggle("main", !over);
  }
  shown("again", free);
  for (const n of [1, 2, 3]) {
    const tie = state.ties[n - 1];
    shown(`tie-${n}`, free && Boolean(tie));
    for (const button of $$(`[data-do=tie-${n}]`)) put(button, tie?.says);
  }
  shown("mixed", free && state.rows.length > 2);
  // Nothing that cannot be pressed stands in the way: no button while noses count or the table has a question.
  const next = ["ready", "blocked", "verdict", "dead-heat", "void"].includes(state.phase);
  // While fingers are on the noses nothing moves under them.
  const fingers = shows === "race" && ["verdict", "dead-heat", "void"].includes(state.phase);
  const deals = game && state.watched && !state.waits && !state.hushed && !fingers && next;
  const waits = ["armed", "judging"].includes(state.phase); // somebody has pressed: a phone's word is missing
  const settle = deals || waits ? state.duty : null;
  // What was taken from a simulated rack is laid back by a button, also before the table misses it.
  const lays = deals && !settle && state.due?.kind !== "decide" && $("#rack").classList.contains("lacks");
  const due = lays ? "lay" : deals || over ? (state.due?.kind ?? null) : null;
  shown("decide", due === "decide");
  shown("lay", lays);
  shown("answer", due === "answer");
  shown("arm", deals && !settle && due !== "free" && !lays);
  tell(state, due, lays);
  rule(state);
  shown("use", Boolean(settle?.use));
  shown("without", Boolean(settle?.without));
  for (const says of $$(".go .duty")) {
    attr(says, "hidden", !settle);
    put(says, settle?.says);
  }
  for (const use of $$("[data-do=use]")) put(use, settle?.use);
  for (const without of $$("[data-do=without]")) put(without, settle?.without);
  shown("everybody", deals && !settle && state.rows.some((row) => row.aside));
  for (const early of $$(".go .early")) {
    attr(early, "hidden", !state.early);
    put(early, state.early);
  }
  if (state.ready) for (const arm of $$("[data-do=arm]")) put(arm, state.ready);
  shown("close", state.phase === "armed" && Boolean(state.closing));
  for (const close of $$("[data-do=close]")) {
    put(close, state.closing?.label);
    attr(close, "title", state.closing?.explain ?? null);
  }
  shown("ending", Boolean(state.ending) && state.phase !== "armed" && !state.ruling);
  for (const ending of $$("[data-do=ending]")) {
    put(ending, state.ending?.label);
    attr(ending, "title", state.ending?.explain ?? null);
  }
  shown("void", state.voidable);
  shown("rearm", state.watched && game && !over && !state.rows.some((row) => tappable(row.line)));
  shown("people", state.comings !== null && !over);
  shown("call", game);
  const nobody = maybe("#nobody-comes");
  if (nobody) attr(nobody, "hidden", state.comings !== null || state.phase !== "playing");
  for (const name of /** @type {const} */ (["undo", "redo"])) {
    const step = mine(state, name);
    shown(name, Boolean(step));
    const says = step && step.says.charAt(0).toLocaleUpperCase(LANG) + step.says.slice(1);
    if (says) for (const element of $$(`[data-do=${name}] small`)) put(element, says);
  }
  const contest = maybe("#contest");
  if (contest) {
    attr(contest, "hidden", !state.contest);
    attr(contest, "href", state.contest && `/history/${state.contest.seq}`);
    put(contest, state.contest?.says);
  }
  const later = maybe("#zero-when");
  if (later) attr(later, "hidden", !game || over);
  const zero = maybe("#host .act[href='/zero']"); // a sheet has no noses to test
  if (zero) attr(zero, "hidden", game && !state.watched);
  shown("finish", game && !over);
  shown("restart", game && !over);
  moves(state);
}

/**
 * Say on the green button what is *due*; as long as that is not to play, that is no green one.
 *
 * @param {Api.Snapshot} state
 * @param {string | null} due
 * @param {boolean} lays whether a button of this page lays back what was taken
 */
function tell(state, due, lays) {
  for (const decide of $$("[data-do=decide]")) {
    attr(decide, "href", state.contest && `/history/${state.contest.seq}`);
    put(decide, state.contest?.says);
  }
  for (const answer of $$("[data-do=answer]")) put(answer, state.due?.says);
  for (const play of $$("[data-do=arm], [data-do=again]")) play.classList.toggle("main", !due || due === "play");
  for (const hands of $$(".go .hands")) {
    attr(hands, "hidden", due !== "lay" || lays);
    put(hands, state.due?.says);
  }
}

/** @param {Api.Snapshot} state */
function moves(state) {
  const host = maybe("#host");
  if (!host) return;
  match(
    $(".moves", host),
    state.acts.filter((wish) => !isAsked(wish)),
    (wish) => `${wish.move}${wish.label}`,
    () => h("button", { type: "button" }),
    (element, wish) => {
      put(element, wish.label.endsWith("?") ? wish.label : `${wish.label}…`);
      element.onclick = () => act(wish);
    },
  );
  const after_s = state.rearms_in_ns === null ? null : state.rearms_in_ns / 1e9;
  put(
    $("[data-do=rearm]"),
    `${after_s === null ? t("Waits for the host") : t("Arms itself after {n} s", { n: after_s })}…`,
  );
}
