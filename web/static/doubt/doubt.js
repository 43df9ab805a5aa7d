// @ts-check
// Where a verdict says ±, one tap tells what it is made of.
import { $$, h } from "../lib/dom.js";
import { t } from "../lib/words.js";

/**
 * Make each ± in the sentences of *list* a button that opens the details; *about* says of what, at the time of the tap.
 *
 * @param {Element} list
 * @param {() => Page.Doubted | null} about
 */
export function tellDoubt(list, about) {
  for (const bold of $$("b", list)) {
    if (!bold.textContent?.startsWith("±") || !about()?.finish.budget) continue;
    bold.replaceWith(
      h(
        "button",
        {
          type: "button",
          class: "sure",
          "aria-haspopup": "dialog",
          "aria-label": t("{sure}: what is it made of?", { sure: bold.textContent }),
          async click() {
            const known = about();
            if (known) (await import("./details.js")).open(known);
          },
        },
        bold.textContent,
      ),
    );
  }
}
