// @ts-check
// To be printed: names in any script can be read, and the button does what the browser's menu does.
import { $ } from "../lib/dom.js";
import { readable } from "../lib/names.js";

readable([...document.querySelectorAll("bdi")].map((name) => name.textContent ?? ""));
$("#print").addEventListener("click", () => print());
