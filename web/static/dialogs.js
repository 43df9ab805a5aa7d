// Dialogs that say what will happen, and answer once.
import { $ } from "./dom.js";

/** Open *dialog*; return its form's data when it was confirmed, else null. */
export function confirmed(dialog) {
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((answer) =>
    dialog.addEventListener("close", () => answer(dialog.returnValue === "yes" ? new FormData($("form", dialog)) : null), { once: true }));
}
