// @ts-check
// What a ± is made of: a line and a bar for each share; they add up to it.
import { h } from "../lib/dom.js";
import { t } from "../lib/words.js";

/**
 * Return the lines of *budget*, with its sum above them and what is not in it below.
 *
 * @param {Api.Budget} budget
 */
export function shares(budget) {
  const bar = (/** @type {number} */ u_ns) => {
    const filled = h("b");
    filled.style.width = `${(100 * u_ns) / Math.max(budget.u_ns, 1)}%`;
    return h("span", { class: "g", "aria-hidden": "true" }, filled);
  };
  return h(
    "div",
    { class: "madeof" },
    h("h3", {}, t("Uncertainty"), h("span", {}, `± ${budget.shown}`)),
    h(
      "ul",
      {},
      ...budget.shares.map((share) =>
        h(
          "li",
          {},
          h("span", {}, share.name, h("small", {}, share.how)),
          bar(share.u_ns),
          h("span", { class: "n" }, share.shown),
        ),
      ),
    ),
    ...budget.notes.map((note) => h("p", { class: "k" }, note)),
  );
}
