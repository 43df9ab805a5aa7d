// @ts-check
// A zero test as dots: each plate's difference in the claim that it should lie in.
import { h, s } from "../lib/dom.js";
import { clockTime, t } from "../lib/words.js";

const [WIDTH, HALF, R, ROWS] = [350, 144, 4, 10];

/**
 * Stack dots that would cover each other: their places, and how high the highest stack is.
 *
 * @param {number[]} off_ns
 * @param {number} most_ns what reaches to either end
 */
export function stacked(off_ns, most_ns) {
  /** @type {Map<number, number>} */
  const columns = new Map();
  const dots = [...off_ns]
    .sort((a, b) => a - b)
    .map((off) => {
      const column = Math.round((off / most_ns) * (HALF / (2 * R + 1)));
      const level = columns.get(column) ?? 0;
      columns.set(column, level + 1);
      return { x: WIDTH / 2 + column * (2 * R + 1), level, off };
    });
  return { dots, high: Math.max(1, ...columns.values()) };
}

/**
 * Draw *zero*.
 *
 * @param {Api.ZeroView} zero
 */
function zeroDots(zero) {
  const most_ns = Math.max(zero.u_ns, ...zero.off_ns.map(Math.abs), 1);
  const { dots, high } = stacked(zero.off_ns, most_ns);
  const rows = Math.min(Math.max(high, 5), ROWS);
  const pitch = high > rows ? ((rows - 1) * 10) / (high - 1) : 10;
  const floor = rows * 10 + 4;
  const claim = (zero.u_ns / most_ns) * HALF;
  const middle = WIDTH / 2;
  const svg = s("svg", {
    class: "zero",
    viewBox: `0 0 ${WIDTH} ${floor + 24}`,
    role: "img",
    "aria-label": `${t("At most {most} apart.", { most: zero.most_text })} ± ${zero.u_text}`,
  });
  if (zero.u_ns) svg.append(s("rect", { class: "bd", x: middle - claim, y: 2, width: 2 * claim, height: floor - 2 }));
  svg.append(
    s("line", { class: "ax", x1: middle, x2: middle, y1: 2, y2: floor, "stroke-dasharray": "2 4" }),
    s("line", { class: "ax", x1: 0, x2: WIDTH, y1: floor, y2: floor, "stroke-width": 1.5 }),
  );
  for (const { x, level, off } of dots)
    svg.append(
      s("circle", {
        class: Math.abs(off) > zero.u_ns ? "d wide" : "d",
        cx: x,
        cy: floor - R - 1 - level * pitch,
        r: R,
      }),
    );
  svg.append(scaled(middle, floor + 18, "0"));
  if (zero.u_ns && claim > 40)
    for (const side of [-1, 1])
      svg.append(scaled(middle + side * claim, floor + 18, `${side < 0 ? "−" : "+"}${zero.u_text}`));
  return svg;
}

/**
 * @param {number} x
 * @param {number} y
 * @param {string} words
 */
const scaled = (x, y, words) => s("text", { class: "sc", x, y, "text-anchor": "middle" }, words);

/**
 * Return a zero test that is over, or going on, with its heading and what came of it.
 *
 * @param {Api.ZeroView} zero
 * @param {Api.PlayerRow[]} rows who has which nose, as far as that is known
 * @param {"h2" | "h3"} level of its heading
 */
export function zeroTest(zero, rows, level) {
  const inside = zero.off_ns.filter((off) => Math.abs(off) <= zero.u_ns).length;
  const title = zero.at ? t("{what}: {says}", { what: t("Zero test"), says: clockTime(zero.at) }) : t("Zero test");
  return h(
    "div",
    { class: "zerotest" },
    h(level, {}, title, h("span", {}, t("{n} of {of} inside", { n: inside, of: zero.of }))),
    zeroDots(zero),
    h("p", { class: "k" }, closed(zero, rows), ` ${said(zero)}`),
  );
}

/**
 * How both noses were closed: whose phones, or which noses.
 *
 * @param {Api.ZeroView} zero
 * @param {Api.PlayerRow[]} rows
 */
function closed({ lines, by_hand }, rows) {
  const [one, other] = lines.map(
    (line) =>
      (by_hand && rows.find((row) => row.line === line)?.player) || t("Nose {n}", { n: Number(line.split(".")[1]) }),
  );
  return t("{one} and {other}, both at once.", { one, other });
}

/** @param {Api.ZeroView} zero */
function said(zero) {
  if (!zero.off_ns.length) return "";
  const most = t("At most {most} apart.", { most: zero.most_text });
  return zero.missed ? `${most} ${t("Heard alone: {n}.", { n: zero.missed })}` : most;
}
