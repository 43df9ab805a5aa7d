// @ts-check
// The margin and the bands of its two stamps, true to scale.
import { s } from "../lib/dom.js";
import { clip, t } from "../lib/words.js";
import { bands, closest } from "../photo-finish/layout.js";

const WIDTH = 350;
const [LEFT, RIGHT] = [56, 295];
const [TOP, BOTTOM] = [28, 70];
const BESIDE = 92; // so far apart must the two be drawn for each to have its words in its middle
const ROOM = 80; // and so much must their bands leave between them for the margin to be written there
const LETTERS = 14;

/**
 * Return where the two stamps and the ends of their bands lie between LEFT and RIGHT.
 *
 * @param {number} margin_ns
 * @param {number} first_ns half the first one's band
 * @param {number} second_ns
 */
export function spots(margin_ns, first_ns, second_ns) {
  const from = -first_ns;
  const to = Math.max(margin_ns + second_ns, first_ns);
  const perNs = (RIGHT - LEFT) / Math.max(to - from, 1);
  const x = (/** @type {number} */ ns) => LEFT + (ns - from) * perNs;
  return { first: x(0), second: x(margin_ns), perNs };
}

/**
 * Draw the last two of *finish*; null where there is no margin.
 *
 * @param {Api.PhotoFinish} finish
 */
export function scale(finish) {
  const pair = closest(finish.marks, finish.margin_ns);
  if (pair.length < 2 || finish.margin_ns == null || finish.u_ns == null) return null;
  const [one, two] = [pair[0], pair[pair.length - 1]];
  const half = bands(finish.marks, [one, two], finish.u_ns);
  const halves = [half.get(one.seat) ?? 0, half.get(two.seat) ?? 0];
  const { first, second, perNs } = spots(finish.margin_ns, halves[0], halves[1]);
  const narrow = second - first < BESIDE;
  const below = second - first - (halves[0] + halves[1]) * perNs < ROOM;
  const svg = s("svg", {
    class: "scale",
    viewBox: `0 0 ${WIDTH} ${below ? 116 : 92}`,
    role: "img",
    "aria-label": t("{what}: {says}", {
      what: `${one.player}, ${two.player}`,
      says: `${finish.margin_text}, ± ${finish.u_text}`,
    }),
  });
  svg.append(s("rect", { class: "m", x: first, y: 34, width: Math.max(second - first, 0.5), height: 30 }));
  for (const [i, mark] of [one, two].entries()) {
    const x = i ? second : first;
    const red = mark.last && !finish.dead_heat ? "l" : "";
    const reach = Math.max(halves[i] * perNs, 1.5);
    svg.append(
      s("rect", { class: `u${red}`, x: x - reach, y: TOP, width: 2 * reach, height: BOTTOM - TOP }),
      s("line", { class: `z${red}`, x1: x, x2: x, y1: TOP, y2: BOTTOM }),
      written(x, 18, clip(mark.player, LETTERS), `t ${red && "tl"}`, narrow ? i : null),
      written(x, 88, `± ${mark.u_text ?? ""}`, "sc", narrow ? i : null),
    );
  }
  const middle = (first + second) / 2;
  svg.append(written(middle, below ? 113 : 56, finish.margin_text ?? "", "t g", null));
  return svg;
}

/**
 * Write words around *x*; of two that stand close the first ends there and the second begins.
 *
 * @param {number} x
 * @param {number} y
 * @param {string} words
 * @param {string} style
 * @param {number | null} side
 */
function written(x, y, words, style, side) {
  const anchor = side === null ? "middle" : side ? "start" : "end";
  return s("text", { class: style, x: side === null ? x : x + (side ? -4 : 4), y, "text-anchor": anchor }, words);
}
