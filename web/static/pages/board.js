// @ts-check
// The projector is a show: a verdict in slow motion, then the deal before the next round, then the table from above.

import { steps } from "../games/steps.js";
import { headline } from "../games/verdict.js";
import { $, attr, childrenOf, maybe, proof, put } from "../lib/dom.js";
import { fit, measure, squeeze, unit_px } from "../lib/fit.js";
import { ARRIVED } from "../lib/names.js";
import { oval } from "../lib/oval.js";
import { live, where } from "../lib/page.js";
import { clock, isDecided, stages, undone } from "../lib/stages.js";
import { list, t } from "../lib/words.js";
import { inWords } from "../photo-finish/in-words.js";
import { heightOf, replay } from "../photo-finish/replay.js";
import { celebrate } from "./board/ceremony.js";
import { controls, tell } from "./board/controls.js";
import { deal, dealing, dealt, wholeDeal } from "./board/deal.js";
import { few, inDanger } from "./board/few.js";
import { score } from "./board/score.js";
import { table } from "./board/seats.js";

/** @typedef {"verdict" | "deal" | "score" | "table" | "steps" | "welcome"} Scene */

const HOLD_MS = 5600;
const PLAIN_MS = 9000;
const DEAL_MS = 16_000;
const FIX_MS = 2000;
const MOST_BELOW = 8;
const SMALL = 7.2;
/** How large a headline may be where what stands below it wants more room, in hundredths of the screen. */
const LESS = [20, 17, 14, 12];
const LEAST = 10;
const FINISH = 3.5; // how large the letters of a photo finish want to be
/** @type {Partial<Record<Scene, string>>} What shrinks until it has room. */
const SQUEEZED = { deal: ".b-deal", steps: ".b-steps", table: ".b-table" };

const board = $("#board");
const says = $(".b-says");
const stage = $(".b-stage");
const still = matchMedia("(prefers-reduced-motion: reduce)");
/** @type {Scene | null} */
let scene = null;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
/** What the verdict on the screen speaks of, since when, and the state it was told with. */
let spoken = "";
let since_ms = 0;
/** @type {Api.Snapshot | null} */
let told = null;

/** @param {Api.Snapshot} state */
const asks = (state) => state.waits && state.steps.length > 0;

/** @param {Api.Snapshot} state */
const keyOf = (state) =>
  JSON.stringify([state.evening, state.game_no, state.round_no, state.phase === "dead-heat", state.headline]);

/**
 * Return the scene that *state* wants when nothing is on its way.
 *
 * @param {Api.Snapshot} state
 * @returns {Scene}
 */
function resting(state) {
  if (!state.rows.length) return "welcome";
  if (asks(state)) return "steps";
  if (state.ruling) return "verdict"; // until the table has said what it was worth
  if (state.sheet) return "score";
  if (state.phase === "won") return "verdict";
  const first = !state.finish && (state.round_no <= 1 || wholeDeal(state));
  if (state.phase !== "judging" && state.watched && first && !state.dealt && dealt(state)) return "deal";
  return "table";
}

/**
 * Go to *next*, and on to *after* when it has been there for *for_ms*.
 *
 * @param {Scene} next
 * @param {number} [for_ms]
 * @param {() => unknown} [after]
 */
function go(next, for_ms = 0, after = () => {}) {
  clearTimeout(timer);
  scene = next;
  draw(live.state);
  timer = for_ms ? setTimeout(after, for_ms) : undefined;
}

/**
 * @param {Api.Snapshot} state
 * @param {boolean} moving
 */
function verdictShow(state, moving) {
  told = state;
  since_ms = performance.now();
  board.classList.toggle("moving", moving && !still.matches);
  go(state.sheet ? "score" : "verdict"); // a sheet says it all, its end too
  const times = replay($(".b-replay"), state, state.finish ? inWords(state.finish) : "");
  const letter_s = times && moving && !still.matches ? times.letter : 0;
  board.style.setProperty("--letter", `${letter_s.toFixed(2)}s`);
  draw(live.state);
  if (moving) tell(state, times, still.matches);
  if (state.phase === "won") {
    clearTimeout(timer);
    const won = state.rows.some((row) => row.winner); // a game that was broken off has nobody to celebrate
    const shower = () => celebrate($(".b-confetti"), still.matches);
    // At once where nothing is replayed: what comes in the same moment would put the timer off.
    if (moving && won && letter_s) timer = setTimeout(shower, letter_s * 1000);
    else if (moving && won) shower();
    return;
  }
  timer = setTimeout(afterVerdict, letter_s ? letter_s * 1000 + HOLD_MS : PLAIN_MS);
}

function afterVerdict() {
  if (live.state.ruling) return go("verdict", FIX_MS, afterVerdict);
  told = null;
  const { state } = live;
  const next = resting(state);
  if (next === "table" && !state.dealt && dealt(state) && state.phase !== "void" && state.phase !== "dead-heat")
    go("deal", DEAL_MS, () => go(resting(live.state)));
  else go(next);
}

/**
 * @param {Api.Snapshot} state
 * @param {Api.Snapshot | null} before
 */
function moment(state, before) {
  const decided = isDecided(state.phase);
  const key = keyOf(state);
  const fresh = decided && key !== spoken;
  if (decided) spoken = key;
  if (decided && before && fresh && !asks(state) && state.rows.length) return verdictShow(state, true);
  // What comes a moment later completes the verdict that is on the screen.
  if (told && decided && !fresh && JSON.stringify(told.finish) !== JSON.stringify(state.finish))
    return verdictShow(state, performance.now() - since_ms < FIX_MS);
  if (before && state.signalled > before.signalled) tell(state, null, true);
  const next = resting(state);
  const busy = scene === "verdict" || scene === "deal";
  const ends = state.phase === "judging" || asks(state) || !state.rows.length || state.game_no !== before?.game_no;
  if (next === "verdict" && !told) return verdictShow(state, false);
  if (!busy || ends || (scene === "deal" && (next === "deal" || state.dealt))) {
    if (state.phase !== "won") told = null;
    return go(next);
  }
  draw(state);
}

// ---- drawing

/**
 * What stands beside the name of the game: how far it is.
 *
 * @param {Api.Snapshot} state
 */
function also(state) {
  const says = $(".b-also");
  const bar = $(".b-bar");
  bar.classList.remove("small");
  put(says, state.sheet && state.phase !== "won" ? state.sheet.left : null);
  bar.classList.toggle(
    "small",
    [says, bar].some((one) => one.scrollWidth > one.clientWidth + 1),
  );
}

/** @param {Api.Snapshot} state */
function speech(state) {
  const head = $("h1", says);
  const lines = $(".proof", says);
  const first = scene === "deal" || scene === "table" ? undone(state) : null;
  if (scene === "deal" || first) {
    delete head.dataset.says;
    put(head, first ?? dealing(state).title);
    proof(lines, []);
  } else {
    const passing = scene === "table" && state.phase === "armed" && state.dealt && state.guide;
    const scans = scene === "welcome" && maybe(".bl-way") !== null;
    const asked = state.question === "last" && state.touched && !state.rack.length;
    const runs = scene === "table" && state.stage === "running" && asked;
    const says = scans ? t("Take a seat") : runs ? t("Touch your nose!") : state.headline;
    headline(head, { ...state, headline: passing ? passing.now : says });
    const small = scene === "table" && state.watched;
    const waits = state.phase === "judging" && state.rack.length > 0;
    proof(lines, waits ? state.proof.slice(0, 1) : small ? [] : state.proof.slice(0, scene === "verdict" ? 3 : 2));
  }
  fit(head, scene === "steps" ? SMALL : scene === "score" || scene === "table" ? 11 : undefined);
  const u = unit_px();
  makeRoom(head, scene === "verdict" ? heightOf($(".b-replay"), state, FINISH * u) + 2 * u : 0);
}

/**
 * Let *head*, then its proof, be smaller until the stage is *want_px* high and what is on it has room.
 *
 * @param {HTMLElement} head
 * @param {number} want_px
 */
function makeRoom(head, want_px) {
  const whole = [$(".b-deal"), $(".b-lobby")];
  const crowded = () => stage.clientHeight < want_px || whole.some((one) => one.scrollHeight > one.clientHeight + 1);
  says.classList.remove("less", "least");
  for (const limit of LESS) if (crowded()) fit(head, limit);
  for (const style of ["less", "least"]) {
    if (!crowded()) return;
    says.classList.add(style);
    for (const limit of LESS) if (crowded() || limit === LESS[0]) fit(head, limit);
  }
  if (crowded()) fit(head, LEAST);
}

/** @param {Api.Snapshot} state */
function below(state) {
  const shows = scene === "verdict" && !state.sheet;
  attr($(".b-few"), "hidden", !shows);
  if (shows) few($(".b-few"), state.rows, state.last, innerWidth < 700 ? 4 : MOST_BELOW);
  const danger = state.rows.filter(inDanger).map((row) => row.player);
  const words =
    scene === "deal" && danger.length ? [t("{what}: {says}", { what: t("One to go"), says: list(danger) })] : [];
  const word = state.early ?? (state.phase === "won" ? undone(state) : null) ?? words.join(" ");
  put($(".b-word"), word);
  attr($(".b-word"), "hidden", !word);
}

/**
 * Show who is at the table before the first deal.
 *
 * @param {Api.Snapshot} state
 */
function lobby(state) {
  const { guests, watching, starts } = state.lobby;
  const box = $(".b-lobby");
  attr($(".bl-table", box), "hidden", !guests.length && !maybe(".bl-way"));
  oval($(".oval", box), state.lobby, { room: true });
  const [count, word, more] = childrenOf($(".bl-n", box));
  put(count, guests.length);
  put(word, t("At the table"));
  const who = starts ? t("{player} starts", { player: starts }) : t("The host starts");
  const others = watching ? t("just watching: {n}", { n: watching }) : "";
  put(more, [others, guests.length > 1 ? who : ""].filter(Boolean).join(" · "));
}

/**
 * Leave out a step's title that stands above it already, as *headline*.
 *
 * @param {string} headline
 * @returns {(step: Page.Step) => Page.Step}
 */
const said = (headline) => (step) => ("title" in step && step.title === headline ? { ...step, title: "" } : step);

/** @param {Api.Snapshot} now */
function draw(now) {
  const state = scene === "verdict" && told ? told : now;
  attr(board, "data-show", scene);
  attr(board, "data-phase", state.phase);
  where(now);
  clock($(".b-bar .clock"), now.clock);
  stages($(".b-bar .stages"), state);
  also(state);
  below(state);
  steps($(".b-steps"), scene === "steps" ? state.steps.map(said(state.headline)) : [], null);
  if (scene === "deal") deal($(".b-deal"), state);
  $(".b-deal").style.removeProperty("--u");
  speech(state);
  if (scene === "welcome") lobby(state);
  if (scene === "score") score($(".b-score"), state);
  if (scene === "table") table($(".b-table"), state);
  const place = SQUEEZED[scene ?? "welcome"];
  if (place) squeeze($(place));
}

measure();
controls($(".b-do"));
live.follow(moment);
function again() {
  measure();
  draw(live.state);
  if (told) replay($(".b-replay"), told, told.finish ? inWords(told.finish) : "");
}
addEventListener("resize", again);
document.addEventListener(ARRIVED, again);
document.fonts.ready.then(() => draw(live.state));
