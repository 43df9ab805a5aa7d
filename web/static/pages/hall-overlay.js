// @ts-check
// One thing on a transparent ground, for a picture that is mixed elsewhere.
import { look, roundTable } from "../hall/round-table.js";
import { $, h, match, put } from "../lib/dom.js";
import { live } from "../lib/hall-page.js";
import { points } from "../lib/words.js";

const LISTED = 10;
const { shown, scale } = $("main").dataset;
$("main").style.setProperty("--scale", scale ?? "1");

live.follow((screen) => {
  $("h1").classList.toggle("unseen", shown !== "headline");
  put($("h1"), screen.says || screen.headline);
  match(
    $("ol"),
    shown === "standings" ? (screen.standings ?? []).slice(0, LISTED) : [],
    (one) => one.entrant,
    () => h("li", {}, h("i"), h("bdi"), h("b")),
    (line, one) => {
      put($("i", line), one.place ?? "–");
      put($("bdi", line), one.name);
      put($("b", line), points(one.points));
    },
  );
  match(
    $("ul"),
    shown === "tables" ? (screen.tables ?? []) : [],
    (one) => `${one.id} ${JSON.stringify([one.state, one.appeal, one.there, one.seats])}`,
    (one) => h("li", { class: look(one) }, roundTable(one)),
  );
});
