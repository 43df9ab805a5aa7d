// @ts-check
// How the totals ran: a line a player, who leads on top and green, the names at their ends. It fills its box.
import { attr, h, s } from "../lib/dom.js";
import { clip, t, trueMinus } from "../lib/words.js";

/**
 * Return the heights of labels that want to stand at *wanted* (in order), at least *step* apart, none below *floor*.
 *
 * @param {number[]} wanted
 * @param {number} step
 * @param {number} floor
 */
export function stacked(wanted, step, floor) {
  const at = [...wanted];
  for (let i = 1; i < at.length; i++) at[i] = Math.max(at[i], at[i - 1] + step);
  for (let i = at.length - 1, edge = floor; i >= 0; i--, edge = at[i + 1] - step) at[i] = Math.min(at[i], edge);
  return at;
}

/**
 * Draw how the totals of *sheet* ran into *box*, *wide* by *high* with letters of *em*.
 *
 * @param {HTMLElement} box
 * @param {Api.Sheet} sheet
 * @param {{ wide: number; high: number; em: number }} size
 */
export function chart(box, sheet, { wide, high, em }) {
  const { players, lines, totals, highest, plain } = sheet;
  const complete = lines.filter((line) => line.complete);
  attr(box, "hidden", !complete.length);
  const runs = players.map((_, i) => [0, ...complete.map((line) => line.cells[i].total ?? 0)]);
  const says = JSON.stringify([players, runs, wide, high]);
  if (box.dataset.says === says || !complete.length) return;
  box.dataset.says = says;
  const ruler = /** @type {CanvasRenderingContext2D} */ (document.createElement("canvas").getContext("2d"));
  ruler.font = `650 100px ${getComputedStyle(box).fontFamily}`;
  const cut = (/** @type {number} */ letters) =>
    players.map((name, i) => `${clip(name, letters)} ${trueMinus(runs[i][complete.length])}`);
  const widest = (/** @type {string[]} */ all) =>
    (Math.max(...all.map((label) => ruler.measureText(label).width)) * em) / 100;
  // As much of a name as leaves the lines their room, which are what is to be seen.
  let labels = cut(14);
  for (let letters = 13; letters > 6 && widest(labels) > 0.4 * wide; letters--) labels = cut(letters);
  const names = widest(labels);
  const [left, right, top, bottom] = [em * 0.3, wide - names - em, em, high - em * 1.9];
  const [low, most] = [Math.min(...runs.flat()), Math.max(...runs.flat(), 1)];
  const x = (/** @type {number} */ i) => left + ((right - left) * i) / complete.length;
  const y = (/** @type {number} */ total) => {
    const down = (total - low) / (most - low || 1);
    return top + (bottom - top) * (highest ? 1 - down : down);
  };
  const ends = runs.map((run, i) => ({ i, at: y(run[run.length - 1]) })).sort((a, b) => a.at - b.at);
  const step = Math.min(em * 1.2, (bottom - top + em) / Math.max(1, ends.length - 1));
  const at = stacked(
    ends.map((end) => end.at),
    step,
    bottom + em * 0.5,
  );
  const about = t("Totals so far. Whoever leads runs on top.");
  const picture = s("svg", {
    viewBox: `0 0 ${wide} ${high}`,
    role: "img",
    "aria-label": `${about} ${players.map((name, i) => `${name} ${trueMinus(totals[i])}`).join(", ")}`,
  });
  for (const line of [top, bottom])
    picture.append(s("path", { class: "sh-grid", d: `M${left} ${line}H${right}`, "stroke-width": em * 0.06 }));
  const leads = (/** @type {number} */ i) => sheet.leaders.includes(i + 1);
  const order = [...ends.entries()].sort(([, a], [, b]) => Number(leads(a.i)) - Number(leads(b.i)));
  for (const [n, end] of order) {
    const lead = leads(end.i) ? " lead" : "";
    const points = runs[end.i].map((total, i) => `${i ? "L" : "M"}${x(i).toFixed(1)} ${y(total).toFixed(1)}`);
    const thick = em * (lead ? 0.24 : 0.12);
    picture.append(s("path", { class: `sh-run${lead}`, d: points.join(""), "stroke-width": thick }));
    const meets = `M${right} ${end.at.toFixed(1)}L${right + em * 0.5} ${at[n].toFixed(1)}`;
    picture.append(s("path", { class: "sh-meets", d: meets, "stroke-width": em * 0.06 }));
    const size = Math.min(em, step);
    const place = { x: right + em * 0.6, y: at[n] + size * 0.35, "font-size": size };
    const name = s("text", { class: `sh-name${lead}`, ...place });
    name.textContent = labels[end.i];
    picture.append(name);
  }
  const scale = (/** @type {number} */ where, /** @type {string} */ words, /** @type {string} */ anchor) => {
    const y = high - em * 0.4;
    const label = s("text", { class: "sh-scale", x: where, y, "text-anchor": anchor, "font-size": em });
    label.textContent = words;
    picture.append(label);
  };
  scale(left, "0", "start");
  const { hand } = complete[complete.length - 1];
  scale(right, plain ? t("round {n}", { n: hand }) : t("hand {n}", { n: hand }), "end");
  box.replaceChildren(h("p", { class: "hint" }, about), picture);
}
