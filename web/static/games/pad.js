// @ts-check
// The pad of whose turn it is: what has been laid, the sum in the largest type, big keys. No game is known here.
import { $, attr, childrenOf, firstIn, h, lastIn, match, put, s } from "../lib/dom.js";
import { t } from "../lib/words.js";

/** @type {string | null} */
let open = null; // the key that has more than one outcome and was pressed, and when: `seq key`

/**
 * Draw the pad of *state* into *root*; *send(move)* presses a key, without it nothing can be pressed.
 *
 * @param {HTMLElement} root
 * @param {Api.Snapshot} state
 * @param {Page.Send | null} send
 */
export function pad(root, state, send) {
  const found = state.entries.find((entry) => entry.ask === "pad");
  attr(root, "hidden", !found);
  if (!found) return;
  if (!root.dataset.made) {
    root.dataset.made = "yes";
    root.prepend(
      h(
        "div",
        { class: "pd-pile", "aria-hidden": "true" },
        h("div", { class: "pd-laid" }),
        h("b", { class: "pd-sign" }),
      ),
      h("p", { class: "hint" }),
      h("div", { class: "pd-keys", role: "group" }),
      h("div", { class: "pd-which", role: "group", tabindex: "-1" }),
    );
  }
  const [pile, hint, keys, which] = childrenOf(root);
  match(
    $(".pd-laid", pile),
    found.laid.slice(-9),
    (_, i) => found.laid.length - Math.min(9, found.laid.length) + i,
    (one) => face(one),
  );
  const sign = $(".pd-sign", pile);
  if (put(sign, found.sign)) {
    sign.classList.remove("land");
    void sign.offsetWidth; // begin the movement again
    sign.classList.add("land");
  }
  sign.classList.toggle("long", found.sign.length > 3);
  put(hint, send ? found.explain : null);
  attr(keys, "aria-label", found.label);
  const press = (/** @type {Api.Key} */ key, /** @type {Api.Choice} */ choice) => {
    open = null;
    send?.({ type: found.move, seat: found.seat, key: key.key, value: choice.value });
  };
  const asked = !send ? undefined : found.keys.find((key) => `${state.seq} ${key.key}` === open);
  match(
    keys,
    found.keys,
    (key) => key.key,
    () => h("button", { type: "button" }, h("b"), h("small")),
    (button, key) => {
      put(firstIn(button), key.label);
      put(
        lastIn(button),
        key.choices.length > 1 ? key.choices.map((choice) => choice.value).join(" / ") : short(key.choices[0]),
      );
      attr(
        button,
        "aria-label",
        t("{what}: {says}", { what: key.label, says: key.choices.map((choice) => choice.label).join(" / ") }),
      );
      attr(button, "aria-expanded", key.choices.length > 1 ? String(key === asked) : null);
      button.disabled = !send;
      button.onclick = () => {
        if (key.choices.length === 1) return press(key, key.choices[0]);
        open = key === asked ? null : `${state.seq} ${key.key}`;
        pad(root, state, send);
        if (open) which.querySelector("button")?.focus({ preventScroll: false });
      };
    },
  );
  attr(which, "hidden", !asked);
  attr(which, "aria-label", asked ? t("What does the {key} make?", { key: asked.label }) : null);
  match(
    which,
    asked ? asked.choices : [],
    (choice) => `${asked?.key} ${choice.value}`,
    () => h("button", { type: "button", class: "main two" }, h("span"), h("small")),
    (button, choice) => {
      put(firstIn(button), choice.label);
      put(lastIn(button), choice.explain);
      button.onclick = () => asked && press(asked, choice);
    },
  );
}

/**
 * What a choice comes to, short enough for a key.
 *
 * @param {Api.Choice} choice
 */
const short = (choice) => (/^\D.{0,7}$/.test(choice.label) ? choice.label : t("makes {n}", { n: choice.value }));

/**
 * A card with nothing but its value, drawn.
 *
 * @param {string} value
 */
function face(value) {
  const words = s("text", {
    x: 15,
    y: 46,
    "text-anchor": "middle",
    "font-size": value.length > 1 ? 22 : 32,
    "font-weight": 750,
    class: "cd-black",
  });
  words.textContent = value;
  return s(
    "svg",
    { viewBox: "0 0 50 70" },
    s("rect", { class: "cd-face", x: 0.5, y: 0.5, width: 49, height: 69, rx: 6 }),
    words,
  );
}
