// @ts-check
// The result as a picture: who won, the photo finish that decided, who stands where. Drawn on a canvas, sent nowhere.

import { FACE as NAMES } from "../lib/names.js";
import { clockTime, inUnit, longDate, t, trueMinus, unitOf } from "../lib/words.js";
import { bands, closest, sparse, ticks } from "../photo-finish/layout.js";

const [WIDE, HIGH] = [1080, 1350];
const [PAD, INNER] = [72, WIDE - 144];
const GUTTER = 36; // between columns of standings
const LEAST = 20; // the smallest letter of a name
const [LABEL, LENS] = [300, 420]; // the widest names above the axis and in the lens
const MANY = 8; // marks, from which on they are small, and only named where there is room
const ABSENT = 230; // the end of the axis where those sit who have not touched
const INK = {
  paper: "#f7f4ee",
  sunk: "#ece6da",
  ink: "#1d1b18",
  soft: "#635d54",
  line: "#857d71",
  last: "#c8323c",
  won: "#1f6b4a",
};
const FACE = `"${NAMES}", Inter, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif`;

/**
 * A pen on a canvas: sizes and colours said once.
 *
 * @param {CanvasRenderingContext2D} context
 */
function pen(context) {
  const font = (/** @type {number} */ size, /** @type {number} */ weight) => `${weight} ${size}px ${FACE}`;
  return {
    context,
    /**
     * @param {string} words
     * @param {number} size
     * @param {number} [weight]
     */
    wide(words, size, weight = 400) {
      context.font = font(size, weight);
      return context.measureText(words).width;
    },
    /**
     * @param {string} words
     * @param {number} x
     * @param {number} y
     * @param {{ size: number; weight?: number; ink?: string; align?: CanvasTextAlign; most?: number }} how
     */
    say(words, x, y, { size, weight = 400, ink = INK.ink, align = "left", most = Infinity }) {
      context.font = font(size, weight);
      context.fillStyle = ink;
      context.textAlign = align;
      let shown = words;
      while (shown.length > 2 && context.measureText(shown).width > most)
        shown = `${[...shown].slice(0, -2).join("").trimEnd()}…`;
      context.fillText(shown, x, y);
    },
    /**
     * @param {string} words
     * @param {number} size
     * @param {number} weight
     * @param {number} room
     */
    lines(words, size, weight, room) {
      /** @type {string[]} */
      const found = [];
      for (const word of words.split(" ")) {
        const longer = found.length ? `${found[found.length - 1]} ${word}` : word;
        if (found.length && this.wide(longer, size, weight) <= room) found[found.length - 1] = longer;
        else found.push(word);
      }
      return found;
    },
    /**
     * @param {number} x
     * @param {number} y
     * @param {number} r
     * @param {string} ink
     */
    dot(x, y, r, ink) {
      context.fillStyle = ink;
      context.beginPath();
      context.arc(x, y, r, 0, 2 * Math.PI);
      context.fill();
    },
    /**
     * @param {number} x
     * @param {number} y
     * @param {number} w
     * @param {number} h
     * @param {string} ink
     */
    box(x, y, w, h, ink) {
      context.fillStyle = ink;
      context.fillRect(x, y, w, h);
    },
  };
}
/** @typedef {ReturnType<typeof pen>} Pen */

/**
 * Draw the headline and its proof; return where they end.
 *
 * @param {Pen} draw
 * @param {Api.Snapshot} state
 */
function head(draw, state) {
  draw.dot(PAD + 26, 86, 26, INK.ink);
  draw.context.fillStyle = INK.paper;
  draw.context.beginPath();
  draw.context.ellipse(PAD + 26, 90, 15, 11, 0, 0, 2 * Math.PI);
  draw.context.fill();
  for (const side of [-6, 6]) draw.dot(PAD + 26 + side, 90, 3.4, INK.ink);
  draw.say("Last Nose", PAD + 70, 97, { size: 32, weight: 700, most: 420 });
  const now = Date.now() / 1000;
  draw.say(`${longDate(now * 1000)}, ${clockTime(now)}`, WIDE - PAD, 97, { size: 28, ink: INK.soft, align: "right" });
  draw.say(state.title ?? "", PAD, 178, { size: 34, weight: 600, ink: INK.soft });
  let size = 120;
  let lines = draw.lines(state.headline, size, 750, INNER);
  while (size > 48 && (lines.length > 2 || lines.some((line) => draw.wide(line, size, 750) > INNER))) {
    size -= 6;
    lines = draw.lines(state.headline, size, 750, INNER);
  }
  let y = 190;
  for (const line of lines.slice(0, 3)) {
    y += size * 1.04;
    draw.say(line, PAD, y, { size, weight: 750, most: INNER });
  }
  y += 22;
  const said = state.proof.slice(0, 3).map((line) => (/[.!?…:]$/u.test(line) ? line : `${line}.`));
  for (const line of draw.lines(said.join(" "), 34, 400, INNER).slice(0, 3)) {
    y += 44;
    draw.say(line, PAD, y, { size: 34, ink: INK.soft, most: INNER });
  }
  return y;
}

/**
 * Draw the photo finish below *top*; return where it ends.
 *
 * @param {Pen} draw
 * @param {Api.PhotoFinish} finish
 * @param {number} top
 */
function photo(draw, finish, top) {
  const { marks, missing, margin_ns, margin_text, in_short, u_ns, dead_heat } = finish;
  const end = Math.max(1, ...marks.map((mark) => mark.t_ns));
  const wide = INNER - (missing.length ? ABSENT : 0);
  const x = (/** @type {number} */ ns) => PAD + 16 + (ns / end) * (wide - 32);
  const ink = (/** @type {Api.Mark} */ mark) => (mark.last && !dead_heat ? INK.last : INK.ink);
  const close = closest(marks, margin_ns);
  const axis = top + 130;
  if (close.length > 1) wedge(draw, x(close[0].t_ns), x(close[close.length - 1].t_ns), axis);
  draw.box(PAD, axis - 1.5, wide, 3, INK.line);
  if (missing.length) absent(draw, missing, axis, dead_heat ? INK.ink : INK.last, in_short ?? t("not yet"));
  const many = marks.length > MANY;
  const labels = marks
    .filter((mark) => !close.includes(mark))
    .map((mark) => ({ mark, x: x(mark.t_ns), w: Math.min(LABEL, draw.wide(mark.player, 28, 600)) + 14 }));
  const room = { lo: PAD, hi: PAD + wide, levels: 2, gap: 8 };
  for (const { mark, at, level } of sparse(labels, room, many ? 20 : Infinity)?.placed ?? []) {
    const how = { size: 28, weight: 600, ink: ink(mark), most: LABEL };
    draw.say(mark.player, at, axis - 28 - 36 * level, { ...how, align: "center" });
  }
  for (const mark of [...marks].sort((a, b) => Number(a.last) - Number(b.last))) {
    draw.dot(x(mark.t_ns), axis, many ? 10 : 14, INK.paper); // each to be seen among others
    draw.dot(x(mark.t_ns), axis, many ? 8 : 12, ink(mark));
  }
  for (const tick of close.length < 2 ? ticks(end, 3) : [0])
    draw.say(tick ? inUnit(tick, unitOf(end)) : "0", x(tick), axis + 46, { size: 26, ink: INK.soft, align: "center" });
  if (close.length < 2) return axis + 70;
  const half = bands(marks, close, u_ns);
  const [first, last] = [close[0].t_ns, close[close.length - 1].t_ns];
  const widest = Math.max(...close.map((mark) => half.get(mark.seat) ?? 0));
  const per = Math.min(
    (INNER * 0.5) / Math.max(1, last - first),
    (INNER * 0.8) / Math.max(1, last - first + 2 * widest),
  );
  const at = (/** @type {number} */ ns) => WIDE / 2 + (ns - (first + last) / 2) * per;
  for (const mark of close) {
    const wide = Math.max(4, 2 * (half.get(mark.seat) ?? 0) * per);
    draw.context.globalAlpha = 0.25;
    draw.box(at(mark.t_ns) - wide / 2, axis + 124, wide, 80, ink(mark));
    draw.context.globalAlpha = 1;
    draw.box(at(mark.t_ns) - 3, axis + 124, 6, 80, ink(mark));
  }
  const widthOf = (/** @type {string} */ name) => Math.min(LENS, draw.wide(name, 34, 650)) + 20;
  const names = close.map((mark) => ({ mark, x: at(mark.t_ns), w: widthOf(mark.player) }));
  const inside = { lo: PAD + 12, hi: WIDE - PAD - 12, levels: 1, gap: 12 };
  for (const { mark, at: middle } of sparse(names, inside, Infinity)?.placed ?? [])
    draw.say(mark.player, middle, axis + 110, { size: 34, weight: 650, ink: ink(mark), align: "center", most: LENS });
  const words = in_short ?? margin_text ?? "";
  draw.say(words, WIDE / 2, axis + 250, { size: 40, weight: 700, align: "center" });
  return axis + 280;
}

/**
 * Draw who has not touched: the line goes on in dots, and there they sit.
 *
 * @param {Pen} draw
 * @param {[number, string][]} missing
 * @param {number} axis
 * @param {string} ink
 * @param {string} when
 */
function absent(draw, missing, axis, ink, when) {
  const [right, middle] = [WIDE - PAD, WIDE - PAD - ABSENT / 2 + 12];
  for (let x = right - ABSENT + 20; x <= right; x += 16) draw.dot(x, axis, 2, INK.line);
  const [[, player]] = missing;
  const name = missing.length > 1 ? t("Not yet: {players}", { players: missing.length }) : player;
  draw.say(name, middle, axis - 28, { size: 28, weight: 600, ink, align: "center", most: ABSENT - 24 });
  draw.dot(middle, axis, 12, ink);
  draw.dot(middle, axis, 7, INK.paper);
  const small = { size: 26, ink: INK.soft, most: ABSENT - 24 };
  if (missing.length === 1) draw.say(when, middle, axis + 46, { ...small, align: "center" });
}

/**
 * @param {Pen} draw
 * @param {number} from
 * @param {number} to
 * @param {number} axis
 */
function wedge({ context }, from, to, axis) {
  context.fillStyle = INK.sunk;
  context.beginPath();
  context.moveTo(from, axis);
  for (const [x, y] of [
    [PAD, axis + 66],
    [PAD, axis + 272],
    [WIDE - PAD, axis + 272],
    [WIDE - PAD, axis + 66],
    [to, axis],
  ])
    context.lineTo(x, y);
  context.fill();
}

/**
 * Return *rows* as they stand: winners first, then by place or by letters.
 *
 * @param {Api.PlayerRow[]} rows
 */
export function inOrder(rows) {
  const worth = (/** @type {Api.PlayerRow} */ row) => row.place || row.letters.length;
  return [...rows].sort(
    (a, b) =>
      Number(b.winner) - Number(a.winner) || Number(a.out) - Number(b.out) || worth(a) - worth(b) || a.seat - b.seat,
  );
}

/**
 * Return in how many columns of how many lines *n* rows are largest, *high* pixels in all, and how large; names are cut
 * before they are too small to be read.
 *
 * @param {number} n
 * @param {number} longest how wide a row must be, in ems
 * @param {number} high
 */
export function grid(n, longest, high) {
  let best = { columns: 1, lines: n, wide: INNER, step: 0, size: 0 };
  for (let columns = 1; columns <= 3; columns += 1) {
    const lines = Math.ceil(n / columns);
    const wide = (INNER - GUTTER * (columns - 1)) / columns;
    const step = Math.min(78, high / lines);
    const size = Math.min(42, step * 0.62, Math.max(LEAST, (wide - 20) / longest));
    if (size > best.size) best = { columns, lines, wide, step, size };
  }
  return best;
}

/**
 * Draw the standings from *top* to the foot of the picture.
 *
 * @param {Pen} draw
 * @param {Api.Snapshot} state
 * @param {number} top
 */
function standing(draw, state, top) {
  const rows = inOrder(state.rows);
  const named = (/** @type {Api.PlayerRow} */ row) => (row.winner ? `★ ${row.player}` : row.player);
  const worth = (/** @type {Api.PlayerRow} */ row) =>
    row.score == null ? row.letters.join("\u2009") || (row.out ? t("out") : "–") : trueMinus(row.score);
  const ems = rows.map((row) => (draw.wide(named(row), 100, 700) + draw.wide(worth(row), 100, 700)) / 100);
  const [longest = 1, second = longest] = [...ems].sort((a, b) => b - a);
  // One name far longer than the others is cut rather than making all small.
  const { lines, wide, step, size } = grid(rows.length, rows.length > 10 ? second : longest, HIGH - 70 - top);
  for (const [i, row] of rows.entries()) {
    const x = PAD + Math.floor(i / lines) * (wide + GUTTER);
    const y = top + ((i % lines) + 1) * step - step * 0.3;
    const end = x + wide;
    draw.box(x, y + step * 0.28, end - x, 1.5, INK.sunk);
    const says = named(row);
    const right = worth(row);
    const taken = draw.wide(right, size, 700);
    const ink = row.winner ? INK.won : row.out ? INK.soft : INK.ink;
    draw.say(says, x, y, { size, weight: row.winner ? 700 : 550, ink, most: end - x - taken - 20 });
    draw.say(right, end, y, { size, weight: 700, ink, align: "right" });
  }
}

/**
 * Draw the result of *state* on *canvas*.
 *
 * @param {HTMLCanvasElement} canvas
 * @param {Api.Snapshot} state
 */
export function paint(canvas, state) {
  canvas.width = WIDE;
  canvas.height = HIGH;
  const draw = pen(/** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d")));
  draw.box(0, 0, WIDE, HIGH, INK.paper);
  let y = head(draw, state);
  if (state.finish?.marks.length) y = photo(draw, state.finish, y);
  standing(draw, state, y + 30);
}
