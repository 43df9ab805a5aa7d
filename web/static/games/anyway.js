// @ts-check
// What the table said cannot be, written all the same: with a reason, which stays with it.
import { attr, h } from "../lib/dom.js";
import { t } from "../lib/words.js";

/**
 * Offer in *root* to write the *move* that was refused; *write(why)* does it.
 *
 * @param {HTMLElement} root
 * @param {Page.Move} move
 * @param {(why: string) => unknown} write
 */
export function offerAnyway(root, move, write) {
  root.dataset.move = JSON.stringify(move);
  attr(root, "hidden", false);
  const why = h("input", {
    type: "text",
    maxlength: 80,
    autocomplete: "off",
    "aria-label": t("Why it is right"),
    placeholder: t("Why it is right"),
  });
  const go = /** @type {HTMLButtonElement} */ (
    h("button", { type: "button", disabled: true, click: () => write(why.value.trim()) }, t("Write it all the same"))
  );
  why.addEventListener("input", () => {
    go.disabled = !why.value.trim();
  });
  why.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    event.stopPropagation(); // Enter in another field of the form writes what was refused
    go.click();
  });
  root.replaceChildren(why, go);
}

/**
 * Offer it no more once what would be written is not *move*.
 *
 * @param {HTMLElement} root
 * @param {Page.Move} move
 */
export function stillOffered(root, move) {
  if (root.dataset.move !== JSON.stringify(move)) attr(root, "hidden", true);
}
