// @ts-check
// A table from above: a filled seat plays, a hollow one is out, red was last just now; a filled table has a result.
import { s } from "../lib/dom.js";

const RING = 43;
const SEAT = 6.2;
const TOP = 33;

/**
 * Draw *table* in a box of 100 by 100.
 *
 * @param {Hall.TablePicture} table
 */
export function roundTable(table) {
  const seats = table.seats ?? [];
  const done = table.state === "counts" || table.state === "typed";
  const circles = seats.map((seat, i) => {
    const angle = (2 * Math.PI * i) / seats.length - Math.PI / 2;
    const kind = seat.last && !done ? "s l" : done ? (seat.winner ? "s" : "s o") : seat.out ? "s o" : "s";
    return s("circle", {
      class: kind,
      cx: (50 + RING * Math.cos(angle)).toFixed(1),
      cy: (50 + RING * Math.sin(angle)).toFixed(1),
      r: SEAT,
    });
  });
  return s(
    "svg",
    { class: "rt", viewBox: "0 0 100 100", "aria-hidden": "true" },
    s("circle", { class: "top", cx: 50, cy: 50, r: TOP }),
    ...circles,
    s("text", { x: 50, y: 61.5, "font-size": 33, "font-weight": 750, "text-anchor": "middle" }, String(table.number)),
  );
}

/**
 * Return the class of *table* in a list: done, held (an appeal), away or play.
 *
 * @param {Hall.TablePicture} table
 */
export function look(table) {
  if (table.appeal) return "held";
  if (table.state === "counts" || table.state === "typed") return "done";
  return table.there || table.archived ? "play" : "away";
}
