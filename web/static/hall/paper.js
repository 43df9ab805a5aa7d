// @ts-check
// To be printed: names in any script can be read, and the button does what the browser's menu does.
import { $ } from "../lib/dom.js";
import { ems } from "../lib/fit.js";
import { readable } from "../lib/names.js";

written();

/** What stands on the paper is other than before: let its names be read, and be as large as they fit. */
export function written() {
  readable([document.body.textContent ?? ""]).then(fit);
  fit();
}

/** Tell every heading how wide it is. All are measured before the first is told, or it takes minutes for thousands. */
function fit() {
  const names = [...document.querySelectorAll("h2")];
  const wide = names.map((name) => ems(name, name.textContent?.trim() ?? "").toFixed(2));
  for (const [n, name] of names.entries()) name.style.setProperty("--ems", wide[n]);
}
$("#print").addEventListener("click", () => print());
