// @ts-check
// The live table in three views: what to do now, what the host may do, the figures.
import { parts } from "../games/game-parts.js";
import { hallStrip } from "../games/hall-strip.js";
import { prompts } from "../games/prompts.js";
import { players } from "../games/rows.js";
import { steps } from "../games/steps.js";
import { verdict } from "../games/verdict.js";
import { voiced } from "../games/voiced.js";
import { ask, reason } from "../lib/api.js";
import { $, $$, attr, firstIn, h, input, match, maybe, put } from "../lib/dom.js";
import { plays, writable } from "../lib/own.js";
import { live, PARTED, say, where } from "../lib/page.js";
import { hear, switches } from "../lib/sounds.js";
import { clock, stages } from "../lib/stages.js";
import { tappable } from "../lib/taps.js";
import { t } from "../lib/words.js";
import { begin, move, ruleBy, show } from "./table/controls.js";
import { curious } from "./table/figures.js";
import { guide, screen } from "./table/guide.js";
import { seats } from "./table/seats.js";
import { onView, toPlay, views } from "./table/views.js";

const WIDE = matchMedia("(min-width: 62rem)"); // the views side by side
const ROOMY = matchMedia("(min-width: 62rem) and (min-height: 52rem)"); // noses and steps at once
const card = $("#verdict");
const send = document.body.dataset.control === "yes" ? move : null;
const writes = send ?? (plays ? move : null); // what a player may write is the own score

const play = $("#view-play");
const PLACES = { root: $("#guide"), list: $("#guide .todo"), notes: $("#guide .quiet") };
const screenshot = maybe("img.oled");
const PICTURE_MS = 150; // the small screen draws a moment later, too
const TURN_MS = 3000; // and turns its pages by itself
/** @type {ReturnType<typeof setTimeout> | undefined} */
let due; // the timer of the next look

/** Look again, as long as somebody has the picture before their eyes. */
function look() {
  due = undefined;
  if (!screenshot || document.hidden) return;
  const { top, bottom } = screenshot.getBoundingClientRect();
  if (bottom > 0 && top < innerHeight) attr(screenshot, "src", `/oled.png?v=${live.state.version}&t=${Date.now()}`);
}
if (screenshot) {
  new IntersectionObserver(look).observe(screenshot);
  setInterval(look, TURN_MS);
}

/**
 * @param {Api.Snapshot} state
 * @param {Api.Snapshot | null} before
 */
function moment(state, before) {
  where(state);
  hallStrip($("#hall"), state);
  hear(state, before);
  attr(card, "data-phase", state.phase);
  stages($(".stages", play), state);
  const shows = screen(state, () => moment(live.state, live.state));
  attr(play, "data-shows", shows);
  const noses = maybe("#noses") !== null && state.touched && state.rows.some((row) => tappable(row.line));
  play.classList.toggle("has-noses", noses);
  const keys = state.entries.some((entry) => entry.ask === "pad");
  play.classList.toggle("beside", keys || (noses && shows !== "deal"));
  const said = voiced(state);
  clock($(".clock", card), state.clock);
  const changed = verdict(card, said, { reserve: ROOMY.matches && noses });
  if (!ROOMY.matches && !said.finish) $("photo-finish", card).hidden = true;
  for (const line of $$(".proof li", card)) line.classList.toggle("ask", line.textContent?.endsWith("?") ?? false);
  if (changed && before && ["verdict", "dead-heat", "void", "won"].includes(state.phase)) {
    card.classList.remove("fresh");
    void card.offsetWidth; // begin the movement again
    card.classList.add("fresh");
  }
  attr($("#players"), "hidden", !state.rows.length || state.sheet !== null);
  $("#players").classList.toggle("bare", !state.rows.some((row) => row.letters.length || row.score !== null));
  players($("#players .players"), state.rows, state.last, state.watched ? state.lamps : []);
  guide(PLACES, state, shows === "race", ROOMY.matches);
  for (const link of $$(".rules")) attr(link, "href", state.game ? `/help/${encodeURIComponent(state.game)}` : "/help");
  parts(writable(state), writes);
  prompts($("#prompts"), state, send && ruleBy);
  steps($("#steps"), state.steps, send && ruleBy);
  attr($("#main"), "data-asks", state.waits && state.steps.length ? "yes" : null);
  show(state, shows);
  host(state, said.headline);
  curious(state);
  attr($("#welcome"), "hidden", state.phase !== "setup");
  waiting(state);
  attr($("#keep"), "hidden", state.phase !== "won");
  steady();
  if (screenshot && !due && state.version !== before?.version) due = setTimeout(look, PICTURE_MS);
}

/**
 * Before the first game a guest sees who is there, and the way in.
 *
 * @param {Api.Snapshot} state
 */
function waiting({ phase, lobby }) {
  const box = maybe("#waiting");
  if (!box) return;
  attr(box, "hidden", phase !== "setup");
  maybe("#way-in")?.classList.toggle("main", phase === "setup");
  const n = lobby.guests.length;
  put($("p", box), t("{what}: {says}", { what: t("At the table"), says: n }));
  match(
    $("ul", box),
    lobby.guests,
    (guest) => guest.id,
    () => h("li", {}, h("bdi")),
    (item, guest) => put(firstIn(item), guest.name),
  );
}

/** Keep the noses where they are under the fingers: while they are up, what stands above them never shrinks. */
function steady() {
  const up = ROOMY.matches ? play.classList.contains("has-noses") : play.dataset.shows === "race";
  const height_px = up ? Math.max(Number.parseFloat(card.style.minHeight) || 0, card.offsetHeight) : 0;
  card.style.minHeight = up ? `${height_px}px` : "";
}

/**
 * What the host sees first: before or in which round it is, what was said last, who has what for a nose.
 *
 * @param {Api.Snapshot} state
 * @param {string} headline
 */
function host(state, headline) {
  const before = state.last_round?.headline ?? headline;
  const decided = ["verdict", "dead-heat", "void"].includes(state.phase);
  const n = decided ? state.round_no + 1 : state.round_no;
  const round = t("Round {n}", { n });
  const title = state.watched && n && state.phase !== "won" ? round : (state.title ?? t("Host"));
  put($("#view-host h2"), state.duty?.says ?? title);
  $("#view-host .before").classList.toggle("warns", state.duty !== null);
  put($("#view-host .before p"), before);
  $("#view-host .before p").classList.toggle("again", before === headline);
  seats($("#view-host .seats"), state);
  const calls = state.faults.length + (state.contest ? 1 : 0);
  const badge = maybe(".tabs i");
  if (!badge) return;
  attr(badge, "hidden", !calls);
  put(badge, calls);
}

views();
document.addEventListener(PARTED, () => moment(live.state, live.state));
onView(() => moment(live.state, live.state));
ROOMY.addEventListener("change", () => moment(live.state, live.state));
addEventListener("resize", () => {
  card.style.minHeight = "";
  curious(live.state);
  steady();
});
new ResizeObserver(steady).observe(card);
$("#keep button").addEventListener("click", async () => (await import("../result/share.js")).keep(live.state));
begin();
switches($("#sounds"));
maybe("#owner")?.addEventListener("submit", async (event) => {
  event.preventDefault();
  try {
    const kept = await ask("/api/v1/phone", { body: { name: input("#owner-name").value } });
    input("#owner-name").value = kept.name;
    say(t("Kept."), 4000);
  } catch (refusal) {
    say(reason(refusal));
  }
});
live.follow((state, before) => {
  const begun = before && (state.game_no !== before.game_no || state.evening !== before.evening);
  if (begun && !WIDE.matches) toPlay();
  const held = document.activeElement;
  moment(state, before);
  handOver(held);
});

/**
 * Let whoever plays with the keys go on where what was *held* is gone: at the next number to write, or at what was
 * said.
 *
 * @param {Element | null} held
 */
function handOver(held) {
  if (!held || held === document.body || held.closest("dialog") || held.getClientRects().length) return;
  if (document.activeElement !== held && document.activeElement !== document.body) return;
  const next = $$("#score-entry button:not([disabled]), #pad button:not([disabled])").find(
    (button) => button.getClientRects().length > 0,
  );
  (next ?? $("h1", card)).focus({ preventScroll: true });
}
