// The live table: the verdict, the players, the deck, the noses, the host.
import { $, attr, h, put } from "./dom.js";
import "./photo-finish.js";
import { advice } from "./advice.js";
import { ask } from "./api.js";
import { prompts } from "./asked.js";
import { hear, switches } from "./ears.js";
import { begin, move, show } from "./controls.js";
import { live, say, where } from "./frame.js";
import { Noses } from "./noses.js";
import { pad } from "./pad.js";
import { RackBox } from "./rack.js";
import { lastSeats, players } from "./rows.js";
import { steps } from "./steps.js";
import { phaseName, verdict } from "./verdict.js";
import { t } from "./words.js";

const card = $("#verdict");
const box = $("#noses .noses");
const noses = box ? new Noses(box, (refusal) => say(refusal.message)) : null;
const rack = new RackBox($("#rack .rack"), noses && ((line, level, stamp_ms) => noses.drive(line, level, stamp_ms)));
const send = document.body.dataset.control === "yes" ? move : null;
const RUNNING = new Set(["judging"]);

const screen = $("img.oled");
const PICTURE_MS = 150; // the small screen draws a moment later, too
let picture = 0;

function look() {
  picture = 0;
  screen.src = `/oled.png?v=${live.state.version}`;
}

let paper = null; // what draws sheets comes with the first of them
const styled = (name) => new Promise((ready) => document.head.append(h("link", { rel: "stylesheet", href: `/static/${name}`, load: ready, error: ready })));

async function written(state) {
  if (!state.sheet) for (const id of ["consult", "tokens", "entry", "sheet"]) attr($(`#${id}`), "hidden", true);
  else {
    const first = !paper;
    paper ??= Promise.all([import("./entry.js"), import("./sheet.js"), import("./tokens.js"), import("./consult.js"), styled("sheet.css"), styled("consult.css")]);
    const [{ entry, correct }, { printing, sheet }, { tokens }, { consult }] = await paper;
    if (first) printing($("#sheet"));
    if (live.state !== state) return;
    entry($("#entry"), state, send);
    tokens($("#tokens"), state, send);
    consult($("#consult"), state);
    sheet($("#sheet"), state, send && correct);
  }
}

function moment(state, before) {
  where(state);
  hear(state, before);
  attr(card, "data-phase", state.phase);
  put($(".phase b"), phaseName(state));
  put($(".phase span"), next(state));
  const changed = verdict(card, state, { reserve: Boolean(noses) && state.watched && state.rows.length > 0 });
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
  pad($("#pad"), state, send);
  written(state);
  questions(state);
  steps($("#steps"), state.steps, send);
  attr($("#main"), "data-asks", state.waits && state.steps.length ? "yes" : null);
  show(state);
  attr($("#welcome"), "hidden", state.phase !== "setup");
  attr($("#rack"), "hidden", !state.rack.length);
  rack.show(state);
  const lay = $("#lay-back");
  if (lay) attr(lay, "hidden", state.phase === "judging" || !rack.anyLifted);
  if (noses) {
    attr($("#noses"), "hidden", !state.rows.length || !state.watched);
    if (state.watched) noses.show(state.rows, RUNNING.has(state.phase), state.lamps);
  }
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
$("#lay-back")?.addEventListener("click", (event) => rack.layBack(event.timeStamp));
live.follow(moment);
noses?.start();
live.watch((connected) => connected && noses?.clock.tell());
addEventListener("resize", () => live.state.watched && noses?.show(live.state.rows, RUNNING.has(live.state.phase), live.state.lamps));
