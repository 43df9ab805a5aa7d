// @ts-check
// What lies on the table, in groups, told on this phone: tap one together, lay it there.
// It stays for every question of the hand.
import { attr, childrenOf, h, lastIn, match, put } from "../lib/dom.js";
import { t } from "../lib/words.js";
import { piece } from "./pieces.js";

/** @typedef {{ groups: string[][]; draft: string[] | null }} Lying */

/** @type {Map<string, Lying>} */
const tables = new Map(); // by hand of a game

/** @param {string} of */
function table(of) {
  const found = tables.get(of) ?? { groups: [], draft: null };
  tables.set(of, found);
  return found;
}

/** Return the groups that lie there, in the hand *of* a game. */
export const groups = (/** @type {string} */ of) => table(of).groups;

/** Return the group that is being tapped together, null when none is. */
export const draft = (/** @type {string} */ of) => table(of).draft;

/**
 * Let *pieces* be what is tapped together so far; return whether a group is.
 *
 * @param {string} of
 * @param {string[]} pieces
 */
export function drafted(of, pieces) {
  if (table(of).draft === null) return false;
  table(of).draft = pieces;
  return true;
}

/**
 * Draw into *root* what lies there; *label* is what it is called, *again()* draws and asks again.
 *
 * @param {HTMLElement} root
 * @param {string | null | undefined} label
 * @param {Page.Drawn} drawn
 * @param {string} of
 * @param {() => void} again
 */
export function lying(root, label, drawn, of, again) {
  const now = table(of);
  const doing = (/** @type {() => void} */ change) => () => {
    change();
    again();
  };
  attr(root, "hidden", !label);
  if (!label) return;
  if (!root.firstElementChild)
    root.append(h("h3"), h("ul", { class: "ly-groups" }), h("p", { class: "hint" }), h("div", { class: "ly-do" }));
  const [head, list, hint, buttons] = childrenOf(root);
  put(head, label);
  match(
    list,
    now.groups,
    (group, i) => `${i} ${group.join(" ")}`,
    (group) => h("li", {}, ...group.map((name) => piece(name, drawn)), h("button", { type: "button" }, t("Remove"))),
    (item, group) => {
      lastIn(item).onclick = doing(() => {
        now.groups = now.groups.filter((one) => one !== group);
      });
    },
  );
  put(hint, now.draft === null ? "" : t("Tap what lies there together, a run from its low end up."));
  match(
    buttons,
    choices(now),
    ([words]) => words,
    ([words]) => h("button", { type: "button" }, words),
    (button, [, change]) => {
      button.onclick = doing(change);
    },
  );
}

/**
 * Return what can be done now: a button's words and its change.
 *
 * @param {Lying} now
 * @returns {[words: string, change: () => void][]}
 */
function choices(now) {
  const set = (/** @type {string[] | null} */ pieces) => {
    now.draft = pieces;
  };
  if (now.draft === null) return [[t("Add what lies there"), () => set([])]];
  const lay = () => {
    if (!now.draft?.length) return;
    now.groups = [...now.groups, now.draft];
    set(null);
  };
  return [
    [t("On the table"), lay],
    [t("Cancel"), () => set(null)],
  ];
}
