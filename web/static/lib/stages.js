// @ts-check
// The four states of a round, the same on every screen, the present one by name; and what is to be done first.
import { attr, h, match, put } from "./dom.js";
import { t } from "./words.js";

const STAGES = ["deal", "on", "running", "verdict"];

/**
 * Show in *root*, an ordered list, at what stage the round is; nothing where no round is played.
 *
 * @param {HTMLElement} root
 * @param {Api.Snapshot | null} state
 */
export function stages(root, state) {
  const words = [state?.stage_word ?? t("Deal"), t("Noses on"), t("Running"), t("Verdict")];
  const at = STAGES.indexOf(state?.stage ?? "");
  if (at >= 0) words[at] = state?.stage_says ?? "";
  attr(root, "hidden", at < 0);
  attr(root, "aria-label", t("Round"));
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

const DECIDED = new Set(["verdict", "dead-heat", "void", "won"]);

/**
 * Whether the round, or the game, has come to something at *phase*.
 *
 * @param {string} phase
 */
export const isDecided = (phase) => DECIDED.has(phase);

const SOON_S = 3;

/**
 * Show in *root* what is left to buzz, or to answer; the table counts, this page does not.
 *
 * @param {HTMLElement} root
 * @param {Api.Clock | null} now
 */
export function clock(root, now) {
  attr(root, "hidden", !now);
  put(root, now?.says);
  root.classList.toggle("soon", now !== null && now.left_s <= SOON_S);
  root.style.setProperty("--left", now ? String(now.left_s / Math.max(1, now.of_s)) : "0");
}

/**
 * What has to be done at *state* before cards go round or the game is over, in a sentence; null where nothing is in the
 * way, and of noses that are held, which the moment's own sentence says.
 *
 * @param {Api.Snapshot} state
 */
export const undone = ({ due }) => (due && due.kind !== "play" && due.kind !== "free" ? due.says : null);
