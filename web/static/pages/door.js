// @ts-check
// The table's way into a hall and out of it, while it runs.
import { ask, reason } from "../lib/api.js";
import { $, attr, h, held, input, put } from "../lib/dom.js";
import "../lib/page.js";
import { t } from "../lib/words.js";

const LOOK_MS = 2000; // how often is asked whether the desk has answered
/** @type {Api.DoorView} */
let view = held("#view");

function show() {
  const { stands, number, check, hall, says } = view;
  put($(".door h1"), { out: t("Join a hall"), asks: t("Join a hall"), in: t("This is table") }[stands] ?? "");
  put($(".door .t"), stands === "in" ? (number ?? "") : (check ?? ""));
  attr($(".door .t"), "hidden", stands === "out");
  const waits = t("The desk of {hall} shows these letters: it lets this table in there.", { hall: hall ?? "" });
  put($("#door-says"), says ?? (stands === "asks" ? waits : stands === "in" ? (hall ?? "") : ""));
  attr($("#door"), "hidden", stands !== "out");
  attr($("#near"), "hidden", stands !== "out");
  attr($("#door-in"), "hidden", stands !== "in");
  attr($("#door-leave"), "hidden", stands === "out");
  put($("#door-leave"), stands === "in" ? t("Leave the hall") : t("Never mind"));
}

/**
 * Show what *call* answers, or why not.
 *
 * @param {Promise<Api.DoorView>} call
 */
async function take(call) {
  put($("#door .wrong"), "");
  try {
    view = await call;
  } catch (refusal) {
    put($("#door .wrong"), reason(refusal));
  }
  show();
}

/** List the halls that announce themselves in this network. */
async function look() {
  put($("#near-says"), t("Looking for halls…"));
  try {
    const { halls } = await ask("/api/v1/hall/near");
    put($("#near-says"), halls.length ? "" : t("No hall is announced here: type its address."));
    $("#near .halls").replaceChildren(
      ...halls.map(({ address, title }) => {
        const click = () => take(ask("/api/v1/hall", { body: { address } }));
        const called = h("b", {}, title || address);
        return h("li", {}, h("button", { type: "button", click }, called, " ", h("small", {}, address)));
      }),
    );
  } catch (refusal) {
    put($("#near-says"), reason(refusal));
  }
}

$("#near-again").addEventListener("click", look);
$("#door").addEventListener("submit", (event) => {
  event.preventDefault();
  take(ask("/api/v1/hall", { body: { address: input("#door [name=address]").value } }));
});
$("#door-leave").addEventListener("click", () => take(ask("/api/v1/hall/leave", { body: {} })));
setInterval(() => {
  if (view.stands === "asks") take(ask("/api/v1/hall"));
}, LOOK_MS);
show();
if (view.stands === "out") look();
