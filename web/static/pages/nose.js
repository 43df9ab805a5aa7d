// @ts-check
// A phone as one nose: it takes a seat, then its lower half is that nose. Above it stand one's letters and the moment.
import { letters, withLetter } from "../games/rows.js";
import { ask } from "../lib/api.js";
import { PAGE } from "../lib/clock.js";
import { $, attr, h, held, match, proof, put, sentences } from "../lib/dom.js";
import * as browser from "../lib/kept.js";
import { sent } from "../lib/notes.js";
import { oval } from "../lib/oval.js";
import { fair, live, say } from "../lib/page.js";
import { stages } from "../lib/stages.js";
import { tappable } from "../lib/taps.js";
import { t } from "../lib/words.js";
import { feel, partScreen, sleepAgain, stayAwake, wholeScreen } from "./nose/awake.js";
import { draw } from "./nose/close.js";
import { Finger } from "./nose/finger.js";
import { hint, hollow, isBefore, parts, says, tooClose, unheard, zeroTest } from "./nose/says.js";

const KEPT = "lastnose-seat"; // the seat of this tab, so that a page that is loaded again has it still
const SURE_MS = 3000;
const AGAIN_MS = 500;
const FRESH_MS = 700; // a touch that comes so soon was meant for the nose that was there
const WAS = "lastnose-was"; // whose nose this phone was last: when it comes back its seat is one touch away
const REPLACED = t("Another page is this nose now: take a seat again.");
const hosts = document.body.dataset.control === "yes";
const drivable = document.body.dataset.drivable === "yes";
const nose = $("#nose");
const finger = new Finger(nose, (refusal) => say(refusal.message), felt);
finger.post.onReplaced = () => finger.line && lose(REPLACED, true);
finger.post.onUnknown = (why) => finger.line && lose(why, true, true);
finger.post.onCut = () => {
  if (!finger.post.cut) sent();
  show(live.state);
};
/** @type {string[]} */
const LINES = held("#lines");
/** A nose that nobody sits at yet. */
const NOBODY = {
  ...{ letters: [], word: [], notes: [], score: null, out: false, new: false, held: false, pressed: false },
  ...{
    dealer: false,
    winner: false,
    loser: false,
    phantom: false,
    early: false,
    locked: false,
    aside: false,
    place: 0,
  },
};
let taken_ms = 0;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let waiting; // for a touch to get through
/** @type {ReturnType<typeof setTimeout> | undefined} */
let asked; // something is tapped once, and asked about until then
let person = ""; // whose nose this phone is, as soon as there is a game
/** @type {{ player: string; why: string; unknown: boolean } | null} */
let dead = null; // the seat was lost without anybody's doing here: a thumb may still lie on it
let left = ""; // the line that a guest’s phone was before: what is kept is not taken again by hand
/** @type {ReturnType<typeof setTimeout> | undefined} */
let fresh; // the seat can be taken again as soon as people can have seen that
let wanted = ""; // a seat whose phone answers, tapped once

/**
 * Whose phone this is, in the lobby; null where it is none's.
 *
 * @param {Api.Snapshot} state
 */
const guestOf = (state) =>
  state.lobby.guests.find((one) => one.device && one.device === document.body.dataset.device) ?? null;

/** @param {string} line */
const numberOf = (line) => Number(line.split(".")[1]);
/** @type {string} */
let told = ""; // the moment that the hand has felt

/** @param {boolean} down */
function felt(down) {
  nose.classList.toggle("down", down);
  if (down && !nose.classList.contains("away")) feel([15]);
  show(live.state);
}

// ---- which seat

/** @param {Api.Snapshot} state */
function whyNot(state) {
  if (!hosts && !guestOf(state)) return t("You get a seat, and this phone is your nose.");
  if (!drivable) return t("The noses of this table are real: press them.");
  if (state.rows.length && (!state.watched || !state.touched)) return t("This game is played without noses.");
  if (!seats(state).length)
    return t("Every nose of this game is wired. Set the table again, with a phone for somebody.");
  return null;
}

/**
 * The seats that a phone can take: those of the game; before there is one, the noses of the table.
 *
 * @param {Api.Snapshot} state
 * @returns {Api.PlayerRow[]}
 */
function seats(state) {
  if (state.rows.length) return state.rows.filter((row) => tappable(row.line));
  return LINES.map((line) => ({ ...NOBODY, line, seat: numberOf(line), player: t("Nose {n}", { n: numberOf(line) }) }));
}

/** @param {Api.Snapshot} state */
function choose(state) {
  const why = whyNot(state);
  $(".m-seats").classList.toggle("noses-only", !state.rows.length);
  put($("#why"), why ?? t("The lower half of the screen is then your nose: touch it anywhere, without looking."));
  const rows = why ? [] : seats(state).filter((row) => !row.out);
  match(
    $(".m-seats"),
    rows,
    (row) => row.line,
    (row) => h("li", {}, h("button", { type: "button", click: () => sit(row.line) }, h("bdi"), h("small"))),
    (item, row) => {
      put($("bdi", item), row.player);
      const seat = state.rows.length ? t("seat {n}", { n: row.seat }) : "";
      const sure = row.line === wanted ? t("Sure? Tap again") : null;
      put($("small", item), sure ?? has(state, row.line) ?? seat);
    },
  );
  sentences($("#choose .faults"), state.faults);
  fair(state.on_phones);
}

/**
 * @param {Api.Snapshot} state
 * @param {string} line
 */
function has(state, line) {
  const phone = state.phones.find((one) => one.line === line && !one.shared);
  if (!phone) return null;
  return phone.state === "awake" ? t("A phone") : t("silent");
}

/**
 * Whether a phone answers for the nose on *line*.
 *
 * @param {string} line
 */
const answers = (line) => live.state.phones.some((one) => one.line === line && !one.shared && one.state === "awake");

/** @param {string} line */
async function sit(line) {
  const sure = !answers(line) || wanted === line;
  want(sure ? "" : line);
  if (!sure) return;
  wholeScreen();
  stayAwake();
  person = "";
  await take(line, true);
}

/** @param {string} line */
function want(line) {
  clearTimeout(asked);
  wanted = line;
  if (line) asked = setTimeout(() => want(""), SURE_MS);
  show(live.state);
}

/**
 * Stay with the person whose nose this is: another game may seat them elsewhere, or be one of other people. A game
 * without noses is waited for to end.
 *
 * @param {Api.Snapshot} state
 */
function stay(state) {
  if (!finger.line || !state.rows.length || whyNot(state)) return;
  const here = state.rows.find((row) => row.line === finger.line)?.player ?? "";
  person ||= here;
  if (person === here) return;
  const seat = state.rows.find((row) => row.player === person && tappable(row.line));
  if (seat) take(seat.line);
  else lose(t("{player} does not play now: take a seat again.", { player: person }));
}

/**
 * @param {string} line
 * @param {boolean} [by_hand]
 * @param {boolean} [again] the seat was this phone's before
 */
async function take(line, by_hand = false, again = false) {
  try {
    taken_ms = performance.now();
    keep(line);
    const done = finger.take(line, by_hand);
    show(live.state);
    await done;
  } catch (refusal) {
    const why = refusal instanceof Error ? refusal.message : String(refusal);
    if (!by_hand || again) await lose(why);
    else {
      say(why);
      await leave();
    }
  }
  show(live.state);
}

/**
 * Be no nose any more, but look like one, and not like a list that a thumb would choose from.
 *
 * @param {string} why
 * @param {boolean} [gone] somebody else is this nose already
 * @param {boolean} [unknown] the table knows this browser no more: another page has to ask for a seat
 */
async function lose(why, gone = false, unknown = false) {
  const row = seats(live.state).find((one) => one.line === finger.line);
  dead = { player: person || (row?.player ?? ""), why, unknown };
  await leave(gone);
}

/** @param {boolean} [gone] somebody else is this nose already */
async function leave(gone = false) {
  keep("");
  person = "";
  forgetAsked();
  sleepAgain();
  partScreen();
  await finger.leave(gone);
  show(live.state);
}

/** @param {string} line */
function keep(line) {
  browser.keep(KEPT, JSON.stringify([live.state.evening, line]), "sessionStorage");
  const player = seats(live.state).find((row) => line && row.line === line)?.player;
  if (player) browser.keep(WAS, JSON.stringify([live.state.evening, player]));
}

/** The seat that this tab had before it was loaded again, "" for none. */
function kept() {
  try {
    const [evening, line] = JSON.parse(sessionStorage.getItem(KEPT) ?? "[0,0]");
    return evening === live.state.evening && seats(live.state).some((row) => row.line === line) ? String(line) : "";
  } catch {
    return "";
  }
}

/** Whose nose this phone was in this evening, before its page was closed: "" for nobody's, or when another answers. */
function was() {
  try {
    const [evening, player] = JSON.parse(localStorage.getItem(WAS) ?? "[0,0]");
    const row = evening === live.state.evening ? mySeat(String(player)) : null;
    return row && live.state.rows.length ? row.player : "";
  } catch {
    return "";
  }
}

/**
 * The seat of *player*, if one touch may take it now: no other phone answers for it, and no round is open, in which a
 * touch is meant for the nose.
 *
 * @param {string} player
 */
function mySeat(player) {
  const { phase } = live.state;
  if (phase === "armed" || phase === "judging") return null;
  return seats(live.state).find((row) => row.player === player && !row.out && !answers(row.line)) ?? null;
}

$("#take").addEventListener("click", () => {
  const row = dead && mySeat(dead.player);
  if (!row || $("#take").getAttribute("aria-disabled") === "true") return;
  wholeScreen();
  stayAwake();
  person = row.player;
  take(row.line, true, true);
});

/** @param {boolean} on */
function offer(on) {
  const button = $("#take");
  attr(nose, "hidden", on);
  if (on === !button.hidden) return;
  attr(button, "hidden", !on);
  clearTimeout(fresh);
  attr(button, "aria-disabled", on ? "true" : null);
  if (on) fresh = setTimeout(() => attr(button, "aria-disabled", null), FRESH_MS);
}

// ---- the seat

/**
 * Be the nose of the guest whose phone this is: of the seat in the game; before the first deal of a place at the table.
 *
 * @param {Api.Snapshot} state
 */
function follow(state) {
  const me = guestOf(state);
  if (!me || dead?.unknown) return;
  person = me.name;
  const row = state.rows.find((one) => one.player === me.name && tappable(one.line));
  const line = row ? row.line : isBefore(state, me) && tappable(me.line) ? me.line : "";
  if (line && line !== finger.line && !dead && !whyNot(state)) take(line, line !== left);
  if (!line && finger.line && state.rows.length && !row) finger.leave();
  left = line;
}

/**
 * Show the table before the first deal, and to who waits for the next one.
 *
 * @param {Api.Snapshot} state
 */
function lobby(state) {
  const me = dead?.unknown ? null : guestOf(state);
  const early = me && isBefore(state, me);
  const late = me?.waits;
  const box = $(".m-lobby");
  attr(box, "hidden", !(early || late));
  attr($("#seat"), "data-lobby", early ? "early" : late ? "late" : null);
  if (!me || box.hidden) return null;
  put($("h2", box), t("You’re in, {name}.", { name: me.name }));
  const room = state.lobby.guests.length < LINES.length;
  const tap = early ? (/** @type {number} */ to) => move(to) : null;
  oval($(".oval", box), state.lobby, { mine: me.id, room, tap });
  const says = late ? t("They’re playing. You play from the next deal.") : t("Wrong seat? Tap where you sit.");
  put($("p", box), says);
  return me;
}

/** @param {number} to */
async function move(to) {
  try {
    await ask("/api/v1/seat", { body: { at: to } });
  } catch (refusal) {
    say(refusal instanceof Error ? refusal.message : String(refusal));
  }
}

/** @param {Api.Snapshot} state */
function show(state) {
  follow(state);
  const me = lobby(state);
  if (me) return early(state, me);
  stay(state);
  const row = seats(state).find((one) => finger.line && one.line === finger.line && !whyNot(state));
  if (row) dead = null;
  const seated = Boolean(row || (dead && !whyNot(state)));
  attr($("#choose"), "hidden", seated);
  attr($("#seat"), "hidden", !seated);
  document.documentElement.classList.toggle("seated", seated);
  $("#seat").classList.toggle("dead", dead !== null);
  nameButton();
  offer(Boolean(dead && !dead.unknown && seated && mySeat(dead.player)));
  if (dead && seated) return lost(dead);
  if (!row) return choose(state);
  const mine = state.phones.find((one) => one.line === row.line && !one.shared);
  finger.follow(state.phase);
  put($(".m-who bdi"), row.player);
  put($(".m-who small"), t("seat {n}", { n: row.seat }));
  attr($(".m-say .word"), "hidden", !row.word.length);
  if (row.word.length) letters($(".m-say .word"), row);
  attr(nose, "aria-label", t("Nose of {player}, seat {seat}", { player: row.player, seat: row.seat }));
  const away = unheard(mine, !live.connected || finger.post.cut);
  moment(state, row, away, !mine?.lost);
  link(state, mine, away);
  if (mine?.page && mine.page !== PAGE && performance.now() - taken_ms > SURE_MS) {
    lose(REPLACED, true);
  }
}

/**
 * A guest before the first deal, or before their own: the nose is hollow, and shows that it is touched.
 *
 * @param {Api.Snapshot} state
 * @param {Api.GuestView} me
 */
function early(state, me) {
  dead = null;
  attr($("#choose"), "hidden", true);
  attr($("#seat"), "hidden", false);
  $("#seat").classList.remove("dead", "done", "close");
  stages($("#seat .stages"), null);
  document.documentElement.classList.add("seated");
  nameButton();
  const at = state.lobby.guests.findIndex((one) => one.id === me.id) + 1;
  put($(".m-who bdi"), me.name);
  put($(".m-who small"), t("seat {n}", { n: at }));
  const mine = state.phones.find((one) => one.line === me.line && !one.shared);
  const away = Boolean(finger.line) && unheard(mine, !live.connected || finger.post.cut);
  finger.follow(state.phase);
  nose.classList.remove("counts", "is-last", "is-first");
  nose.classList.toggle("away", away);
  attr(nose, "aria-label", t("Nose of {player}, seat {seat}", { player: me.name, seat: at }));
  put($("text", nose), away || !finger.line ? "" : finger.down ? t("let go") : t("try it"));
  put($(".m-away"), away ? hollow("") : "");
  offer(false);
  link(state, mine, away);
}

/** @param {{ player: string; why: string }} seat */
function lost({ player, why }) {
  put($(".m-who bdi"), player);
  put($(".m-who small"), "");
  stages($("#seat .stages"), null);
  attr($(".m-say .word"), "hidden", true);
  attr($(".m-close"), "hidden", true);
  nose.classList.remove("counts", "is-last", "is-first", "down");
  nose.classList.add("away");
  attr(nose, "aria-label", t("This nose does not count now."));
  put($("text", nose), "");
  put($(".m-away"), t("This nose does not count now."));
  const title = $(".m-say h1");
  put(title, why);
  title.classList.add("long");
  $("#seat").classList.remove("close");
  proof($(".m-proof"), []);
  uncover();
}

/**
 * What was said, and how the nose looks: hollow it waits, full it counts, flat it is down, red it was last.
 *
 * @param {Api.Snapshot} state
 * @param {Api.PlayerRow} row
 * @param {boolean} away
 * @param {boolean} kept the round loses nothing with this phone
 */
function moment(state, row, away, kept) {
  const open = state.phase === "armed" || state.phase === "judging";
  const last = !away && state.zero?.at !== 0 && state.last.includes(row.seat);
  const close = away ? [] : tooClose(state);
  const asked = open || zeroTest(state, row) !== null;
  nose.classList.toggle("counts", asked && !row.out && !row.aside && !away);
  nose.classList.toggle("is-last", last);
  nose.classList.toggle("is-first", !away && state.first.includes(row.seat));
  nose.classList.toggle("away", away);
  put($("text", nose), away ? "" : hint(row, asked, finger.down));
  const arrived = open && row.pressed && kept;
  const unsent = away && !arrived ? finger.post.unsent : "";
  put($(".m-away"), away ? hollow(unsent, arrived) : "");
  clearTimeout(waiting);
  if (unsent === "waiting") waiting = setTimeout(() => show(live.state), AGAIN_MS);
  stages($("#seat .stages"), state);
  const [head, said] = says(state, row, away, close);
  const timed = state.clock && !away ? [state.clock.says, ...said] : said;
  const lines = unsent ? [hollow(unsent), ...timed] : timed;
  const letter = row.new ? row.letters.at(-1) : undefined;
  const title = $(".m-say h1");
  if (last && letter && !close.length) title.replaceChildren(`${t("You were last:")} `, h("em", {}, letter));
  else if (title.textContent !== head) title.replaceChildren(...(head === state.headline ? withLetter(state) : [head]));
  title.classList.toggle("long", (title.textContent ?? "").length > 26);
  $("#seat").classList.toggle("close", close.length > 0);
  proof($(".m-proof"), lines);
  const strip = $(".m-close");
  attr(strip, "hidden", !close.length);
  if (close.length && state.finish) draw(strip, close, state.finish.u_ns ?? 0, state.finish.in_short ?? "");
  // Where nothing is to be touched any more the nose makes room; elsewhere the words do.
  $("#seat").classList.toggle("done", state.phase === "won" || row.out);
  tighten();
  pulse(state, row, last);
}

/** Let what is said be smaller where it has too little room; where letters are large, what is over makes room first. */
function tighten() {
  const words = $(".m-say");
  const cut = () => words.scrollHeight > words.clientHeight + 1;
  words.classList.remove("tight", "tiny");
  $("#seat").classList.remove("crowded");
  words.classList.toggle("tight", cut());
  $("#seat").classList.toggle("crowded", cut());
  words.classList.toggle("tiny", cut());
}
addEventListener("resize", tighten);

/**
 * Let the hand feel what the eyes may not see: armed, decided, last.
 *
 * @param {Api.Snapshot} state
 * @param {Api.PlayerRow} row
 * @param {boolean} last
 */
function pulse(state, row, last) {
  const now = `${state.game_no}.${state.round_no}.${state.phase}`;
  if (now === told) return;
  const first = !told;
  told = now;
  if (first || row.out) return;
  if (state.phase === "armed") {
    uncover();
    feel([40]);
  }
  if (last) feel([200, 80, 200, 80, 400]);
  else if (["verdict", "dead-heat", "void", "won"].includes(state.phase)) feel([60, 60, 60]);
}

// ---- the way to the table

/**
 * @param {Api.Snapshot} state
 * @param {Api.SeatPhone | undefined} mine
 * @param {boolean} away
 */
function link(state, mine, away) {
  const way_ns = mine?.rtt_ns || finger.clock.rtt_ns; // at first only the page has measured it
  const way = Math.max(1, Math.round(way_ns / 1e6));
  $(".m-link").classList.toggle("off", away);
  put(
    $("#link"),
    away ? t("Not connected") : finger.clock.known ? t("Connected, {n} ms", { n: way }) : t("Connecting…"),
  );
  const alone = !state.phones.some((one) => !one.shared && one.line !== finger.line);
  const sure = $("#sure");
  attr(sure, "hidden", !mine?.sure_ns);
  const said = `${mine?.wire_u_ns && alone ? t("wired") : t("Phones")} `;
  if (sure.dataset.said === `${said}${mine?.sure_ns}`) return;
  sure.dataset.said = `${said}${mine?.sure_ns}`;
  sure.replaceChildren(said, h("b", {}, `± ${mine?.sure_text ?? ""}`));
}

$("#sure").addEventListener("click", () => {
  if (!$("#parts").hidden) return uncover();
  $("#parts").replaceChildren(
    ...parts(finger.clock, live.state.phones.find((one) => one.line === finger.line)?.clock_text ?? "").map(
      (sentence) => h("p", {}, sentence.replaceAll("± ", "±\u00a0")),
    ),
  );
  $("#parts").hidden = false;
  attr($("#sure"), "aria-expanded", "true");
});

/** Nothing lies over the nose. */
function uncover() {
  $("#parts").hidden = true;
  attr($("#sure"), "aria-expanded", "false");
}

$("#leave").addEventListener("click", () => {
  const button = $("#leave");
  if (dead?.unknown) location.assign(hosts ? "/nose" : "/join");
  else if (dead) {
    dead = null;
    browser.keep(WAS, "");
    show(live.state);
  } else if (button.dataset.sure) {
    browser.keep(WAS, "");
    part();
  } else {
    button.dataset.sure = "yes";
    nameButton();
    asked = setTimeout(forgetAsked, SURE_MS);
  }
});
/** Leave the table; a host’s page that is a nose is one no more. */
async function part() {
  const guest = guestOf(live.state);
  if (!guest) return leave();
  const { onYou } = live;
  live.onYou = () => {}; // who leaves only watches: this page goes to that one by itself
  try {
    await ask("/api/v1/leave", { body: {} });
    await leave();
    if (!hosts) return location.replace("/");
  } catch (refusal) {
    say(refusal instanceof Error ? refusal.message : String(refusal));
  }
  live.onYou = onYou;
}
function forgetAsked() {
  clearTimeout(asked);
  delete $("#leave").dataset.sure;
  nameButton();
}
/** What the button above the nose does. */
function nameButton() {
  const button = $("#leave");
  put(button, dead ? t("Take a seat") : button.dataset.sure ? t("Sure? Tap again") : t("Leave"));
}

addEventListener("beforeunload", (event) => {
  if (finger.line && ["armed", "judging"].includes(live.state.phase)) event.preventDefault();
});
live.watch((connected) => {
  if (connected) finger.clock.tell();
  show(live.state);
});
left = kept();
live.follow(show);
const before = kept();
if (before && hosts && drivable && !guestOf(live.state)) take(before);
else if (hosts && drivable && !guestOf(live.state) && was()) {
  const player = was();
  dead = { player, why: t("This phone was {player}’s nose.", { player }), unknown: false };
  show(live.state);
}
