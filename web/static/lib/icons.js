// @ts-check
// Signs of suits in a sentence, drawn: a phone may lack them, or show them as toys.
import { SUITS } from "./cards.js";
import { h, s } from "./dom.js";

/** @type {Record<string, string>} */
const LETTER = { "♠": "S", "♥": "H", "♦": "D", "♣": "C" };
const SIGN = /([♠♥♦♣])\ufe0f?/u;

/**
 * Return a suit as a small picture the size of a letter.
 *
 * @param {string} suit
 */
export function sign(suit) {
  return s(
    "svg",
    { viewBox: "0 0 24 24", class: `sign ${suit === "H" || suit === "D" ? "redsuit" : ""}`, "aria-hidden": "true" },
    s("path", { d: SUITS[suit] }),
  );
}

/**
 * Make *element* say *words*, with its suits drawn; touch nothing when it says so already.
 *
 * @param {HTMLElement} element
 * @param {string | null | undefined} words
 */
export function say(element, words) {
  const next = words ?? "";
  if (element.dataset.says === next) return;
  element.dataset.says = next;
  const parts = next.split(SIGN);
  element.replaceChildren(
    ...parts.flatMap((part, i) => {
      /** @type {(Node | string)[]} */
      const drawn = i % 2 ? [sign(LETTER[part]), h("span", { class: "unseen" }, part)] : [part];
      return part ? drawn : [];
    }),
  );
}
