// @ts-check
// One table at the desk: who sits there, what it says, and the result of each of its games by hand.
import { ask, reason, turns } from "../../lib/api.js";
import { asking, confirmed, textIn } from "../../lib/dialogs.js";
import { $, attr, h, input, modal, put } from "../../lib/dom.js";
import { LONG_MS, live, orderFromNow, say, wish } from "../../lib/hall-page.js";
import { points, t } from "../../lib/words.js";
import { appeal } from "./appeal.js";
import { invite } from "./invite.js";

// What a table's dialog repeats of the things that need somebody.
const TOLD = ["refused", "open", "twice", "idle", "left"];

/**
 * Show table *number*, with its game of round *asked*: 0 for the one that it plays.
 *
 * @param {number} number
 * @param {number} [asked]
 */
export function table(number, asked = 0) {
  const dialog = modal("#table-dialog");
  const found = (live.state.tables ?? []).find((one) => one.number === number);
  const played = (live.state.rounds ?? []).filter((one) => one.called && at(number, one.number).length);
  const choice = /** @type {HTMLSelectElement} */ ($("[name=round]", dialog));
  choice.replaceChildren(...played.map((one) => h("option", { value: one.number }, one.title)));
  choice.value = String(asked || found?.round || (played.at(-1)?.number ?? ""));
  attr($("#table-round"), "hidden", played.length < 2);
  const round = () => Number(choice.value);
  choice.onchange = () => game(found, number, round());
  game(found, number, round());
  const worries = (live.state.todos ?? []).filter((one) => one.number === number && TOLD.includes(one.kind));
  put($("#table-title"), t("Table {n}", { n: number }));
  put($("#table-says"), [found?.says, ...worries.flatMap((one) => [one.says, one.why])].filter(Boolean).join(" "));
  attr($("[value=out]", dialog), "hidden", !found || found.inside === false);
  attr($("[value=invite]", dialog), "hidden", found !== undefined && found.inside !== false);
  input("[name=reason]", dialog).value = "";
  dialog.onclose = () => follow(dialog.returnValue, found, number, round());
  const order = orderFromNow();
  asking(dialog, async (form) => {
    const { says } = await order({
      type: "type-result",
      round: round(),
      number,
      places: places(form, seatsOf(found, number, round())),
      reason: textIn(form, "reason"),
    });
    if (says) say(says, LONG_MS);
  });
}

/**
 * Do what was chosen instead of a result.
 *
 * @param {string} chosen
 * @param {Hall.TablePicture | undefined} found
 * @param {number} number
 * @param {number} round
 */
async function follow(chosen, found, number, round) {
  if (chosen === "untyped") await wish({ type: "type-result", round, number, places: [], reason: "" });
  else if (chosen === "invite") await invite();
  else if (chosen === "appeal" && found?.verdict)
    await appeal({ kind: "appeal", number, says: "", round, entry: found.verdict, table: found.judged_by });
  else if (chosen === "out") {
    if (await confirmed(modal("#out-dialog"))) await wish({ type: "put-out", number });
  }
}

/**
 * Return who sat at table *number* in *round*.
 *
 * @param {number} number
 * @param {number} round
 */
function at(number, round) {
  return (live.state.people ?? []).filter((one) => (one.tables ?? [])[round - 1] === number);
}

/**
 * Return the seats of table *number* in *round*: as it shows them if it plays that, else as the list has them.
 *
 * @param {Hall.TablePicture | undefined} found
 * @param {number} number
 * @param {number} round
 * @returns {Hall.HallSeat[]}
 */
function seatsOf(found, number, round) {
  if (found?.round === round) return found.seats ?? [];
  return at(number, round).map(({ entrant, name }) => ({ entrant, name }));
}

/**
 * Show the game of *round*: its people, and what was typed of it.
 *
 * @param {Hall.TablePicture | undefined} found
 * @param {number} number
 * @param {number} round
 */
function game(found, number, round) {
  const dialog = modal("#table-dialog");
  const seats = seatsOf(found, number, round);
  const typed = new Map(at(number, round).map((one) => [one.entrant, (one.typed ?? [])[round - 1] || ""]));
  sheet(number, round);
  attr($("#table-seats"), "hidden", found?.round !== round); // else in which seat they sat is not known here
  $("#table-seats").replaceChildren(
    ...seats.map((seat, i) =>
      h("li", {}, h("i", {}, String(i + 1)), h("bdi", {}, seat.name), h("b", {}, stands(seat))),
    ),
  );
  $(".places", dialog).replaceChildren(
    ...seats.map((seat) =>
      h(
        "label",
        { class: "field" },
        h("bdi", {}, seat.name),
        h("input", {
          type: "number",
          name: `place-${seat.entrant}`,
          min: "1",
          max: String(seats.length),
          value: String(typed.get(seat.entrant) ?? ""),
          class: "short",
          required: true,
        }),
      ),
    ),
  );
  attr($("#typed"), "hidden", !seats.length);
  attr($("[value=yes]", dialog), "hidden", !seats.length);
  attr($("[value=untyped]", dialog), "hidden", ![...typed.values()].some(Boolean));
  attr($("[value=appeal]", dialog), "hidden", !found?.verdict || found.round !== round);
}

const turn = turns();

/**
 * Show what the game of *round* has come to, and what each place rests on; nothing of one without a result.
 *
 * @param {number} number
 * @param {number} round
 */
async function sheet(number, round) {
  const box = $("#table-sheet");
  attr(box, "hidden", true);
  const isNewest = turn();
  if (!round) return;
  try {
    /** @type {Hall.TableSheet} */
    const found = await ask(`/api/v1/hall/sheet?round=${round}&number=${number}`);
    if (!isNewest()) return;
    const lines = (found.lines ?? []).filter((one) => one.place);
    $("tbody", box).replaceChildren(
      ...lines.map((one) =>
        h(
          "tr",
          {},
          h("td", {}, String(one.place)),
          h("th", { scope: "row" }, h("bdi", {}, one.name)),
          h("td", {}, points(one.points ?? 0)),
          h("td", {}, one.why ?? ""),
        ),
      ),
    );
    attr(box, "hidden", !lines.length);
    if (lines.length) attr($("#table-seats"), "hidden", true); // the sheet says more
  } catch (refusal) {
    say(reason(refusal));
  }
}

/** @param {Hall.HallSeat} seat */
function stands(seat) {
  return seat.winner ? t("won") : seat.out ? t("out") : seat.here ? t("here") : "";
}

/**
 * Return who came where, as groups that share a place, the best first.
 *
 * @param {FormData} form
 * @param {Hall.HallSeat[]} seats
 */
function places(form, seats) {
  /** @type {Map<number, number[]>} */
  const found = new Map();
  for (const seat of seats) {
    const place = Number(textIn(form, `place-${seat.entrant}`));
    found.set(place, [...(found.get(place) ?? []), seat.entrant]);
  }
  return [...found].sort(([one], [other]) => one - other).map(([, who]) => who);
}
