// @ts-check
// The table from above before the first deal: who sits where, clockwise, each with a nose on the rim.
import { attr, childrenOf, h, match, put, s } from "./dom.js";
import { t } from "./words.js";

const MOST_AROUND = 12; // more stand in a list: names around an oval would touch each other

/** @typedef {{ key: string; name: string; says: string; style: string; at: number }} Place */
/** @typedef {{ mine?: string; room?: boolean; tap?: ((at: number) => unknown) | null }} How */

/**
 * Return what stands at each place, in the order of the seats.
 *
 * @param {Api.LobbyView} lobby
 * @param {How} how
 */
function places(lobby, how) {
  /** @type {Place[]} */
  const found = lobby.guests.map((guest, i) => {
    const says = guest.held ? t("tries it") : guest.waits ? t("next deal") : "";
    const style = guest.held ? "held" : guest.id === how.mine ? "mine" : guest.waits ? "waits" : "";
    return { key: guest.id, name: guest.name, says: says || (guest.host ? t("host") : ""), style, at: i + 1 };
  });
  if (how.room) found.push({ key: "free", name: t("free"), says: "", style: "free", at: 0 });
  return found;
}

/** A nose seen from above. */
export const nose = () =>
  s(
    "svg",
    { viewBox: "0 0 96 72", "aria-hidden": "true" },
    s("ellipse", { class: "rim", cx: 48, cy: 36, rx: 46, ry: 34 }),
    s("ellipse", { class: "hole", cx: 33, cy: 36, rx: 6.5, ry: 11 }),
    s("ellipse", { class: "hole", cx: 63, cy: 36, rx: 6.5, ry: 11 }),
  );

/**
 * Draw *lobby* in *root*, an ordered list. *mine* is one's own guest, *room*: a free place is shown, *tap*: what a
 * touch of a place does.
 *
 * @param {HTMLElement} root
 * @param {Api.LobbyView} lobby
 * @param {How} [how]
 */
export function oval(root, lobby, how = {}) {
  const found = places(lobby, how);
  const around = found.length <= MOST_AROUND;
  attr(root, "class", `oval ${around ? "" : "long"}`.trim());
  attr(root, "aria-label", t("The table, clockwise"));
  match(
    root,
    found,
    (one) => `${one.key}${how.tap && one.at ? " tap" : ""}`,
    (one) => {
      const says = [h("bdi"), h("small")];
      const inside = how.tap && one.at ? [h("button", { type: "button" }, nose(), ...says)] : [nose(), ...says];
      return h("li", {}, ...inside);
    },
    (item, one, i) => {
      const turn = Math.PI * (1 + (2 * i) / found.length);
      const [x, y] = [Math.cos(turn), Math.sin(turn)];
      item.className = `${one.style} ${y < -0.25 ? "above" : "below"}`;
      if (around) item.style.cssText = `--x:${x.toFixed(3)};--y:${y.toFixed(3)}`;
      else item.style.cssText = "";
      const box = how.tap && one.at ? /** @type {HTMLButtonElement} */ (item.firstElementChild) : item;
      const [, name, says] = childrenOf(box);
      put(name, one.name);
      put(says, one.says);
      if (box instanceof HTMLButtonElement) {
        attr(box, "aria-label", t("{what}: {says}", { what: t("seat {n}", { n: one.at }), says: one.name }));
        box.onclick = () => how.tap?.(one.at);
      }
    },
  );
}
