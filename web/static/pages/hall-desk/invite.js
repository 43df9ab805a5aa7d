// @ts-check
// Lets a table in: a one-time code.
import { ask, reason } from "../../lib/api.js";
import { $, h, modal, put } from "../../lib/dom.js";
import { say } from "../../lib/hall-page.js";
import { t } from "../../lib/words.js";

/** Show a new code. */
export async function invite() {
  try {
    const made = await ask("/api/v1/hall/invitations", { body: {} });
    put($("#invite-line"), made.line);
    const picture = h("img", {
      alt: t("QR code of the address"),
      src: `data:image/svg+xml,${encodeURIComponent(made.qr)}`,
    });
    $("#invite-qr").replaceChildren(picture);
    modal("#invite-dialog").showModal();
  } catch (refusal) {
    say(reason(refusal));
  }
}
