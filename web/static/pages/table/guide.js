// @ts-check
// What to do now, in order.
import { card } from "../../lib/cards.js";
import { attr, childrenOf, h, match, put, sentences } from "../../lib/dom.js";
import { say } from "../../lib/icons.js";
import { isDecided } from "../../lib/stages.js";

const FINGERS_MS = 1200; // how long noses stay under the fingers after a verdict
let decided_ms = -Infinity;
let phase = "";

/**
 * Return what the page shows: "deal" (the steps), "race" (the noses), or "other" where a game has no steps.
 *
 * Noses stay until the fingers are off them; *again* is called when that is over.
 *
 * @param {Api.Snapshot} state
 * @param {() => void} again
 */
export function screen(state, again) {
  if (isDecided(state.phase) && !isDecided(phase) && phase) {
    decided_ms = performance.now();
    setTimeout(again, FINGERS_MS + 20);
  }
  phase = state.phase;
  if (state.phase === "judging" || state.phase === "blocked" || state.hushed) return "race";
  if (isDecided(state.phase)) {
    const fingers = state.rows.some((row) => row.held) || performance.now() - decided_ms < FINGERS_MS;
    return fingers && state.phase !== "won" ? "race" : "deal";
  }
  if (!state.guide) return state.phase === "armed" ? "race" : "other";
  return state.phase === "armed" && !state.dealing ? "race" : "deal";
}

/**
 * Draw the steps of *state* into *list*.
 *
 * @param {{ list: HTMLElement; notes: HTMLElement; root: HTMLElement }} places
 * @param {Api.Snapshot} state
 * @param {boolean} racing
 * @param {boolean} roomy the list stays beside the noses
 */
export function guide({ list, notes, root }, state, racing, roomy) {
  const steps = state.guide ? [...state.guide.before, ...state.guide.then] : told(state);
  const now = state.guide?.before.length ?? steps.length;
  const over = ["setup", "won", "playing"].includes(state.phase);
  const away = racing && !roomy;
  const at = state.phase === "armed" ? now : steps.length - 1;
  const going = racing && ["armed", "judging"].includes(state.phase);
  attr(root, "hidden", over || (away && !state.notes.length) || !(steps.length || state.notes.length));
  attr(list, "hidden", away || !steps.length);
  match(
    list,
    away || over ? [] : steps,
    (step, i) => `${i}${step.says}`,
    made,
    (item, step, i) => {
      item.classList.toggle("now", going ? i === at : i < now);
      put(childrenOf(item)[0], going && i < at ? "✓" : i + 1);
      say(childrenOf(childrenOf(item)[1])[0], step.says);
    },
  );
  sentences(notes, over ? [] : state.notes);
}

/**
 * A game without steps of its own has advice, in the order to read it aloud.
 *
 * @param {Api.Snapshot} state
 * @returns {Page.Todo[]}
 */
const told = (state) =>
  (state.advice?.sentences ?? []).map((says, i) => ({
    says,
    short: "",
    more: null,
    stacks: false,
    cards: i ? [] : (state.advice?.remove ?? []),
  }));

/** @param {Page.Todo} step */
function made(step) {
  const body = h("div", {}, h("p"));
  if (step.cards.length) {
    const pictures = step.cards.slice(0, 13).map((one) => h("span", { class: step.stacks ? "stack" : "" }, card(one)));
    body.append(
      h(
        "div",
        { class: `dealt ${step.stacks ? "stacks" : ""} ${step.cards.length > 7 ? "many" : ""}` },
        h("span", { class: "cards" }, ...pictures),
        step.more && h("span", { class: "more" }, step.more),
      ),
    );
  } else if (step.more) body.append(h("p", { class: "more" }, step.more));
  return h("li", {}, h("i", { "aria-hidden": "true" }), body);
}
