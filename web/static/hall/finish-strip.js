// @ts-check
// A photo finish as one strip from edge to edge of the paper: the axis, and what decided on it.
import { s } from "../lib/dom.js";
import { inWords } from "../photo-finish/in-words.js";
import { bands, closest, niceStep } from "../photo-finish/layout.js";

const WIDE = 1122;
const FROM = 330;
const TO = 791;
const AXIS = 60;
const TICKS = 50;

/**
 * Draw the marks of *finish* that decided.
 *
 * @param {Api.PhotoFinish} finish
 */
export function finishStrip(finish) {
  const svg = s("svg", { viewBox: `0 0 ${WIDE} 92`, role: "img", "aria-label": inWords(finish) });
  const marks = closest(finish.marks, finish.margin_ns);
  const [first, last] = [marks[0], marks[marks.length - 1]];
  svg.append(s("line", { class: "fs-axis", x1: 0, x2: WIDE, y1: AXIS, y2: AXIS }));
  if (!first || first === last) return svg;
  const scale = (TO - FROM) / Math.max(1, last.t_ns - first.t_ns);
  const step = niceStep(WIDE / scale, TICKS) * scale;
  for (let i = -Math.floor(FROM / step); FROM + i * step <= WIDE; i++) {
    const x = (FROM + i * step).toFixed(1);
    svg.append(s("line", { class: "fs-axis", x1: x, x2: x, y1: AXIS, y2: AXIS + (i % 5 ? 9 : 16) }));
  }
  const half = bands(finish.marks, marks, finish.u_ns);
  for (const mark of marks) {
    const x = FROM + (mark.t_ns - first.t_ns) * scale;
    const wide = Math.min(FROM, Math.max(2, (half.get(mark.seat) ?? 0) * scale));
    const style = mark.last ? " fs-last" : "";
    svg.append(
      s("rect", { class: `fs-band${style}`, x: x - wide, width: 2 * wide, y: 34, height: 52 }),
      s("line", { class: `fs-hand${style}`, x1: x, x2: x, y1: 34, y2: 86 }),
      s("text", { class: `fs-name${style}`, x, y: 24, "text-anchor": "middle" }, mark.player),
    );
  }
  if (finish.margin_text) {
    const words = `${finish.margin_text}${finish.u_text ? ` ± ${finish.u_text}` : ""}`;
    svg.append(s("text", { class: "fs-gap", x: (FROM + TO) / 2, y: 46, "text-anchor": "middle" }, words));
  }
  return svg;
}
