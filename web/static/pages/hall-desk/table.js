// @ts-check
// One table at the desk: who sits there, what it says, and its result by hand.
import { textIn } from "../../lib/dialogs.js";
import { $, attr, h, modal, put } from "../../lib/dom.js";
import { live, wish } from "../../lib/hall-page.js";
import { t } from "../../lib/words.js";
import { appeal } from "./appeal.js";

/**
 * Show table *number*.
 *
 * @param {number} number
 */
export function table(number) {
  const found = (live.state.tables ?? []).find((one) => one.number === number);
  if (!found) return;
  const dialog = modal("#table-dialog");
  const seats = found.seats ?? [];
  const round = (live.state.rounds ?? []).filter((one) => one.called).at(-1)?.number ?? 0;
  put($("#table-title"), t("Table {n}", { n: number }));
  const worries = (live.state.todos ?? []).filter((one) => one.kind === "refused" && one.number === number);
  put($("#table-says"), [found.says, ...worries.flatMap((one) => [one.says, one.why])].filter(Boolean).join(" "));
  $("#table-seats").replaceChildren(
    ...seats.map((seat, i) =>
      h(
        "li",
        {},
        h("i", {}, String(i + 1)),
        h("bdi", {}, seat.name),
        h(
          "b",
          {},
          seat.winner ? t("won") : seat.out ? t("out") : seat.last ? t("was last") : seat.here ? t("here") : "",
        ),
      ),
    ),
  );
  const typed = $("#typed");
  attr(typed, "hidden", !seats.length);
  $(".places", typed).replaceChildren(
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
          class: "short",
        }),
      ),
    ),
  );
  dialog.returnValue = "";
  dialog.onclose = async () => {
    const form = new FormData(/** @type {HTMLFormElement} */ ($("form", dialog)));
    if (dialog.returnValue === "typed") await type(form, seats, round, number);
    else if (dialog.returnValue === "untyped")
      await wish({ type: "type-result", round, number, places: [], reason: "" });
    else if (dialog.returnValue === "appeal" && found.verdict) {
      const about = { kind: "appeal", number, says: "", round, entry: found.verdict, table: found.id };
      await appeal(about);
    } else if (dialog.returnValue === "out") await wish({ type: "put-out", number });
  };
  dialog.showModal();
}

/**
 * @param {FormData} form
 * @param {Hall.HallSeat[]} seats
 * @param {number} round
 * @param {number} number
 */
async function type(form, seats, round, number) {
  /** @type {Map<number, number[]>} */
  const places = new Map();
  for (const seat of seats) {
    const place = Number(textIn(form, `place-${seat.entrant}`) || 0);
    if (place) places.set(place, [...(places.get(place) ?? []), seat.entrant]);
  }
  const groups = [...places].sort(([one], [other]) => one - other).map(([, who]) => who);
  await wish({ type: "type-result", round, number, places: groups, reason: textIn(form, "reason") });
}
