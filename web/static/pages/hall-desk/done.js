// @ts-check
// What was done in the hall of late: each entry can be taken back, and let hold again.
import { ask, reason } from "../../lib/api.js";
import { $, attr, h, match, modal, put } from "../../lib/dom.js";
import { order, say } from "../../lib/hall-page.js";
import { clockTime, t } from "../../lib/words.js";

/** Show what was done last. */
export async function done() {
  const dialog = modal("#done-dialog");
  put($("p.wrong", dialog), "");
  try {
    await show(dialog);
    dialog.showModal();
  } catch (refusal) {
    say(reason(refusal));
  }
}

/** @param {HTMLDialogElement} dialog */
async function show(dialog) {
  const { entries } = await ask("/api/v1/hall/done");
  attr($("#done-none"), "hidden", entries.length > 0);
  match(
    $("#done"),
    entries,
    (one) => one.seq,
    () => h("li", {}, h("span", {}, h("bdi"), h("small")), h("button", { type: "button" })),
    (line, one) => {
      put($("bdi", line), one.says);
      put($("small", line), [clockTime(one.at), one.who, one.back ? t("taken back") : ""].filter(Boolean).join(" · "));
      attr(line, "class", one.back ? "gone" : null);
      const button = $("button", line);
      put(button, one.back ? t("Let it hold") : t("Take back"));
      attr(button, "aria-label", t("{what}: {says}", { what: button.textContent, says: one.says }));
      button.onclick = () => toggle(dialog, one);
    },
  );
}

/**
 * @param {HTMLDialogElement} dialog
 * @param {Hall.Done} one
 */
async function toggle(dialog, one) {
  const wrong = $("p.wrong", dialog);
  put(wrong, "");
  try {
    await order({ type: one.back ? "renew" : "take-back", of: one.seq });
    await show(dialog);
  } catch (refusal) {
    put(wrong, reason(refusal));
    wrong.scrollIntoView({ block: "nearest" });
  }
}
