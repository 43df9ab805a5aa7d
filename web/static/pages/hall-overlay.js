// @ts-check
// One thing on a transparent ground, for a picture that is mixed elsewhere.
import { look, roundTable } from "../hall/round-table.js";
import { $, attr, h, match, put } from "../lib/dom.js";
import { live } from "../lib/hall-page.js";
import { overlay } from "../lib/overlay.js";
import { points } from "../lib/words.js";

const LISTED = 10;
const [WIDE, SMALL, STEP] = [4, 1, 0.25]; // of a table, in ems
const { shown, quiet } = $("main").dataset;
overlay(live);

/** Let all tables stand in the picture, however many there are. */
function fitTables() {
  const { style } = $("ul");
  for (let wide = WIDE; wide >= SMALL; wide -= STEP) {
    style.setProperty("--table", `${wide}em`);
    if (document.documentElement.scrollHeight <= innerHeight) return;
  }
}
addEventListener("resize", fitTables);

live.follow((screen) => {
  put($("h1"), screen.headline);
  const told = quiet === undefined ? (screen.says ?? "") : "";
  put($(".told"), told);
  attr($(".told"), "hidden", !told);
  $("h1").classList.toggle("unseen", shown !== "headline" || told !== "");
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
    (one) => `${one.number} ${JSON.stringify([one.state, one.appeal, one.there, one.seats])}`,
    (one) => h("li", { class: look(one) }, roundTable(one)),
  );
  fitTables();
});
