// @ts-check
// A field for points, on a phone's keys for numbers: with either minus, which not every phone's keys have.
import { h } from "../lib/dom.js";
import { t, trueMinus } from "../lib/words.js";

const WHOLE = /^[+\-−]?\d+$/;

/**
 * Return the field; *props* are attributes of its own.
 *
 * @param {Page.Props} [props]
 */
export const pointsField = (props) =>
  h("input", { type: "text", class: "short", inputmode: "numeric", autocomplete: "off", maxlength: 12, ...props });

/**
 * Return the points that *words* say: null when nothing is said, NaN when it is no whole number.
 *
 * @param {string} words
 */
export function pointsIn(words) {
  const said = words.replace(/\s/g, "");
  if (!said) return null;
  return WHOLE.test(said) ? Number(said.replace("−", "-")) || 0 : NaN;
}

/**
 * Return what makes a minus of the plus in *field*, and the other way round, and then calls *changed*.
 *
 * @param {HTMLInputElement} field
 * @param {() => void} changed
 */
export function turning(field, changed) {
  const button = h("button", { type: "button", class: "icon", "aria-label": t("Plus or minus"), hidden: true }, "±");
  button.addEventListener("click", () => {
    const points = pointsIn(field.value);
    if (points) field.value = trueMinus(-points);
    field.focus();
    changed();
  });
  return button;
}
