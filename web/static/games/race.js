// @ts-check
// What a game with noses needs, and comes with the first of them: the photo finish, noses to tap, the rack.
import { $, $$, attr, maybe, put } from "../lib/dom.js";
import "../photo-finish/photo-finish.js";
import { live, PARTED, say } from "../lib/page.js";
import { tappable, wires } from "../lib/taps.js";
import { t } from "../lib/words.js";
import { Noses } from "./noses.js";
import { RackBox } from "./rack.js";

const box = maybe("#noses .noses");
const noses = box ? new Noses(box, (refusal) => say(refusal.message), elsewhere) : null;
const SAID_MS = 4000;
let refused = ""; // what was said just now below the noses
/** @type {ReturnType<typeof setTimeout> | undefined} */
let said;
/** @type {Page.Drive | null} */
const drive = noses && !wires ? (line, level, stamp_ms) => noses.drive(line, level, stamp_ms) : null;
const rack = new RackBox($("#rack .rack"), drive);

/**
 * Show noses and rack as they are in *state*, a state of a game that watches noses.
 *
 * @param {Api.Snapshot} state
 */
export function race(state) {
  attr($("#rack"), "hidden", !state.rack.length);
  rack.show(state);
  $("#rack").classList.toggle("lacks", drive !== null && state.stage !== "running" && rack.anyLifted);
  if (!noses) return;
  attr($("#noses"), "hidden", !state.rows.some((row) => tappable(row.line)) || !state.touched);
  const { first, last } = state;
  noses.root.classList.toggle("was-first", first.length > 0);
  noses.show(state.rows, state.phase, state.lamps, [...first, ...last], state.phones);
  below(state);
}

/**
 * Write the line below the noses: what was refused just now, else what one sees of an armed table.
 *
 * @param {Api.Snapshot} state
 */
function below(state) {
  const line = $("#noses .free");
  attr(line, "role", refused ? "status" : null);
  put(line, refused || (state.phase === "armed" ? t("Filled noses count.") : ""));
}

/**
 * Say below the noses, beside the finger and away from the verdict, that a nose is touched elsewhere.
 *
 * @param {Error} refusal
 */
function elsewhere(refusal) {
  refused = refusal.message;
  below(live.state);
  clearTimeout(said);
  said = setTimeout(() => {
    refused = "";
    below(live.state);
  }, SAID_MS);
}

for (const lay of $$("[data-do=lay]"))
  lay.addEventListener("click", ({ timeStamp }) => {
    if (lay.ariaDisabled === "true") return;
    rack.layBack(timeStamp);
    document.dispatchEvent(new Event(PARTED)); // the table need not say so: between rounds it does not look
  });
live.watch((connected) => connected && noses?.tell());
addEventListener("resize", () => live.state.watched && race(live.state));
