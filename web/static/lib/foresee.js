// @ts-check
// What a change would change behind it, shown before it is done.
import { ask, reason } from "./api.js";
import { h } from "./dom.js";
import { t } from "./words.js";

/** Which answer each box waits for: what was asked before does not show. @type {WeakMap<Element, number>} */
const turns = new WeakMap();

/**
 * Show in *box* what *wish* would change, nothing without one; return whether it fits, null when asked again meanwhile.
 *
 * @param {HTMLElement} box
 * @param {Api.ChangeWish | null} wish
 * @returns {Promise<boolean | null>}
 */
export async function foresee(box, wish) {
  const turn = (turns.get(box) ?? 0) + 1;
  turns.set(box, turn);
  if (!wish) {
    box.replaceChildren();
    return true;
  }
  try {
    const { fits, says, more } = await ask("/api/v1/preview", { body: wish });
    if (turn !== turns.get(box)) return null;
    const changes = says.length ? t("What that changes:") : t("That changes nothing behind it.");
    const rest = more ? [h("li", {}, t("and {n} more", { n: more }))] : [];
    box.replaceChildren(
      h("p", fits ? {} : { class: "wrong" }, fits ? changes : t("That does not fit:")),
      h("ul", {}, ...says.map((line) => h("li", {}, line)), ...rest),
    );
    return fits;
  } catch (refusal) {
    if (turn !== turns.get(box)) return null;
    box.replaceChildren(h("p", { class: "wrong" }, reason(refusal)));
    return false;
  }
}
