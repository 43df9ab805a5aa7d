// What a game with noses needs, and comes with the first of them: the photo finish, noses to tap, the rack.
import { $, attr } from "./dom.js";
import "./photo-finish.js";
import { live, say } from "./frame.js";
import { Noses } from "./noses.js";
import { RackBox } from "./rack.js";

const box = $("#noses .noses");
const noses = box ? new Noses(box, (refusal) => say(refusal.message)) : null;
const rack = new RackBox($("#rack .rack"), noses && ((line, level, stamp_ms) => noses.drive(line, level, stamp_ms)));
const lay = $("#lay-back");

/** Show noses and rack as they are in *state*, a state of a game that watches noses. */
export function race(state) {
  attr($("#rack"), "hidden", !state.rack.length);
  rack.show(state);
  if (lay) attr(lay, "hidden", state.phase === "judging" || !rack.anyLifted);
  if (!noses) return;
  attr($("#noses"), "hidden", !state.rows.length || !state.touched);
  noses.show(state.rows, state.phase === "judging", state.lamps);
}

lay?.addEventListener("click", (event) => rack.layBack(event.timeStamp));
noses?.start();
live.watch((connected) => connected && noses?.clock.tell());
addEventListener("resize", () => live.state.watched && race(live.state));
