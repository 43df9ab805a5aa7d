// @ts-check
// Dialogs that say what will happen, and answer once.
import { $ } from "./dom.js";

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
