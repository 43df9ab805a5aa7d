// @ts-check
// To be printed: names in any script can be read, and the button does what the browser's menu does.
import { $ } from "../lib/dom.js";
import { ems } from "../lib/fit.js";
import { readAlong, readable } from "../lib/names.js";

readAlong();
readable([]).then(fit);
fit();

/** Tell every heading how wide it is, so that names are as large as they fit. */
function fit() {
  for (const name of document.querySelectorAll("h2"))
    name.style.setProperty("--ems", ems(name, name.textContent?.trim() ?? "").toFixed(2));
}
$("#print").addEventListener("click", () => print());
