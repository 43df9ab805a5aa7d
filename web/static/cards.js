// Playing cards, drawn: a face, a rank, a suit.
import { s } from "./dom.js";
import { t } from "./words.js";

export const SUITS = {
  S: "M12 1.8c1.6 4.3 9 7.6 9 12.6a4.7 4.7 0 0 1-7.9 3.4c.2 1.9 1 3.3 2.4 4.4h-7c1.4-1.1 2.2-2.5 2.4-4.4A4.7 4.7 0 0 1 3 14.4c0-5 7.400-8.300 9-12.600Z",
  H: "M12 21.600C5.500 15.800 2 12 2 7.900a5.100 5.100 0 0 1 10-1.500 5.100 5.100 0 0 1 10 1.500c0 4.100-3.500 7.900-10 13.700Z",
  D: "M12 1.600c2.300 3.900 4.900 7.200 8 10.400-3.100 3.200-5.700 6.500-8 10.400-2.300-3.900-4.900-7.200-8-10.400 3.100-3.200 5.700-6.500 8-10.400Z",
  C: "M12 1.800a4.700 4.700 0 0 1 3.900 7.300 4.800 4.800 0 1 1-2.700 8.600c.2 1.900 1 3.400 2.300 4.500h-7c1.300-1.100 2.100-2.600 2.300-4.500a4.800 4.800 0 1 1-2.700-8.600A4.700 4.700 0 0 1 12 1.800Z",
};

/** Return *rank* as cards of the page's language print it. */
export const printed = (rank) => ({ K: t("K"), Q: t("Q"), J: t("J") })[rank] ?? rank;

const JOKER = "Joker";
const CAP = "M3 17C1.500 11 2.500 6 5 6s4 3 4.500 6C9.500 7 10 2 12 2s2.500 5 2.500 10C15 9 16.500 6 19 6s3.500 5 2 11l-1.500 3h-15Z";

/** Return the name of a card for people who hear the page. */
export function cardName({ rank, suit }) {
  if (rank === JOKER) return t("joker");
  return `${printed(rank)} ${{ S: t("spades"), H: t("hearts"), D: t("diamonds"), C: t("clubs") }[suit] ?? ""}`.trim();
}

/** Return a card as SVG. */
export function card({ rank, suit }) {
  if (rank === JOKER) return joker();
  const ink = suit === "H" || suit === "D" ? "cd-red" : "cd-black";
  const corner = s("text", { x: 10, y: 20, "font-size": rank.length > 1 ? 15 : 17, "font-weight": 700, "text-anchor": "middle", class: ink, "letter-spacing": rank.length > 1 ? "-1" : null });
  corner.textContent = printed(rank);
  return s("svg", { viewBox: "0 0 50 70", role: "img", "aria-label": cardName({ rank, suit }) },
    s("rect", { class: "cd-face", x: 0.5, y: 0.5, width: 49, height: 69, rx: 6 }), corner,
    s("path", { class: ink, d: SUITS[suit], transform: "translate(3.400 24) scale(.55)" }),
    s("path", { class: ink, d: SUITS[suit], transform: "translate(20 37) scale(1.05)" }));
}

function joker() {
  return s("svg", { viewBox: "0 0 50 70", role: "img", "aria-label": t("joker") },
    s("rect", { class: "cd-face", x: 0.5, y: 0.5, width: 49, height: 69, rx: 6 }),
    s("path", { class: "cd-red", d: CAP, transform: "translate(3.400 5) scale(.55)" }),
    s("path", { class: "cd-black", d: CAP, transform: "translate(10 26) scale(1.250)" }));
}
