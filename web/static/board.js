// The projector: the verdict full screen for some seconds, then the standings. Nothing to click.
import { $, attr } from "./dom.js";
import "./photo-finish.js";
import { hear } from "./ears.js";
import { live, where } from "./frame.js";
import { lastSeats, players } from "./rows.js";
import { steps } from "./steps.js";
import { verdict } from "./verdict.js";

const VERDICT_MS = 9000;
const MOST_ROWS = 13;
const board = $("#board");
const told = $(".b-verdict");
let timer = 0;

function show(name) {
  attr(board, "data-show", name);
}

function moment(state, before) {
  where(state);
  hear(state, before);
  const decided = ["verdict", "dead-heat", "void", "won"].includes(state.phase);
  const changed = verdict(told, state);
  const list = $(".b-rows");
  const columns = state.rows.length > MOST_ROWS ? 2 : 1;
  list.style.setProperty("--rows", Math.max(1, Math.ceil(state.rows.length / columns)));
  list.classList.toggle("two", columns === 2);
  players(list, state.rows, lastSeats(state), state.watched ? state.lamps : []);
  steps($(".b-steps"), state.steps, null);
  const asks = state.waits && state.steps.length > 0;
  if (asks) {
    clearTimeout(timer);
    show("steps");
  } else if (!state.rows.length) show("verdict");
  else if (!decided) {
    clearTimeout(timer);
    show("standings");
  } else if (changed && before) {
    clearTimeout(timer);
    show("verdict");
    told.classList.remove("land");
    void told.offsetWidth;
    told.classList.add("land");
    timer = setTimeout(() => show("standings"), VERDICT_MS);
  } else if (!before) show("standings");
}

live.follow(moment);
