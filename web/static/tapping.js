// Pieces to tap, each as often as it is there: cards stand by suit, tiles as they come.
import { attr, h, match, put } from "./dom.js";
import { piece } from "./pieces.js";

const SUITS = ["S", "H", "D", "C"];

/** Draw *names* (each once) into *grid*, *drawn* as "tiles" or "cards"; *says(name)* has {taken, more}, *tap(name)* is called. */
export function tapping(grid, names, drawn, says, tap) {
  grid.className = `en-pieces ${drawn}`;
  const rows = drawn === "cards" ? SUITS.map((suit) => names.filter((name) => name.endsWith(suit))) : [names];
  match(grid, rows, (_, i) => i, () => h("div"), (row, some) =>
    match(row, some, (name) => name, (name) => h("button", { type: "button", class: "en-piece" }, piece(name, drawn), h("b", { "aria-hidden": "true" })), (button, name) => {
      const { taken, more } = says(name);
      const [picture, count] = button.children;
      const times = taken > 1 ? `×${taken}` : "";
      attr(picture, "aria-hidden", "true");
      attr(button, "aria-label", [picture.getAttribute("aria-label"), more, times].filter(Boolean).join(", "));
      attr(button, "aria-pressed", String(taken > 0));
      put(count, times);
      button.onclick = () => tap(name);
    }));
}

/** Return *taken* after a tap on *name*: one more while there are more *there*, else none of it. */
export function tapped(taken, name, there) {
  const so_far = taken.filter((one) => one === name).length;
  return so_far < there ? [...taken, name] : taken.filter((one) => one !== name);
}
