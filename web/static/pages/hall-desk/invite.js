// @ts-check
// Lets tables in: the code of the evening.
import { ask, reason } from "../../lib/api.js";
import { $, h, modal, put } from "../../lib/dom.js";
import { say } from "../../lib/hall-page.js";
import { t } from "../../lib/words.js";

/**
 * Show the code; when it is to *renew*, another.
 *
 * @param {boolean} renew
 */
async function show(renew) {
  const made = await ask("/api/v1/hall/invitations", { body: { renew } });
  put($("#invite-code"), made.code.toUpperCase());
  put($("#invite-line"), made.line);
  const picture = h("img", {
    alt: t("QR code of the address"),
    src: `data:image/svg+xml,${encodeURIComponent(made.qr)}`,
  });
  $("#invite-qr").replaceChildren(picture);
}

/** Open the dialog. */
export async function invite() {
  try {
    await show(false);
    modal("#invite-dialog").showModal();
  } catch (refusal) {
    say(reason(refusal));
  }
}

$("#invite-renew").addEventListener("click", () => show(true).catch((refusal) => say(reason(refusal))));
