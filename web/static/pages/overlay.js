// @ts-check
// The verdict, or who stands where, on a transparent ground: for a picture that is mixed elsewhere.
import "../photo-finish/photo-finish.js";
import { letters } from "../games/rows.js";
import { verdict } from "../games/verdict.js";
import { $, attr, firstIn, h, lastIn, match, put } from "../lib/dom.js";
import { overlay } from "../lib/overlay.js";
import { live } from "../lib/page.js";

const { shown } = $("main").dataset;
overlay(live);

live.follow((state) => {
  verdict($(".verdict"), state);
  const decided = ["verdict", "dead-heat", "won"].includes(state.phase);
  attr($("photo-finish"), "hidden", !decided || !state.finish || null);
  match(
    $("ol"),
    shown === "standings" ? [...state.rows].sort((a, b) => a.place - b.place || a.seat - b.seat) : [],
    (row) => row.seat,
    () => h("li", {}, h("i"), h("bdi"), h("b")),
    (item, row) => {
      put(firstIn(item), row.place || ""); // letters have no places
      put($("bdi", item), row.player);
      if (row.score === null) letters(lastIn(item), row);
      else put(lastIn(item), row.score);
      item.classList.toggle("last", state.last.includes(row.seat));
      item.classList.toggle("out", row.out && !row.winner);
      item.classList.toggle("won", row.winner);
    },
  );
});
