// @ts-check
// Playing cards, drawn: a face, a rank, a suit.
import { s } from "./dom.js";
import { t } from "./words.js";

/** @type {Record<string, string>} */
export const SUITS = {
  S:
    "M12 1.8c1.6 4.3 9 7.6 9 12.6a4.7 4.7 0 0 1-7.9 3.4c.2 1.9 1 3.3 2.4 4.4h-7c1.4-1.1 2.2-2.5 2.4-4.4" +
    "A4.7 4.7 0 0 1 3 14.4c0-5 7.4-8.3 9-12.6Z",
  H: "M12 21.6C5.5 15.8 2 12 2 7.9a5.1 5.1 0 0 1 10-1.5 5.1 5.1 0 0 1 10 1.5c0 4.1-3.5 7.9-10 13.7Z",
  D: "M12 1.6c2.3 3.9 4.9 7.2 8 10.4-3.1 3.2-5.7 6.5-8 10.4-2.3-3.9-4.9-7.2-8-10.4 3.1-3.2 5.7-6.5 8-10.4Z",
  C:
    "M12 1.8a4.7 4.7 0 0 1 3.9 7.3 4.8 4.8 0 1 1-2.7 8.6c.2 1.9 1 3.4 2.3 4.5h-7c1.3-1.1 2.1-2.6 2.3-4.5" +
    "a4.8 4.8 0 1 1-2.7-8.6A4.7 4.7 0 0 1 12 1.8Z",
};

/**
 * Return *rank* as cards of the page's language print it.
 *
 * @param {string} rank
 */
export const printed = (rank) => ({ K: t("K"), Q: t("Q"), J: t("J") })[rank] ?? rank;

const JOKER = "Joker";
const CAP = "M3 17C1.5 11 2.5 6 5 6s4 3 4.5 6C9.5 7 10 2 12 2s2.5 5 2.5 10C15 9 16.5 6 19 6s3.5 5 2 11l-1.5 3h-15Z";

/**
 * Return the name of a card for people who hear the page.
 *
 * @param {Api.Card} given
 */
export function cardName({ rank, suit }) {
  if (rank === JOKER) return t("Joker");
  return `${printed(rank)} ${{ S: t("spades"), H: t("hearts"), D: t("diamonds"), C: t("clubs") }[suit] ?? ""}`.trim();
}

/**
 * Return a card as SVG.
 *
 * @param {Api.Card} given
 */
export function card({ rank, suit }) {
  if (rank === JOKER) return joker();
  const ink = suit === "H" || suit === "D" ? "cd-red" : "cd-black";
  const corner = s("text", {
    x: 10,
    y: 20,
    "font-size": rank.length > 1 ? 15 : 17,
    "font-weight": 700,
    "text-anchor": "middle",
    class: ink,
    "letter-spacing": rank.length > 1 ? "-1" : null,
  });
  corner.textContent = printed(rank);
  return s(
    "svg",
    { viewBox: "0 0 50 70", role: "img", "aria-label": cardName({ rank, suit }) },
    s("rect", { class: "cd-face", x: 0.5, y: 0.5, width: 49, height: 69, rx: 6 }),
    corner,
    s("path", { class: ink, d: SUITS[suit], transform: "translate(3.400 24) scale(.55)" }),
    s("path", { class: ink, d: SUITS[suit], transform: "translate(20 37) scale(1.05)" }),
  );
}

function joker() {
  return s(
    "svg",
    { viewBox: "0 0 50 70", role: "img", "aria-label": t("Joker") },
    s("rect", { class: "cd-face", x: 0.5, y: 0.5, width: 49, height: 69, rx: 6 }),
    s("path", { class: "cd-red", d: CAP, transform: "translate(3.400 5) scale(.55)" }),
    s("path", { class: "cd-black", d: CAP, transform: "translate(10 26) scale(1.250)" }),
  );
}
