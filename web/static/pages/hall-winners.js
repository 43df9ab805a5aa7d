// @ts-check
// To be printed: the button does what the browser's menu does.
import { $ } from "../lib/dom.js";

$("#print").addEventListener("click", () => print());
