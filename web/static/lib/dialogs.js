// @ts-check
// Dialogs that say what will happen, and answer once.
import { reason } from "./api.js";
import { $, put } from "./dom.js";
import { say } from "./notes.js";

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

// Enter in a field does what the main button does, and not what the first one does: that is "Never mind".
document.addEventListener("keydown", (event) => {
  const field = /** @type {Element} */ (event.target);
  if (event.key !== "Enter" || event.isComposing || !field.matches("dialog input:not([type=file])")) return;
  const main = field.closest("dialog")?.querySelector("button.main:not([value=no])");
  if (!(main instanceof HTMLButtonElement)) return;
  event.preventDefault();
  main.click();
});

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
 * Open *dialog*, whose form is `novalidate`; send what it says when it is confirmed. It stays open, and says why,
 * while something is typed wrong and when *send* raises: at the field that its sentence describes, if there is one.
 * An answer that comes when it was closed meanwhile, or asks something else, closes nothing and is said beside it.
 *
 * @param {HTMLDialogElement} dialog
 * @param {(form: FormData) => Promise<unknown>} send
 */
export function asking(dialog, send) {
  const form = /** @type {HTMLFormElement} */ ($("form", dialog));
  const says = $("p.wrong", form);
  let going = false;
  put(says, "");
  const submitted = async (/** @type {SubmitEvent} */ event) => {
    if (/** @type {HTMLButtonElement | null} */ (event.submitter)?.value !== "yes") return;
    event.preventDefault();
    if (going || !typedRight(form)) return;
    going = true;
    put(says, "");
    const stands = () => dialog.open && form.onsubmit === submitted;
    try {
      await send(answersOf(dialog));
      if (stands()) dialog.close("yes");
    } catch (refusal) {
      if (!stands()) return say(reason(refusal));
      put(says, reason(refusal));
      fieldOf(says)?.focus({ preventScroll: true });
      says.scrollIntoView({ block: "nearest" });
    }
    going = false;
  };
  form.onsubmit = submitted;
  dialog.returnValue = "";
  dialog.showModal();
}

/**
 * Return the field that *says* describes.
 *
 * @param {HTMLElement} says
 */
const fieldOf = (says) =>
  says.id ? /** @type {HTMLElement | null} */ (document.querySelector(`[aria-describedby="${says.id}"]`)) : null;

/**
 * Return whether all that *form* shows is typed right; else lead to the first field that is not.
 *
 * @param {HTMLFormElement} form
 */
function typedRight(form) {
  const fields = /** @type {HTMLInputElement[]} */ ([...form.elements]);
  const wrong = fields.find(
    (one) => !one.closest("[hidden]") && (one.ariaInvalid === "true" || one.checkValidity?.() === false),
  );
  wrong?.closest("details")?.setAttribute("open", "");
  wrong?.focus();
  wrong?.reportValidity();
  return !wrong;
}
