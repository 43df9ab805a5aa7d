// @ts-check
// A trace: what a line did, as a step that rises when the contact closes, on one axis of time for all its lines.
import { s } from "../../lib/dom.js";
import { duration, t } from "../../lib/words.js";

const [WIDTH, ROW, LEFT, RIGHT, HIGH] = [340, 30, 78, 8, 16];

/**
 * Return the drawing of *trace* (changes with t_ns, line and level); *name(line)* says what a line is called.
 *
 * @param {Api.Seen[]} trace
 * @param {(line: string) => string} name
 */
export function draw(trace, name) {
  const lines = [...new Set(trace.map((one) => one.line))];
  const end_ns = Math.max(1, trace[trace.length - 1].t_ns);
  const before = WIDTH * 0.03;
  const x = (/** @type {number} */ t_ns) => LEFT + before + (t_ns / end_ns) * (WIDTH - LEFT - RIGHT - 2 * before);
  const height = lines.length * ROW + 18;
  const rows = lines.flatMap((line, row) => {
    const low = row * ROW + 22;
    const y = (/** @type {number} */ level) => low - level * HIGH;
    const mine = trace.filter((one) => one.line === line);
    let path = `M${LEFT} ${y(1 - mine[0].level)}`;
    for (const one of mine) path += `H${x(one.t_ns).toFixed(1)}V${y(one.level)}`;
    return [s("text", { x: 0, y: low - 3 }, name(line)), s("path", { d: `${path}H${WIDTH - RIGHT}` })];
  });
  const axis = lines.length * ROW + 2;
  return s(
    "svg",
    {
      viewBox: `0 0 ${WIDTH} ${height}`,
      class: "trace",
      role: "img",
      "aria-label": t("What was seen, over {time}", { time: duration(end_ns) }),
    },
    s("line", { x1: x(0), x2: x(end_ns), y1: axis, y2: axis }),
    ...rows,
    s("text", { x: x(0), y: axis + 13 }, "0"),
    s("text", { x: x(end_ns), y: axis + 13, "text-anchor": "end" }, duration(end_ns)),
  );
}
