// @ts-check
// Lets a machine in: a one-time code for a table, a screen or a second hub; and puts screens and hubs out again.
import { ask, reason } from "../../lib/api.js";
import { $, h, input, match, modal, put } from "../../lib/dom.js";
import { say, wish } from "../../lib/hall-page.js";
import { t } from "../../lib/words.js";

/** Show a new code for what is chosen. */
export async function invite() {
  const kind = input("#invite-kind input:checked").value;
  try {
    const made = await ask("/api/v1/hall/invitations", { body: { kind } });
    put($("#invite-line"), made.line);
    const picture = h("img", {
      alt: t("QR code of the address"),
      src: `data:image/svg+xml,${encodeURIComponent(made.qr)}`,
    });
    $("#invite-qr").replaceChildren(picture);
    if (!modal("#invite-dialog").open) modal("#invite-dialog").showModal();
  } catch (refusal) {
    say(reason(refusal));
  }
}

/**
 * List the screens and second hubs that are in.
 *
 * @param {Hall.HallScreen} screen
 */
export function admitted(screen) {
  match(
    $("#admitted"),
    screen.admitted ?? [],
    (one) => one.id,
    (one) =>
      h(
        "li",
        {},
        h("span", {}, one.kind === "hub" ? t("Second hub") : t("Screen"), " ", h("bdi", {}, one.name)),
        h("button", { type: "button", click: () => wish({ type: "put-key-out", id: one.id }) }, t("Put out")),
      ),
  );
}
