// @ts-check
// What a table in a hall shows of it: its number, the round, the organiser's word, and the result to sign off.
import { command, reason } from "../lib/api.js";
import { $, attr, h, put } from "../lib/dom.js";
import { live, say } from "../lib/page.js";
import { t } from "../lib/words.js";

/**
 * Show the hall's strip of *state* in *box*.
 *
 * @param {HTMLElement} box
 * @param {Api.Snapshot} state
 */
export function hallStrip(box, state) {
  const { hall } = state;
  attr(box, "hidden", !hall);
  if (!hall) return;
  if (!box.childElementCount) fill(box);
  put($("b", box), [t("Table {n}", { n: hall.number }), hall.title].filter(Boolean).join(" · "));
  put($(".hall-says", box), hall.says);
  put($(".hall-link", box), hall.link ?? "");
  put($(".hall-stuck", box), (hall.stuck ?? []).join(" "));
  const button = $("button", box);
  attr(button, "hidden", !hall.signs || document.body.dataset.control !== "yes");
}

/** @param {HTMLElement} box */
function fill(box) {
  const sign = async () => {
    try {
      live.take(await command({ type: "sign-off" }));
    } catch (refusal) {
      say(reason(refusal));
    }
  };
  box.append(
    h("b"),
    h("span", { class: "hall-says" }),
    h("span", { class: "hall-link gold" }),
    h("span", { class: "hall-stuck gold" }),
    h("button", { type: "button", class: "main", click: sign }, t("Sign the result off")),
  );
}
