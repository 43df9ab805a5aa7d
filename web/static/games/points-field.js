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

/** Whether a keypad of the page's own is there (as `.se-keys` is): a phone's would lie over the page. */
export const onKeypad = () => matchMedia("(pointer: coarse) and (max-width: 61.99rem)").matches;

/**
 * Return keys that write into *field*, and then call *changed*; the phone's own stay away.
 *
 * @param {HTMLInputElement} field
 * @param {() => void} changed
 */
export function keypad(field, changed) {
  if (onKeypad()) field.inputMode = "none";
  const key = (/** @type {string} */ sign, /** @type {() => string} */ words, /** @type {string} */ name = sign) =>
    h(
      "button",
      {
        type: "button",
        "aria-label": name,
        click: () => {
          field.value = words();
          changed();
        },
      },
      sign,
    );
  const digit = (/** @type {number} */ n) =>
    key(`${n}`, () => (field.value === "0" ? `${n}` : `${field.value}${n}`.slice(0, field.maxLength)));
  return h(
    "div",
    { class: "se-keys" },
    ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map(digit),
    key(
      "±",
      () => (pointsIn(field.value) ? trueMinus(-Number(pointsIn(field.value))) : field.value),
      t("Plus or minus"),
    ),
    digit(0),
    key("⌫", () => field.value.slice(0, /^[−-]\d$/.test(field.value) ? 0 : -1), t("Delete the last digit")),
  );
}
