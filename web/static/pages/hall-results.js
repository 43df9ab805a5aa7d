// @ts-check
// The results by rounds, tables and prizes: the list of this moment, and a name to look for.
import { follow } from "../hall/live-paper.js";
import { $$ } from "../lib/dom.js";

/** Show only the lines of the matrix that name who is looked for. */
function look() {
  const search = /** @type {HTMLInputElement | null} */ (document.querySelector("#search"));
  if (!search) return;
  const wanted = search.value.trim().toLocaleLowerCase();
  for (const line of $$(".matrix tbody tr"))
    line.hidden = !(line.textContent ?? "").toLocaleLowerCase().includes(wanted);
}

document.addEventListener("input", look);
follow(look);
