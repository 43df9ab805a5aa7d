// @ts-check
// What a photo finish shows beside its marks: what was taken, feints, touches without one. They do not decide.
import { s } from "../lib/dom.js";
import { t } from "../lib/words.js";

const KINDS = ["lift", "feint", "phantom"];

/**
 * Return what the kinds of *asides* are called, in a fixed order, each with how often it is there.
 *
 * @param {Api.Aside[]} asides
 */
export function kinds(asides) {
  /** @type {Record<string, string>} */
  const names = { lift: t("taken"), feint: t("taken and put back"), phantom: t("touched without one") };
  return KINDS.filter((kind) => asides.some((one) => one.kind === kind)).map((kind) => ({
    kind,
    name: names[kind],
    n: asides.filter((one) => one.kind === kind).length,
  }));
}

/**
 * @param {string} kind
 * @param {number} x
 * @param {number} y
 * @param {number} r
 */
function sign(kind, x, y, r) {
  if (kind === "phantom")
    return s("path", { class: "pf-aside", d: `M${x - r} ${y - r}l${2 * r} ${2 * r}m0 ${-2 * r}l${-2 * r} ${2 * r}` });
  const diamond = `M${x} ${y - r * 1.3}l${r * 1.1} ${r * 1.3}l${-r * 1.1} ${r * 1.3}l${-r * 1.1} ${-r * 1.3}z`;
  return s("path", { class: kind === "feint" ? "pf-aside pf-feint" : "pf-aside pf-taken", d: diamond });
}

/**
 * Return the legend of *strip* as rows of {kind, name, x}, each as wide as the strip at most.
 *
 * @param {Page.Strip} strip
 */
export function legend(strip) {
  const { em } = strip;
  const size = Math.max(12, em * 0.9);
  /** @type {Page.Legend[][]} */
  const rows = [];
  let x = 0;
  for (const { kind, name } of kinds(strip.asides)) {
    const width = em * 2.2 + strip.measure(name, size, 400);
    if (!rows.length || x + width > strip.width) {
      rows.push([]);
      x = strip.pad * 0.6;
    }
    rows[rows.length - 1].push({ kind, name, x });
    x += width;
  }
  return rows;
}

/**
 * Draw the asides of *strip* on its axis, and below it what they mean.
 *
 * @param {Page.Strip} strip
 * @param {SVGElement} svg
 * @param {number} axis
 */
export function asides(strip, svg, axis) {
  const { em } = strip;
  const group = s("g", {});
  for (const one of strip.asides) group.append(sign(one.kind, strip.x(one.t_ns), axis, em * 0.36));
  svg.append(group);
  for (const [i, row] of strip.legend.entries()) {
    const y = axis + em * (3.1 + 1.5 * i);
    for (const { kind, name, x } of row)
      svg.append(
        sign(kind, x + em * 0.4, y - em * 0.3, em * 0.36),
        strip.word("pf-scale", x + em * 1.1, y, name, "start", Math.max(12, em * 0.9)),
      );
  }
}
