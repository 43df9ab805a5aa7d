// @ts-check
// The four states of a round, the same on every screen; the present one says its name.
import { attr, h, match, put } from "./dom.js";
import { t } from "./words.js";

const STAGES = ["deal", "on", "running", "verdict"];

/**
 * Show in *root*, an ordered list, that a round is at *now*; nothing where no round is played.
 *
 * @param {HTMLElement} root
 * @param {string} now
 */
export function stages(root, now) {
  const words = [t("Deal"), t("Noses on"), t("Running"), t("Verdict")];
  const at = STAGES.indexOf(now);
  attr(root, "hidden", at < 0);
  attr(root, "aria-label", t("State of the round"));
  match(
    root,
    words,
    (_, i) => i,
    () => h("li"),
    (item, word, i) => {
      put(item, word);
      item.classList.toggle("done", i < at);
      attr(item, "aria-current", i === at ? "step" : null);
    },
  );
}
