// @ts-check
// The hall for a whole room: every table, who leads, and who sits where next.

import { lettered } from "../games/rows.js";
import { lasted, minutes } from "../hall/round-clock.js";
import { look, roundTable } from "../hall/round-table.js";
import { $, $$, attr, h, match, put } from "../lib/dom.js";
import { measure } from "../lib/fit.js";
import { live } from "../lib/hall-page.js";
import { ARRIVED } from "../lib/names.js";
import { LANG, points, t, WRITTEN } from "../lib/words.js";
import { inWords } from "../photo-finish/in-words.js";
import { replay } from "../photo-finish/replay.js";

const LISTED = 10; // in one column; more stand in two
const COLUMN = 15; // lines of each of the two
const [LOWEST, ROOMY] = [0.028, 0.04]; // of the screen’s height is a line to be read, and one of two lines
const LEAST_PX = 12;
const A_LINE = 70; // letters of what is said that stand on one line
const SMALLEST = 0.75; // of the others’ size is a name on one line; a longer one stands on two
const A_LABEL = 20; // letters under a table that stand on two lines in large type
const A_PAGE = 20;
const TABLES = 20;
const TURN_MS = 10_000;
let turn = 0;
let listed = 0; // turns that the standings have had
let replayed = "";
const upright = matchMedia("(max-aspect-ratio: 1)");
const still = matchMedia("(prefers-reduced-motion: reduce)");

/** @param {Hall.HallScreen} screen */
function show(screen) {
  put($("h1"), screen.headline);
  const says = [live.connected ? "" : t("Not connected. Trying again…"), screen.says].filter(Boolean).join(" · ");
  put($(".say"), says);
  attr($(".say"), "hidden", !says);
  $(".say").classList.toggle("long", says.length > A_LINE);
  const all = screen.tables ?? [];
  const pages = Math.max(1, Math.ceil(all.length / TABLES));
  const from = (turn % pages) * TABLES;
  const box = $(".tables");
  box.style.setProperty("--columns", String(columns(Math.min(TABLES, all.length))));
  match(
    box,
    all.slice(from, from + TABLES),
    (one) => `${one.number} ${JSON.stringify([one.state, one.appeal, one.there, one.seats])}`,
    (one) => h("li", { class: look(one) }, roundTable(one), label(said(one))),
  );
  leaders(screen);
  seats(screen);
  fold($$(".next bdi"));
}

/**
 * How many of *n* tables stand in a row: about half as many again as rows, and no row much shorter than the others.
 *
 * @param {number} n
 */
function columns(n) {
  const most = Math.min(5, Math.max(1, Math.ceil(Math.sqrt(n * 1.4))));
  return Math.max(1, Math.ceil(n / Math.ceil(n / most)));
}

/** @param {string} words */
const label = (words) => h("span", { dir: "auto", class: words.length > A_LABEL ? "long" : null }, words);

/** @param {Hall.TablePicture} one */
function said(one) {
  if (one.appeal) return t("appeal");
  const won = (one.seats ?? []).filter((seat) => seat.winner).map((seat) => seat.name);
  if (won.length && (one.state === "counts" || one.state === "typed")) return won.join(", ");
  if (one.by_hand) return t("they settle it by hand");
  if (one.state === "playing" || one.state === "unsigned" || one.state === "doubtful")
    return one.sheet ? "" : t("{n} left", { n: one.left ?? 0 });
  if (one.state === "waiting" && one.sheet) return "";
  if (one.state === "waiting") {
    const here = (one.seats ?? []).filter((seat) => seat.here).length;
    return t("{have} of {n}", { have: here, n: (one.seats ?? []).length });
  }
  return one.there || one.archived || live.state.over ? "" : t("away");
}

/** @param {Hall.HallScreen} screen */
function leaders(screen) {
  if ($(".stand").hidden) return; // nothing can be measured there
  const figure = (/** @type {string} */ said) => said.replaceAll(" ", "\u00a0");
  put($(".stand p"), (screen.closest ?? "").replace(/[\d.,]+\s[µm]?s ± .*/, figure)); // it stays on one line
  const all = screen.standings ?? [];
  const { behind, size } = paged(all.length);
  // Who leads is to be seen every other turn, the others page by page in between.
  const from = behind && listed % 2 ? size * (1 + (Math.floor(listed / 2) % behind)) : 0;
  const shown = all.slice(from, from + size);
  const which = `${from + 1}–${from + shown.length} / ${all.length}`;
  put($(".stand h2"), behind ? t("{what}: {says}", { what: t("Standings"), says: which }) : t("Standings"));
  match(
    $(".stand ol"),
    shown,
    (one) => one.entrant,
    () => h("li", {}, h("i", { class: "num" }), h("span", {}, h("bdi"), " ", h("small")), h("b", { class: "num" })),
    (line, one) => {
      put($("i", line), one.place ?? "–");
      $("bdi", line).replaceWith(named(one.name));
      put($("small", line), one.points < most(screen, one) ? (one.decided ?? "") : "");
      put($("b", line), points(one.points));
    },
  );
  makeRoom();
}

/**
 * Lay room out for *n* lines of standings: how many pages come behind the first, and how many lines each has.
 *
 * @param {number} n
 */
function paged(n) {
  const crowd = n > LISTED && !upright.matches;
  $(".hall-board").classList.toggle("crowd", crowd);
  const lines = $(".stand ol").clientHeight / innerHeight / LOWEST;
  const most = crowd ? 2 * Math.max(LISTED / 2, Math.min(COLUMN, Math.floor(lines))) : LISTED;
  const pages = Math.max(1, Math.ceil(n / most));
  const size = crowd ? Math.ceil(n / pages) : LISTED;
  $(".stand").style.setProperty("--rows", String(crowd ? Math.ceil(size / 2) : LISTED));
  return { behind: pages - 1, size };
}

/** Let every name of the standings be whole: it comes first, and what decided its place only where there is room. */
function makeRoom() {
  const lines = $$(".stand li").map((line) => [$("bdi", line), $("small", line)]);
  for (const [, why] of lines) why.hidden = true;
  fold(
    lines.map(([name]) => name),
    smallest(),
  );
  const told = lines.filter(([, why]) => why.textContent);
  for (const [, why] of told) why.hidden = false;
  for (const [, why] of told.filter((parts) => parts.some(isCut))) why.hidden = true;
}

/** The least part of the others’ size that a name of the standings has on one line; any, where two have no room. */
function smallest() {
  const line = $$(".stand li")[0];
  if (!line || line.clientHeight >= ROOMY * innerHeight) return SMALLEST;
  const least = LEAST_PX / parseFloat(getComputedStyle(line).fontSize);
  return line.clientHeight < 2.3 * LEAST_PX ? 0 : Math.max(0.5, least);
}

/**
 * Return the most points of those who stand below *one*: who played the final stands above some with more.
 *
 * @param {Hall.HallScreen} screen
 * @param {Hall.Ranked} one
 */
function most(screen, one) {
  const below = (screen.standings ?? []).filter((other) => (other.place ?? 0) > (one.place ?? 0));
  return Math.max(0, ...below.map((other) => other.points));
}

/** @param {Hall.HallScreen} screen */
function seats(screen) {
  const rounds = screen.rounds ?? [];
  const at = rounds.findIndex((one) => !one.called);
  // As long as a table of the called round waits for somebody, its people look for their places.
  const seeks = (screen.tables ?? []).some((one) => one.state === "waiting" && one.seats?.length);
  const place = at < 0 ? rounds.length - 1 : seeks && at > 0 ? at - 1 : at;
  const round = at < 0 && screen.step !== "wait" ? undefined : rounds[place]; // who has played sits nowhere
  const people =
    round && !screen.over
      ? (screen.people ?? [])
          .filter((one) => (one.tables ?? [])[place])
          .sort((one, other) => one.name.localeCompare(other.name, WRITTEN))
      : [];
  attr($(".next > div"), "hidden", !people.length);
  if (!round || !people.length) return;
  const pages = Math.ceil(people.length / A_PAGE);
  const page = turn % pages;
  const shown = people.slice(page * A_PAGE, (page + 1) * A_PAGE);
  const [name, which] = $(".next h2").children;
  put(name, t("{what}: {says}", { what: round.title, says: t("Where do I sit?") }));
  put(which, pages > 1 ? `${letters(shown)}, ${page + 1} / ${pages}` : "");
  $(".next ul").replaceChildren(
    ...shown.map((one) => h("li", {}, named(one.name), h("b", { class: "num" }, String((one.tables ?? [])[place])))),
  );
}

/** @param {string} name */
const named = (name) => h("bdi", {}, name);

/** How wide the words of *one* are, and the room that they have. @param {HTMLElement} one */
function widths(one) {
  const words = document.createRange();
  words.selectNodeContents(one);
  return { words: words.getBoundingClientRect().width, room: one.getBoundingClientRect().width };
}

/** By a part of a pixel, too: dots would stand there. @param {HTMLElement} one */
function isCut(one) {
  const { words, room } = widths(one);
  return words > room + 0.1;
}

/**
 * Write those of *names* smaller that have no room in their line, or on two lines where that would be too small.
 * Measured, not counted: machines write with wide and with narrow faces.
 *
 * @param {HTMLElement[]} names
 * @param {number} [least] of the others’ size that a name is on one line
 */
function fold(names, least = SMALLEST) {
  for (const one of names) {
    one.classList.remove("long");
    one.style.removeProperty("font-size");
  }
  for (const [one, part] of names.filter(isCut).map((one) => /** @type {const} */ ([one, partOf(one)]))) {
    if (part < least) one.classList.add("long");
    else one.style.fontSize = `max(${LEAST_PX}px, ${part.toFixed(2)}em)`;
  }
}

/** How large a name is that just fits, as a part of what it is now. @param {HTMLElement} one */
function partOf(one) {
  const { words, room } = widths(one);
  return Math.floor((100 * (room - 1)) / words) / 100;
}

/**
 * Return with which letters the names of a page begin: what it has of the alphabet.
 *
 * @param {Hall.ListedPerson[]} people
 */
function letters(people) {
  const [from, to] = [people.at(0), people.at(-1)].map((one) => [...(one?.name ?? "")][0]?.toLocaleUpperCase(LANG));
  return from === to ? from : `${from} – ${to}`;
}

function tick() {
  const screen = live.state;
  const seconds = lasted(screen, live.now_s());
  const most = Number(screen.arrangement?.minutes ?? 0);
  const now = new Date(live.now_s() * 1000).toLocaleTimeString(LANG, {
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
  const left = seconds !== null && most ? most * 60 - seconds : null;
  put($(".clock"), left === null ? now : left >= 0 ? minutes(left) : `+${minutes(-left)}`);
  attr($(".clock"), "class", left !== null && left < 0 ? "clock num late" : "clock num");
}

/** @param {Hall.HallFinish} one */
const keyOf = (one) => `${one.round} ${one.number} ${one.entry}`;

/**
 * Show the newest photo finish for a turn when it is new, or for as long as there are no standings. In a lively hall
 * one always is: then finish and standings take turns.
 */
function closeUp() {
  const { newest, standings } = live.state;
  const key = newest ? keyOf(newest) : "";
  const rests = !$(".finish").hidden && Boolean(standings?.length);
  const fresh = key !== "" && key !== replayed && !rests;
  const shown = fresh || (key !== "" && !standings?.length);
  attr($(".finish"), "hidden", !shown);
  attr($(".stand"), "hidden", shown);
  if (!newest || !fresh) return;
  replayed = key;
  put($(".finish h2"), t("Table {n}", { n: newest.number }));
  $(".finish p").replaceChildren(...lettered(newest.says, newest.letter ?? ""));
  $(".finish").classList.toggle("moving", !still.matches);
  replay($(".finish div"), { finish: newest.finish, phase: "verdict" }, inWords(newest.finish));
}

setInterval(() => {
  turn += 1;
  closeUp();
  if (!$(".stand").hidden) listed += 1;
  show(live.state);
}, TURN_MS);
document.addEventListener(ARRIVED, () => show(live.state));
addEventListener("resize", () => {
  measure();
  replayed = "";
  attr($(".finish"), "hidden", true); // it begins again
  closeUp();
  show(live.state);
});
measure();
setInterval(tick, 1000);
const { newest, standings } = live.state;
if (newest && standings?.length) replayed = keyOf(newest); // an old one is not shown again after a reload
closeUp();
live.watch(() => show(live.state));
live.follow(show);
tick();
