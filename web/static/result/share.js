// @ts-check
// The result to keep: shown first, then shared from the phone where it can, else saved. Nothing leaves by itself.
import { attr, h, put } from "../lib/dom.js";
import { readable } from "../lib/names.js";
import { say } from "../lib/page.js";
import { t } from "../lib/words.js";
import { paint } from "./paint.js";

/**
 * Show the result of *state* as a picture, with a button to share or save it.
 *
 * @param {Api.Snapshot} state
 */
export function keep(state) {
  const canvas = h("canvas", {
    class: "result",
    role: "img",
    "aria-label": t("{what}: {says}", { what: state.title, says: state.headline }),
  });
  paint(canvas, state);
  const said = [state.title ?? "", state.headline, ...state.proof, ...state.rows.map((row) => row.player)];
  readable(said).then(() => paint(canvas, state)); // once more with letters that had to be fetched
  const name = `last-nose-${new Date().toLocaleDateString("sv")}.png`; // in Sweden they write 2026-11-30
  /** @type {HTMLDialogElement} */
  const dialog = h(
    "dialog",
    { class: "result", "aria-label": t("The result as a picture"), close: () => dialog.remove() },
    canvas,
    h(
      "div",
      { class: "do" },
      h("button", { type: "button", click: () => dialog.close() }, t("Close")),
      h(
        "button",
        { type: "button", class: "main", click: (event) => busy(event.currentTarget, () => give(canvas, name)) },
        may() ? t("Share…") : t("Save it"),
      ),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
}

/** Whether this browser shares files; over plain HTTP none does. */
function may() {
  const probe = new File([], "x.png", { type: "image/png" });
  return Boolean(navigator.canShare?.({ files: [probe] }));
}

/**
 * Let *button* say that the picture is being made, and take no other press, until *work* is done.
 *
 * @param {Element} button
 * @param {() => Promise<unknown>} work
 */
async function busy(button, work) {
  if (button.hasAttribute("aria-busy")) return;
  const words = button.textContent;
  attr(button, "aria-busy", "true");
  put(button, t("Making the picture…"));
  await work();
  attr(button, "aria-busy", null);
  put(button, words);
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {string} name
 */
async function give(canvas, name) {
  /** @type {Blob | null} */
  const picture = await new Promise((done) => canvas.toBlob(done, "image/png"));
  if (!picture) return say(t("That did not work"));
  if (may()) {
    try {
      await navigator.share({ files: [new File([picture], name, { type: "image/png" })] });
    } catch (problem) {
      if (/** @type {Error} */ (problem).name !== "AbortError") say(t("That did not work"));
    }
    return;
  }
  const address = URL.createObjectURL(picture);
  h("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
