// @ts-check
// Who plays on: a list to tick, with a search; one or forty at once.
import { confirmed } from "../../lib/dialogs.js";
import { $, $$, h, input, modal } from "../../lib/dom.js";
import { live, wish } from "../../lib/hall-page.js";

/** Ask who plays on, and tell the hall what has changed. */
export async function leaves() {
  const dialog = modal("#leaves-dialog");
  const people = live.state.people ?? [];
  const search = input("[name=search]", dialog);
  search.value = "";
  $(".ticks", dialog).replaceChildren(
    ...people.map((one) =>
      h(
        "li",
        {},
        h(
          "label",
          {},
          h("input", { type: "checkbox", name: "there", value: one.entrant, checked: one.there !== false }),
          h("bdi", {}, one.name),
          h("small", {}, one.club ?? ""),
        ),
      ),
    ),
  );
  search.oninput = () => {
    const wanted = search.value.trim().toLocaleLowerCase();
    for (const line of $$(".ticks li", dialog))
      line.hidden = !(line.textContent ?? "").toLocaleLowerCase().includes(wanted);
  };
  const form = await confirmed(dialog);
  if (!form) return;
  const there = new Set(form.getAll("there").map(Number));
  const gone = people.filter((one) => one.there !== false && !there.has(one.entrant)).map((one) => one.entrant);
  const back = people.filter((one) => one.there === false && there.has(one.entrant)).map((one) => one.entrant);
  if (gone.length) await wish({ type: "leave", entrants: gone });
  if (back.length) await wish({ type: "return", entrants: back });
}
