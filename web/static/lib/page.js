// @ts-check
// What every page has: the live state, the note of a lost stream, notes of what went wrong, the name of the moment.
import { Refused, reason } from "./api.js";
import { $$, attr, h, maybe, put, sentences } from "./dom.js";
import { faults } from "./faults.js";
import { Live } from "./live.js";
import { readAlong } from "./names.js";
import { followUpdates } from "./newer.js";
import { notes, say as saying, sent, watchLost } from "./notes.js";
import { t } from "./words.js";

const NARROW = matchMedia("(max-width: 47.99rem)");
/** What the document hears when a part of the page has come, or has more to do. */
export const PARTED = "parted";
/** @type {Live<Api.Snapshot>} */
export const live = new Live();
watchLost(live);
followUpdates(live);
if (document.body) {
  readAlong();
  // The page for when the table does not answer is kept when this one is there.
  if (isSecureContext) addEventListener("load", () => navigator.serviceWorker?.register("/sw.js").catch(() => {}));
}

// What this device may do has changed: the page is another one. A host sees who asks for a seat.
const mine = document.body?.dataset.role;
let asking = false;
live.onYou = async (role, _version, asked) => {
  if (mine && role !== mine) return location.reload();
  const shows = asked || asking; // once more when nobody asks any longer
  asking = asked;
  if (shows && role === "host" && notes) (await import("./asking.js")).show(/** @type {HTMLElement} */ (notes));
};

/** Show a sentence above the page; it goes by itself. */
export const say = saying;

/**
 * Run *work*; say why if it was refused. Return whether it went through, null where a rule of the game forbids it.
 *
 * @param {() => Promise<Api.Snapshot>} work
 */
export async function attempt(work) {
  try {
    live.take(await work());
    sent();
    return true;
  } catch (refusal) {
    say(reason(refusal));
    return refusal instanceof Refused && refusal.rule ? null : false;
  }
}

/**
 * Say in the bar which game and round it is, and lead to a nose only where noses are touched.
 *
 * @param {Api.Snapshot} state
 */
export function where(state) {
  const which = [
    state.game_no > 1 && !NARROW.matches ? t("Game {n}", { n: state.game_no }) : null,
    state.round_no ? t("Round {n}", { n: state.round_no }) : null,
  ].flatMap((one) => (one ? ` · ${one}` : []));
  const place = maybe(".where");
  if (place && place.textContent !== state.title + which.join(""))
    place.replaceChildren(h("span", {}, state.title), ...which);
  const pill = maybe(".pill.simulated");
  if (pill) {
    attr(pill, "hidden", !state.simulated || !state.watched || !state.rows.length); // a sheet is a sheet
    const { drivable } = document.body.dataset;
    if (drivable === "no") put(pill, t("Simulated"));
    else if (state.all_on_phones) put(pill, t("Phones"));
    else put(pill, t("On a page"));
  }
  const without = state.rows.length > 0 && !(state.watched && state.touched);
  for (const way of $$(".bar .mine, .foot [href='/nose']")) attr(way, "hidden", without);
  const list = maybe(".faults");
  if (list) faults(list, state.faults ?? []);
  if (!maybe("#setup")) fair(state.on_phones); // there it is the game that is chosen
}

/**
 * Say what phones mean for who is first, wherever one chooses them.
 *
 * @param {readonly string[]} lines
 */
export function fair(lines) {
  for (const list of $$(".fair")) {
    sentences(list, lines);
    attr(list, "hidden", !lines.length);
  }
}
