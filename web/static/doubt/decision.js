// @ts-check
// What the host makes of a round that is contested or protested: it stands, or it is voided; the reason is kept.
import { command } from "../lib/api.js";
import { h, input } from "../lib/dom.js";
import { attempt } from "../lib/page.js";
import { t } from "../lib/words.js";

/**
 * Return the form with which the host decides about round *seq*; null for who only watches. It is hidden until
 * somebody shows it.
 *
 * @param {number} seq
 * @param {() => unknown} [decided]
 */
export function decision(seq, decided = () => {}) {
  if (document.body.dataset.control !== "yes") return null;
  const form = h(
    "form",
    {
      class: "contest noprint",
      hidden: true,
      novalidate: true,
      submit: (/** @type {Event} */ e) => e.preventDefault(),
    },
    h(
      "label",
      { class: "field" },
      `${t("Why?")} `,
      h("input", { type: "text", name: "reason", maxlength: 120, autocomplete: "off" }),
    ),
  );
  /** @type {(wish: (reason: string) => Api.Command) => () => Promise<void>} */
  const does = (wish) => async () => {
    if (await attempt(() => command(wish(input("[name=reason]", form).value.trim())))) decided();
  };
  form.append(
    h(
      "div",
      { class: "do" },
      h(
        "button",
        { type: "button", class: "keep", click: does((reason) => ({ type: "keep", seq, reason })) },
        t("Keep it as it was judged"),
      ),
      h(
        "button",
        {
          type: "button",
          class: "void",
          click: does((reason) => ({ type: "amend", seq, move: { type: "void", reason } })),
        },
        t("It does not count"),
      ),
    ),
  );
  return form;
}
