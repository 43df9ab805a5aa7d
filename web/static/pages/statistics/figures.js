// @ts-check
// Pictures of figures: reactions as dots on a scale that grows tenfold, escapes as tiny photo finishes.
import { h, s } from "../../lib/dom.js";
import { namedRows } from "../../lib/fit.js";
import { duration, t } from "../../lib/words.js";

const ROW = 34;
const FOOT = 26;
const MS = 1e6;
const NAMES = { style: "fg-name", size: 15, weight: 400 }; // as the style has it

/**
 * Return the powers of ten (in ns) around *times*, from a millisecond on.
 *
 * @param {number[]} times
 */
function decades(times) {
  const from = Math.max(MS, 10 ** Math.floor(Math.log10(Math.max(MS, Math.min(...times)))));
  const to = 10 ** Math.ceil(Math.log10(Math.max(10 * from, ...times)));
  const found = [];
  for (let at = from; at <= to * 1.001; at *= 10) found.push(at);
  return found;
}

/**
 * Draw the reactions of *players* in *root*, one line each; type is never under 12 pixels.
 *
 * @param {HTMLElement} root
 * @param {Api.PlayerFigures[]} players
 */
export function dots(root, players) {
  const width = Math.floor(root.clientWidth);
  const shown = players.filter((player) => player.reactions.length);
  if (!shown.length || width < 60) return;
  const times = shown.flatMap((player) => player.reactions.map((one) => one.after_ns));
  const scale = decades(times);
  const places = namedRows(
    shown.map((one) => one.player),
    { ...NAMES, wide: width, part: 0.36, row: ROW },
  );
  const left = places.left + 12;
  const right = width - 14;
  const [from, to] = [Math.log10(scale[0]), Math.log10(scale[scale.length - 1])];
  const x = (/** @type {number} */ ns) =>
    left + ((Math.log10(Math.max(scale[0], ns)) - from) / (to - from)) * (right - left);
  const height = places.high + FOOT;
  const said = shown.map((player) =>
    t("{player}: median {median}, best {best}", {
      player: player.player,
      median: player.median_text,
      best: player.best?.after_text,
    }),
  );
  const svg = s("svg", {
    viewBox: `0 0 ${width} ${height}`,
    width,
    height,
    role: "img",
    "aria-label": said.join("; "),
  });
  for (const [i, ns] of scale.entries()) {
    svg.append(s("line", { class: "fg-grid", x1: x(ns), x2: x(ns), y1: 0, y2: height - FOOT + 4 }));
    svg.append(
      word("fg-scale", x(ns), height - 6, duration(ns), i === 0 ? "start" : i === scale.length - 1 ? "end" : "middle"),
    );
  }
  for (const [i, player] of shown.entries()) {
    const { y, name } = places.rows[i];
    svg.append(s("line", { class: "fg-line", x1: left, x2: right, y1: y, y2: y }), name);
    for (const [n, one] of player.reactions.entries())
      svg.append(s("circle", { class: "fg-dot", cx: x(one.after_ns), cy: y + (((n * 7) % 5) - 2) * 3, r: 4.5 }));
    svg.append(
      s("line", {
        class: "fg-median",
        x1: x(player.median_ns ?? 0),
        x2: x(player.median_ns ?? 0),
        y1: y - 11,
        y2: y + 11,
      }),
    );
  }
  root.replaceChildren(svg);
}

/**
 * Return an item that shows by how little *one* escaped: the rival's mark, the last one's, each with its band.
 *
 * @param {Api.Close} one
 * @param {boolean} games whether the number of the game is said
 * @param {boolean} here whether its round is one of this evening's, and can be looked at
 */
export function escaped(one, games, here) {
  const half = one.u_ns / 2;
  const span = one.margin_ns + 2 * half;
  const x = (/** @type {number} */ ns) => 20 + ((ns + half) / span) * 160;
  const wide = Math.max(2, ((2 * half) / span) * 160);
  const mark = (/** @type {number} */ ns, /** @type {string} */ style) =>
    s(
      "g",
      { class: style },
      s("rect", { class: "pf-band", x: x(ns) - wide / 2, y: 8, width: wide, height: 20, rx: 2 }),
      s("line", { class: "pf-hand", x1: x(ns), x2: x(ns), y1: 6, y2: 30, "stroke-width": 3 }),
    );
  const strip = s(
    "svg",
    { viewBox: "0 0 200 36", "aria-hidden": "true" },
    s("line", { class: "pf-axis", x1: 8, x2: 192, y1: 18, y2: 18 }),
    mark(0, ""),
    mark(one.margin_ns, "pf-last"),
  );
  const place = [games ? t("Game {n}", { n: one.game }) : "", t("round {n}", { n: one.number })]
    .filter(Boolean)
    .join(", ");
  return h(
    "li",
    {},
    strip,
    h(
      "p",
      {},
      h(
        here ? "a" : "b",
        here ? { href: `/history/${one.seq}` } : {},
        t("{what}: {says}", { what: one.rival, says: one.margin_text }),
      ),
      h("small", {}, t("± {u}, before {last}; {place}", { u: one.u_text, last: one.last, place })),
    ),
  );
}

/**
 * @param {string} style
 * @param {number} x
 * @param {number} y
 * @param {string} words
 * @param {string} anchor
 */
function word(style, x, y, words, anchor) {
  const element = s("text", { class: style, x, y, "text-anchor": anchor });
  element.textContent = words;
  return element;
}
