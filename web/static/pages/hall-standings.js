// @ts-check
// The whole list, to read and to print.
import { $, attr, h, match, put } from "../lib/dom.js";
import { live } from "../lib/hall-page.js";
import { points } from "../lib/words.js";

live.follow((screen) => {
  attr($("#none"), "hidden", Boolean(screen.standings?.length));
  match(
    $("#lines"),
    screen.standings ?? [],
    (one) => one.entrant,
    () => h("tr", {}, h("td"), h("th", { scope: "row" }, h("bdi"), " ", h("small")), h("td"), h("td"), h("td")),
    (row, one) => {
      const [place, , won, rounds, decided] = row.children;
      put(place, one.place ?? "–");
      put($("bdi", row), one.name);
      put($("small", row), one.club ?? "");
      put(won, points(one.points));
      put(rounds, one.rounds);
      put(decided, one.decided ?? "");
    },
  );
});
$("#print").addEventListener("click", () => print());
