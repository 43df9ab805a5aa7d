// @ts-check
// How sure a verdict is, on one sheet: margin and bands to scale, the budget, the zero test, and the protest.
import { ask, command } from "../lib/api.js";
import { $, attr, h, maybe, proof, put, styled } from "../lib/dom.js";
import { attempt, live } from "../lib/page.js";
import { t } from "../lib/words.js";
import { shares } from "./budget.js";
import { decision } from "./decision.js";
import { scale } from "./scale.js";
import { zeroTest } from "./zero-dots.js";

const STYLE = "/static/doubt/doubt.css";

/**
 * Return how sure *finish* is: what a dialog shows, and the page of a round.
 *
 * @param {Api.PhotoFinish} finish
 * @param {boolean} [here] played at this table: its zero test says something about it
 */
function howSure(finish, here = true) {
  const { budget } = finish;
  const root = h("div", { class: "doubt" });
  if (!budget) return root;
  const zero = here ? live.state.zero : null;
  const drawn = scale(finish);
  root.append(h("h2", { id: "doubt-title" }, budget.says), ...(drawn ? [drawn] : []), shares(budget));
  if (zero?.at) root.append(zeroTest(zero, live.state.rows, "h3"));
  else if (here && budget.zero) {
    const how = h("a", { class: "noprint", href: "/zero" }, `${t("Zero test")}…`);
    root.append(h("h3", {}, t("Zero test")), h("p", { class: "k" }, budget.zero, " ", how));
  }
  return root;
}

/**
 * Return the protest of round *seq*, for the host while it can be made, and the decision after it.
 *
 * @param {number} seq
 */
function protest(seq) {
  const decide = decision(seq, () => look());
  if (!decide) return null;
  const say = h("ul", { class: "proof" });
  const button = h("button", { type: "button", click: () => make() }, t("Protest this verdict"));
  const until = h("p", { class: "soft" }, t("Until the next deal. Judged again from the tape."));
  const root = h("div", { class: "thumb noprint" }, say, decide, button, until);

  async function make() {
    if (await attempt(() => command({ type: "protest", seq }))) await look();
  }

  async function look() {
    const { round } = await ask(`/api/v1/rounds/${seq}`);
    proof(say, round.protested || round.contested ? round.proof : []);
    attr(/** @type {Element} */ (decide), "hidden", !round.undecided);
    offer(round.protested);
  }

  /** @param {boolean} done */
  function offer(done) {
    const can = !done && live.state.protestable === seq;
    attr(button, "hidden", !can);
    attr(until, "hidden", !can);
    attr(root, "hidden", !can && !say.children.length);
  }

  live.follow(() => root.isConnected && offer(say.children.length > 0));
  offer(false);
  look().catch(() => {});
  return root;
}

/**
 * Open the sheet of *finish*; *name* is what leads back, *seq* the round in the log (0: not known).
 *
 * @param {Page.Doubted} about
 */
export async function open({ finish, name, seq }) {
  await styled(STYLE);
  const dialog = /** @type {HTMLDialogElement} */ (
    maybe("dialog.doubt-sheet") ?? h("dialog", { class: "doubt-sheet", "aria-labelledby": "doubt-title" })
  );
  const inside = h(
    "div",
    { class: "inside" },
    h(
      "header",
      { class: "back" },
      h("button", { type: "button", click: () => dialog.close() }, h("i", { "aria-hidden": "true" }), h("span")),
    ),
    howSure(finish),
    seq ? protest(seq) : null,
  );
  put($(".back span", inside), name);
  dialog.replaceChildren(inside);
  dialog.onclick = (event) => event.target === dialog && dialog.close();
  dialog.close(); // a second tap finds it open, and what is open cannot be opened
  document.body.append(dialog);
  dialog.showModal();
  dialog.scrollTop = 0;
}

/**
 * Show how sure *finish* is as a part of the page, in *root*.
 *
 * @param {HTMLElement} root
 * @param {Api.PhotoFinish | null} finish
 * @param {boolean} [here]
 */
export async function inPage(root, finish, here = true) {
  await styled(STYLE);
  root.hidden = !finish?.budget;
  root.replaceChildren(...(finish?.budget ? [howSure(finish, here)] : []));
}
