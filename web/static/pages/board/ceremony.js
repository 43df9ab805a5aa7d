// @ts-check
// For whoever has won: noses and cards rain for some seconds, then it is still again.

import { SUITS } from "../../lib/cards.js";
import { s } from "../../lib/dom.js";

const PIECES = 44;
const LONGEST_MS = 9000;
const NOSE = [2, 7, 13]
  .map(
    (x, i) =>
      `M${x} 12a${i ? 2 : 10} ${i ? 2 : 8} 0 1 0 ${i ? 4 : 20} 0a${i ? 2 : 10} ${i ? 2 : 8} 0 1 0 ${i ? -4 : -20} 0`,
  )
  .join("");

/**
 * Let it rain in *root*; with *still* nothing moves.
 *
 * @param {HTMLElement} root
 * @param {boolean} still
 */
export function celebrate(root, still) {
  if (still) return;
  const shapes = [NOSE, ...Object.values(SUITS)];
  const pieces = Array.from({ length: PIECES }, (_, i) => {
    const piece = s(
      "svg",
      { viewBox: "0 0 24 24", class: `cf cf${i % 5}` },
      s("path", { d: shapes[i % shapes.length] }),
    );
    // Spread evenly rather than by chance: no two showers look alike anyway.
    const spread = (i * 0.618034) % 1;
    piece.style.setProperty("--x", `${(spread * 100).toFixed(1)}vw`);
    piece.style.setProperty("--d", `${((i * 0.37) % 3).toFixed(2)}s`);
    piece.style.setProperty("--turn", `${(i % 2 ? 1 : -1) * (120 + ((i * 47) % 240))}deg`);
    return piece;
  });
  root.replaceChildren(...pieces);
  setTimeout(() => root.replaceChildren(), LONGEST_MS);
}
