// The live table: the verdict, the players, the deck, the noses, the host.
import { $, attr, put } from "./dom.js";
import { advice } from "./advice.js";
import { ask } from "./api.js";
import { prompts } from "./asked.js";
import { hear, switches } from "./ears.js";
import { begin, move, show } from "./controls.js";
import { live, say, where } from "./frame.js";
import { parts } from "./parts.js";
import { lastSeats, players } from "./rows.js";
import { steps } from "./steps.js";
import { phaseName, verdict } from "./verdict.js";
import { t } from "./words.js";

const card = $("#verdict");
const send = document.body.dataset.control === "yes" ? move : null;

const screen = $("img.oled");
const PICTURE_MS = 150; // the small screen draws a moment later, too
const TURN_MS = 3000; // and turns its pages by itself
let picture = 0;

function look() {
  picture = 0;
  screen.src = `/oled.png?v=${live.state.version}&t=${Date.now()}`;
}

/** Look again, as long as somebody has the picture before their eyes. */
function turn() {
  const { top, bottom } = screen.getBoundingClientRect();
  if (live.state && !document.hidden && bottom > 0 && top < innerHeight) look();
}
if (screen) setInterval(turn, TURN_MS);

function moment(state, before) {
  where(state);
  hear(state, before);
  attr(card, "data-phase", state.phase);
  put($(".phase b"), phaseName(state));
  put($(".phase span"), next(state));
  const changed = verdict(card, state, { reserve: Boolean($("#noses")) && state.touched && state.rows.length > 0 });
  if (changed && before && ["verdict", "dead-heat", "void", "won"].includes(state.phase)) {
    card.classList.remove("fresh");
    void card.offsetWidth; // begin the movement anew
    card.classList.add("fresh");
  }
  attr($("#players"), "hidden", !state.rows.length);
  $("#players .players").classList.toggle("many", state.rows.length > 8);
  players($("#players .players"), state.rows, lastSeats(state), state.watched ? state.lamps : []);
  attr($("#advice"), "hidden", !advice($("#advice .advice"), state));
  attr($("#advice h2"), "hidden", !state.watched && !state.advice?.sentences.length);
  attr($("#rules"), "href", state.game ? `/help/${encodeURIComponent(state.game)}` : null);
  parts(state, send);
  questions(state);
  steps($("#steps"), state.steps, send);
  attr($("#main"), "data-asks", state.waits && state.steps.length ? "yes" : null);
  show(state);
  attr($("#welcome"), "hidden", state.phase !== "setup");
  if (screen && state.version !== before?.version) picture ||= setTimeout(look, PICTURE_MS);
}

/** Show what is asked for a while, and put it among what the host may do when that is over. */
function questions(state) {
  prompts($("#asked"), state, send, () => {
    questions(live.state);
    show(live.state);
  });
}

function next(state) {
  if (!["verdict", "dead-heat", "void"].includes(state.phase)) return null;
  if (state.waits) return t("the table has a question");
  if (state.rearms_in_ns === null) return t("“Next round” arms the noses");
  return t("arms itself after {n} s at rest", { n: state.rearms_in_ns / 1e9 });
}

begin();
switches($("#ears"));
$("#owner")?.addEventListener("submit", async (event) => {
  event.preventDefault();
  try {
    const kept = await ask("/api/v1/phone", { body: { name: $("#owner-name").value } });
    $("#owner-name").value = kept.name;
    say(kept.name ? t("From now on this is {name}’s.", { name: kept.name }) : t("From now on this is nobody’s."), 4000);
  } catch (refusal) {
    say(refusal.message);
  }
});
live.follow(moment);
