// @ts-check
// Dialogs that say what will happen, and answer once.
import { reason } from "./api.js";
import { $, attr, maybe, put } from "./dom.js";

/**
 * Return what *dialog*'s form says now.
 *
 * @param {HTMLDialogElement} dialog
 */
export const answersOf = (dialog) => new FormData(/** @type {HTMLFormElement} */ ($("form", dialog)));

/**
 * Return the text that *form* holds under *name*, without space around it.
 *
 * @param {FormData} form
 * @param {string} name
 */
export const textIn = (form, name) => String(form.get(name) ?? "").trim();

/**
 * Open *dialog*; return its form's data when it was confirmed, else null.
 *
 * @param {HTMLDialogElement} dialog
 * @returns {Promise<FormData | null>}
 */
export function confirmed(dialog) {
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((answer) =>
    dialog.addEventListener("close", () => answer(dialog.returnValue === "yes" ? answersOf(dialog) : null), {
      once: true,
    }),
  );
}

/**
 * Open *dialog*, and do *work* with what its form says when that is confirmed. While *work* throws, the dialog stays as
 * it was filled in, and says why in its `.wrong`, which describes a field.
 *
 * @param {HTMLDialogElement} dialog
 * @param {(form: FormData) => Promise<unknown>} work
 */
export function untilDone(dialog, work) {
  const wrong = $(".wrong", dialog);
  const field = /** @type {HTMLElement | null} */ (maybe(`[aria-describedby="${wrong.id}"]`, dialog));
  let busy = false;
  const tell = (/** @type {string} */ why) => {
    put(wrong, why);
    if (field) attr(field, "aria-invalid", why ? "true" : null);
  };
  $("form", dialog).onsubmit = async (event) => {
    if (/** @type {HTMLButtonElement | null} */ (event.submitter)?.value !== "yes") return;
    event.preventDefault();
    if (busy) return;
    busy = true;
    try {
      await work(answersOf(dialog));
      dialog.close("yes");
    } catch (refusal) {
      tell(reason(refusal));
      field?.focus();
    }
    busy = false;
  };
  tell("");
  dialog.showModal();
}
