// @ts-check
// The table from above: who sits where, clockwise, what each nose does, the letters before each. For 2 as for 26.
import { keyOf, letters } from "../../games/rows.js";
import { attr, childrenOf, h, lastIn, match, put, s } from "../../lib/dom.js";
import { ems, folded, unit_px } from "../../lib/fit.js";
import { nose } from "../../lib/oval.js";
import { t, trueMinus } from "../../lib/words.js";
import { inDanger } from "./few.js";

const MOST_AROUND = 12; // more sit at a long table
const [READABLE, CROWDED, LEAST] = [2.7, 1.7, 1.5]; // how small names should be, and may be
const BOLD = 650; // as the style has names
const [NOSE, SMALL] = [1.333, 2.8]; // how much wider than high a nose is; the size of small words
const ROUND = 2.6; // how square the oval is: 2 is an ellipse
const MIDDLE = 16; // how wide the middle of a long table is, where it has room

/** @typedef {{ x: number; y: number; wide: number; high: number; side: "start" | "end" | "above" | "below" }} Box */
/** @typedef {{ x: number; y: number; name: Box; word: Box }} Place */
/**
 * @typedef {object} Plan
 * @property {boolean} around whether all sit around an oval
 * @property {number} nose how high a nose is
 * @property {number} size how large names are that have room
 * @property {number} word how large letters are
 * @property {Place[]} places by seat
 * @property {Box} centre
 * @property {[x: number, y: number, a: number, b: number]} top the middle of the table, and half its width and height
 */

/**
 * Return how large names around an oval are that have room.
 *
 * @param {number} n
 * @param {number} high
 */
const sizeAround = (n, high) => (n <= 6 ? 5.4 : 4.6) * Math.max(0.6, Math.min(1, high / 70));

/**
 * Return how *n* sit around an oval in *wide* by *high* units, *slots* ems of letters before each: one at either end,
 * the others along the sides, from the left end clockwise. Names along the sides have *strip* units of height.
 *
 * @param {number} n
 * @param {number} wide
 * @param {number} high
 * @param {number} slots
 * @param {number} strip
 * @returns {Plan}
 */
export function around(n, wide, high, slots, strip) {
  const part = Math.max(0.6, Math.min(1, high / 70));
  const ends = n === 3 ? 0 : 1;
  const upper = Math.ceil((n - 2 * ends) / 2);
  const lower = n - 2 * ends - upper;
  const nose = (n <= 6 ? 9 : 7) * part;
  const size = sizeAround(n, high);
  const word = Math.min(4.2 * part, 14 / slots);
  const span = upper > 4 ? 0.92 : 0.82;
  const beside = Math.max(14, Math.min(30, 0.17 * wide));
  const half = (nose * NOSE) / 2;
  const [cx, cy] = [wide / 2, high / 2];
  const [a, b] = [cx - beside - half - 0.8, Math.max(nose, cy - strip - nose / 2 - 0.4)];
  /**
   * @param {number} i
   * @param {number} of
   * @param {1 | -1} down
   * @returns {Place}
   */
  const along = (i, of, down) => {
    const slot = (2 * span * a) / of;
    const x = cx - down * (slot * (i + 0.5) - span * a);
    const y = cy + down * b * (1 - Math.abs((x - cx) / a) ** ROUND) ** (1 / ROUND);
    const far = down > 0 ? y + nose / 2 + 0.5 : 0;
    const room = down > 0 ? high - far : y - nose / 2 - 0.5;
    const name = { x: x - slot / 2 + 0.5, y: far, wide: slot - 1, high: room };
    const deep = 1.25 * word;
    const near = down > 0 ? y - nose / 2 - 0.6 - deep : y + nose / 2 + 0.6;
    return {
      x,
      y,
      name: { ...name, side: down > 0 ? "below" : "above" },
      word: { x: x - slot / 2, y: near, wide: slot, high: deep, side: "below" },
    };
  };
  /**
   * @param {1 | -1} right
   * @returns {Place}
   */
  const end = (right) => {
    const x = cx + right * a;
    const side = right > 0 ? "start" : "end";
    const name = { x: right > 0 ? wide - beside : 0, y: cy - 2 * size, wide: beside, high: 4 * size };
    const deep = { y: cy - 0.65 * word, wide: slots * word, high: 1.25 * word };
    const from = right > 0 ? x - half - 1 - deep.wide : x + half + 1;
    return { x, y: cy, name: { ...name, side }, word: { ...deep, x: from, side: right > 0 ? "end" : "start" } };
  };
  const row = (/** @type {number} */ of, /** @type {1 | -1} */ down) =>
    Array.from({ length: of }, (_, i) => along(i, of, down));
  const places = ends ? [end(-1), ...row(upper, -1), end(1), ...row(lower, 1)] : [...row(upper, -1), ...row(lower, 1)];
  const inner = ends ? a - half - 2 - slots * word : 0.7 * a;
  const deep = 0.88 * b - nose / 2 - 1.25 * word - 1.4;
  const centre = { x: cx - inner, y: cy - deep, wide: 2 * inner, high: 2 * deep, side: /** @type {const} */ ("below") };
  return { around: true, nose, size, word, places, centre, top: [cx, cy, a, b] };
}

/**
 * Return *plan*, all of it *by* units lower.
 *
 * @param {Plan} plan
 * @param {number} by
 * @returns {Plan}
 */
function lowered(plan, by) {
  const low = (/** @type {Box} */ box) => ({ ...box, y: box.y + by });
  const places = plan.places.map(({ x, y, name, word }) => ({ x, y: y + by, name: low(name), word: low(word) }));
  const [cx, cy, a, b] = plan.top;
  return { ...plan, places, centre: low(plan.centre), top: [cx, cy + by, a, b] };
}

/**
 * Return how *n* sit along a long table in *wide* by *high* units, *slots* ems of letters before each: up its left
 * side, down its right, *middle* units between them.
 *
 * @param {number} n
 * @param {number} wide
 * @param {number} high
 * @param {number} slots
 * @param {number} middle
 * @returns {Plan}
 */
export function along(n, wide, high, slots, middle) {
  const left = Math.ceil(n / 2);
  const row = Math.min(left > 4 ? 8 : 11, (high - 1) / left); // of few, each may have two lines and a note
  const nose = Math.min(5.5, row * 0.74);
  const size = Math.min(5, row * 0.66);
  const word = Math.min(3.4, row * 0.6, 12 / slots);
  const half = (nose * NOSE) / 2;
  const a = half + 1.4 + slots * word + middle / 2;
  const [cx, cy] = [wide / 2, high / 2];
  const places = Array.from({ length: n }, (_, i) => {
    const right = i < left ? -1 : 1;
    const y = cy + row * ((i < left ? left - 1 - i : i - left) - (left - 1) / 2);
    const x = cx + right * a;
    const room = cx - a - half - 1;
    const box = { y: y - row / 2, high: row };
    const from = right > 0 ? x - half - 1 - slots * word : x + half + 1;
    const [outside, inside] =
      right > 0 ? /** @type {const} */ (["start", "end"]) : /** @type {const} */ (["end", "start"]);
    return {
      x,
      y,
      name: { ...box, x: right > 0 ? wide - room : 0, wide: room, side: outside },
      word: { x: from, y: y - 0.65 * word, wide: slots * word, high: 1.25 * word, side: inside },
    };
  });
  const b = Math.min(cy, (row * left) / 2 + 0.4);
  const centre = {
    x: cx - middle / 2,
    y: cy - 9,
    wide: middle > 1 ? middle : 0,
    high: 18,
    side: /** @type {const} */ ("below"),
  };
  return { around: false, nose, size, word, places, centre, top: [cx, cy, a, b] };
}

/**
 * Return how large a name is in *room*, and in how many lines: one of *whole* ems, or two of *halved* where that is
 * larger by a good deal and there is the height for it.
 *
 * @param {number} whole
 * @param {number} halved
 * @param {number} most
 * @param {{ wide: number; high: number }} room
 */
export function sized(whole, halved, most, room) {
  const wide = 0.97 * room.wide; // what is measured and what is drawn differ by a hair
  const one = Math.min(most, wide / whole, room.high / 1.15);
  const two = Math.min(most, wide / halved, room.high / 2.25);
  return two > one * 1.15 ? { size: two, lines: 2 } : { size: one, lines: 1 };
}

/**
 * What is said of *row* beside its name.
 *
 * @param {Api.PlayerRow} row
 * @param {boolean} silent whether its phone is not heard
 */
function small(row, silent) {
  if (row.winner) return t("wins");
  if (row.out) return t("out");
  if (row.aside) return t("sits out");
  if (silent) return t("silent");
  if (row.phantom) return t("touched without one");
  if (row.early && row.locked) return t("too early");
  return [row.dealer ? t("deals") : "", ...row.notes].filter(Boolean).join(", ");
}

/**
 * How the nose of *row* looks: hollow while it does not count, filled when it does, flat when down, red if it was last,
 * green if it was asked who was first.
 *
 * @param {Api.Snapshot} state
 * @param {Api.PlayerRow} row
 * @param {boolean} silent
 */
export function look({ stage, touched, first, last }, row, silent) {
  if (row.out || row.aside) return "gone";
  if (last.includes(row.seat)) return "last"; // who was last is red, also when their phone is silent since
  if (silent) return "silent";
  if (first.includes(row.seat)) return "first";
  if (row.pressed || row.held) return "down";
  return touched && !row.locked && (stage === "on" || stage === "running") ? "counts" : "";
}

/**
 * Show the table of *state* from above in *root*.
 *
 * @param {HTMLElement} root
 * @param {Api.Snapshot} state
 */
export function table(root, state) {
  const u = unit_px();
  const { rows } = state;
  const [wide, high] = [
    Math.max(40, (root.clientWidth || 150 * u) / u),
    Math.max(20, (root.clientHeight || 80 * u) / u),
  ];
  const quiet = new Set(state.phones.filter((one) => !one.shared && one.state !== "awake").map((one) => one.line));
  const silent = (/** @type {Api.PlayerRow} */ row) => state.stage !== "" && !row.out && quiet.has(row.line);
  const slots = Math.max(
    2,
    ...rows.map((row) => (row.score == null ? row.word.length : ems(root, trueMinus(row.score), BOLD))),
  );
  const beside = rows.map((row) => small(row, silent(row)));
  const lengths = rows.map((row) => [ems(root, row.player, BOLD), folded(row.player, BOLD)]);
  // The longest name gives way itself: how the table is laid goes by the others.
  const [longest, widest] = [0, 1].map((i) => lengths.map((one) => one[i]).sort((a, b) => b - a)[1] ?? Infinity);
  const usual = lengths.map((one) => [Math.min(one[0], longest), Math.min(one[1], widest)]);
  const fitting = (/** @type {Plan} */ plan, names = usual) =>
    plan.places.map(({ name }, i) => {
      const words = beside[i] ? ems(root, beside[i]) * SMALL : 0;
      const [whole, halved] = names[i];
      // What is said stands below the name around an oval, and at a long table where there is no room beside it.
      const high = name.high - (words && 1.2 * SMALL);
      const below = { ...sized(whole, halved, plan.size, { wide: name.wide, high }), under: true };
      if (plan.around) return below;
      const wide = name.wide - (words && words + 0.8);
      const one = { ...sized(whole, halved, plan.size, { wide, high: name.high }), under: false };
      return words && below.size > 1.15 * one.size ? below : one;
    });
  const least = (/** @type {{ size: number }[]} */ sizes) => Math.min(...sizes.map((one) => one.size));
  let plan = along(rows.length, wide, high, slots, MIDDLE);
  let sizes = fitting(plan);
  if (least(sizes) < CROWDED) {
    plan = along(rows.length, wide, high, slots, 1);
    sizes = fitting(plan);
  }
  if (rows.length <= MOST_AROUND) {
    const deep = Math.min(high, wide / 1.2);
    const most = sizeAround(rows.length, deep);
    const tried = around(rows.length, wide, deep, slots, 2.3 * most);
    const taken = fitting(tried).map(({ size, lines }, i) => size * lines * 1.2 + (beside[i] ? 1.2 * SMALL : 0));
    const oval = around(
      rows.length,
      wide,
      deep,
      slots,
      Math.max(...taken.filter((_, i) => tried.places[i].y !== deep / 2), 0),
    );
    const found = fitting(oval);
    if (oval.centre.high > 4 && (least(found) >= READABLE || least(found) >= least(sizes)))
      [plan, sizes] = [lowered(oval, (high - deep) / 2), found];
  }
  sizes = fitting(plan, lengths);
  draw(root, state, plan, u);
  const list = /** @type {HTMLElement} */ (root.children[1]);
  attr(list, "aria-label", t("The table, clockwise"));
  match(
    list,
    rows,
    keyOf,
    () => h("li", {}, nose(), h("p", { class: "tb-name" }, h("bdi"), h("small")), h("span", { class: "word" })),
    (item, row, i) => {
      const place = plan.places[i];
      const [mark, name, word] = childrenOf(item);
      mark.style.cssText = at(
        { x: place.x - (plan.nose * NOSE) / 2, y: place.y - plan.nose / 2, wide: plan.nose * NOSE, high: plan.nose },
        u,
      );
      name.style.cssText = `${at(place.name, u)};--size:${(Math.max(LEAST, sizes[i].size) * u).toFixed(1)}px`;
      const lined = sizes[i].lines > 1 ? "two" : "";
      name.className = `tb-name ${place.name.side} ${lined} ${sizes[i].under ? "" : "row"}`.trim();
      const bdi = name.children[0];
      put(bdi, row.player);
      put(lastIn(name), beside[i]);
      word.style.cssText = `${at(place.word, u)};font-size:${(plan.word * u).toFixed(1)}px`;
      if (row.score == null) letters(word, row);
      else put(word, row.score);
      word.className = `word ${place.word.side} ${row.score == null ? "" : "score"}`.trim();
      word.hidden = (row.out && !row.winner) || (row.score == null && !row.word.length);
      item.className = [look(state, row, silent(row)), inDanger(row) ? "near" : "", row.winner ? "won" : ""]
        .filter(Boolean)
        .join(" ");
    },
  );
}

/**
 * Where *box* is, in the style's words.
 *
 * @param {{ x: number; y: number; wide: number; high: number }} box
 * @param {number} u
 */
const at = ({ x, y, wide, high }, u) =>
  ["left", "top", "width", "height"].map((name, i) => `${name}:${([x, y, wide, high][i] * u).toFixed(1)}px`).join(";");

/**
 * Draw the table itself, which way cards go, and what lies in its middle.
 *
 * @param {HTMLElement} root
 * @param {Api.Snapshot} state
 * @param {Plan} plan
 * @param {number} u
 */
function draw(root, state, plan, u) {
  if (!root.firstElementChild)
    root.append(
      s("svg", { class: "tb-top", "aria-hidden": "true" }),
      h("ol"),
      h("div", { class: "tb-middle" }, h("b"), h("span"), h("div", { class: "tb-rack" })),
    );
  const [top, , middle] = root.children;
  const [cx, cy, a, b] = plan.top.map((one) => one * u);
  const round = (/** @type {number} */ x, /** @type {number} */ y) => `${(cx + x).toFixed(1)} ${(cy + y).toFixed(1)}`;
  const rim = Array.from({ length: 72 }, (_, i) => {
    const [x, y] = [Math.cos((i * Math.PI) / 36), Math.sin((i * Math.PI) / 36)];
    return plan.around ? bent(x, y, 1, 1).map((one, j) => one * [a, b][j]) : null;
  });
  const shape = plan.around
    ? s("path", { d: `M${rim.map((one) => round(one?.[0] ?? 0, one?.[1] ?? 0)).join("L")}Z` })
    : s("rect", { x: cx - a, y: cy - b, width: 2 * a, height: 2 * b, rx: 5 * u });
  const passing = plan.around && state.stage === "on" && state.guide !== null;
  top.replaceChildren(
    shape,
    ...(passing
      ? plan.places.map((place, i) => chevron(plan, place, plan.places[(i + 1) % plan.places.length], u))
      : []),
  );
  centre(/** @type {HTMLElement} */ (middle), state, plan, u);
}

/**
 * Return where the way from the middle through *x*, *y* meets the rim of an oval of half *a* by *b*.
 *
 * @param {number} x
 * @param {number} y
 * @param {number} a
 * @param {number} b
 */
function bent(x, y, a, b) {
  const far = (Math.abs(x / a) ** ROUND + Math.abs(y / b) ** ROUND) ** (-1 / ROUND);
  return [x * far, y * far];
}

/**
 * Return the sign between two places that cards go clockwise.
 *
 * @param {Plan} plan
 * @param {Place} one
 * @param {Place} next
 * @param {number} u
 */
function chevron({ top: [cx, cy, a, b] }, one, next, u) {
  // Halfway round the rim, not halfway across the table.
  const [from, to] = [one, next].map(({ x, y }) => Math.atan2((y - cy) / b, (x - cx) / a));
  const half = from + ((((to - from) % (2 * Math.PI)) + 2 * Math.PI) % (2 * Math.PI)) / 2;
  const [x, y] = bent(Math.cos(half) * a, Math.sin(half) * b, a, b);
  const normal = [
    (Math.abs(x / a) ** (ROUND - 1) * Math.sign(x)) / a,
    (Math.abs(y / b) ** (ROUND - 1) * Math.sign(y)) / b,
  ];
  const turn = (Math.atan2(normal[0], -normal[1]) * 180) / Math.PI;
  const [across, down] = [(cx + x) * u, (cy + y) * u].map((one) => one.toFixed(1));
  const transform = `translate(${across} ${down}) rotate(${turn.toFixed(1)}) scale(${(u / 10).toFixed(3)})`;
  return s("path", { class: "tb-way", d: "M-5-9L5 0L-5 9", transform });
}

/**
 * Say in the middle of the table how many have touched or play; or show what lies there still.
 *
 * @param {HTMLElement} box
 * @param {Api.Snapshot} state
 * @param {Plan} plan
 * @param {number} u
 */
function centre(box, { rows, rack, stage, touched, question }, plan, u) {
  const [count, says, lies] = childrenOf(box);
  const { centre: room } = plan;
  attr(box, "hidden", room.wide < 8 || room.high < 4 || stage === "");
  box.style.cssText = at(room, u);
  const lie = rack.filter((one) => one.used);
  const plays = rows.filter((row) => !row.out && !row.aside);
  // Of who was first nothing is told before the verdict.
  const running = stage === "running" && touched && !lie.length && question === "last";
  const n = plays.filter((row) => row.pressed).length;
  put(count, lie.length ? "" : running ? t("{n} of {of}", { n, of: plays.length }) : plays.length);
  put(says, lie.length ? "" : running ? t("have touched") : t("Players"));
  match(
    lies,
    lie,
    (one) => one.number,
    () => h("i"),
    (spoon, one) => spoon.classList.toggle("lifted", one.lifted),
  );
  const words = Math.max(1, ems(box, count.textContent ?? "", 750));
  const size = Math.min(14, room.high - 5, (0.92 * room.wide) / words);
  box.style.setProperty("--size", `${(Math.max(2, size) * u).toFixed(1)}px`);
  const spoon = Math.min(3.6, (0.92 * room.wide) / Math.max(1, lie.length) / 1.5, room.high / 4.4);
  box.style.setProperty("--spoon", `${(spoon * u).toFixed(1)}px`);
}
