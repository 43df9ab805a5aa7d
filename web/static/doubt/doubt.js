// @ts-check
// One tap below a verdict tells how sure it is: at its ±, or where everyday words stand in place of one.
import { $$, attr, h } from "../lib/dom.js";
import { t } from "../lib/words.js";

/**
 * Make each ± in the sentences of *list* a button that opens the details; without one let a button below ask for them.
 * *about* says of what, at the time of the tap.
 *
 * @param {Element} list
 * @param {() => Page.Doubted | null} about
 */
export function tellDoubt(list, about) {
  const known = Boolean(about()?.finish.budget);
  for (const bold of $$("b", list)) {
    if (!known || !bold.textContent?.startsWith("±")) continue;
    const label = t("{what}: {says}", { what: t("Uncertainty"), says: bold.textContent });
    bold.replaceWith(button("sure", bold.textContent, about, label));
  }
  const said = list.closest("[aria-live]") ?? list; // the way on is not read aloud with each verdict
  const below = said.nextElementSibling;
  const asks = below?.matches(".how-sure") ? below : button("how-sure", t("How sure?"), about);
  if (asks !== below) said.after(asks);
  attr(asks, "hidden", !known || list.querySelector(".sure") !== null);
}

/**
 * @param {string} name
 * @param {string} words
 * @param {() => Page.Doubted | null} about
 * @param {string} [label]
 */
function button(name, words, about, label) {
  return h(
    "button",
    {
      type: "button",
      class: name,
      "aria-haspopup": "dialog",
      "aria-label": label,
      async click() {
        const known = about();
        if (known) (await import("./details.js")).open(known);
      },
    },
    words,
  );
}
