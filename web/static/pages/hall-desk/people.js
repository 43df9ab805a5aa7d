// @ts-check
// The list: who comes, who plays on (one or forty at once), and how somebody is written.
import { ask, turns } from "../../lib/api.js";
import { asking, confirmed, textIn } from "../../lib/dialogs.js";
import { $, $$, h, input, match, modal, put } from "../../lib/dom.js";
import { textOf } from "../../lib/file-text.js";
import { live, order, orderFromNow, say, wish } from "../../lib/hall-page.js";
import { t } from "../../lib/words.js";

const READING_MS = 60_000; // how long it stands there what was left out of a list

/** Ask who comes: names, or a file of them; say how reading went. */
export function comes() {
  asking(modal("#comes-dialog"), async (form) => {
    const file = /** @type {File | null} */ (form.get("file"));
    const written = file?.size ? await textOf(file) : textIn(form, "written");
    const { says } = await order({ type: "add-people", written });
    input("#comes-dialog textarea").value = "";
    input("#comes-dialog [name=file]").value = "";
    if (says) say(says, READING_MS);
  });
}

/**
 * Let the search of *dialog* hide the lines of its list that it does not name.
 *
 * @param {HTMLDialogElement} dialog
 */
function searching(dialog) {
  const search = input("[name=search]", dialog);
  const look = () => {
    const wanted = search.value.trim().toLocaleLowerCase();
    for (const line of $$(".ticks li", dialog))
      line.hidden = !(line.textContent ?? "").toLocaleLowerCase().includes(wanted);
  };
  search.value = "";
  search.oninput = look;
}

/** Show the list: whoever is touched can be written differently. */
export function list() {
  const dialog = modal("#list-dialog");
  const show = () =>
    match(
      $(".ticks", dialog),
      live.state.people ?? [],
      (one) => one.entrant,
      () => h("li", {}, h("button", { type: "button" }, h("bdi"), h("small"))),
      (line, one) => {
        put($("bdi", line), one.name);
        put($("small", line), [one.club, one.family, one.guest ? t("Guest: no rank") : ""].filter(Boolean).join(" · "));
        $("button", line).onclick = () => person(one, show);
      },
    );
  $("[data-do=new]", dialog).onclick = () => person(null, show);
  show();
  searching(dialog);
  dialog.showModal();
}

const turn = turns();

/**
 * Ask how *one* is written, or who is new; call *done* then.
 *
 * @param {Hall.ListedPerson | null} one
 * @param {() => void} done
 */
async function person(one, done) {
  const dialog = modal("#person-dialog");
  put($("h2", dialog), one ? one.name : t("Somebody new"));
  input("[name=name]", dialog).value = one ? one.plain || one.name : "";
  for (const name of /** @type {const} */ (["club", "family"]))
    input(`[name=${name}]`, dialog).value = one?.[name] ?? "";
  input("[name=guest]", dialog).checked = one?.guest ?? false;
  const written = orderFromNow();
  const isNewest = turn();
  const kept = one ? await ask(`/api/v1/hall/person?entrant=${one.entrant}`).catch(() => null) : null;
  if (!isNewest()) return;
  input("[name=born]", dialog).value = String(kept?.born || "");
  asking(dialog, async (form) => {
    const person = {
      name: textIn(form, "name"),
      club: textIn(form, "club"),
      family: textIn(form, "family"),
      guest: form.has("guest"),
      born: Number(textIn(form, "born") || 0),
    };
    await written(one ? { type: "rewrite", entrant: one.entrant, person } : { type: "add-person", person });
    done();
  });
}

/** Ask who plays on, and tell the hall what has changed. */
export async function leaves() {
  const dialog = modal("#leaves-dialog");
  const people = live.state.people ?? [];
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
  searching(dialog);
  const form = await confirmed(dialog);
  if (!form) return;
  const there = new Set(form.getAll("there").map(Number));
  const gone = people.filter((one) => one.there !== false && !there.has(one.entrant)).map((one) => one.entrant);
  const back = people.filter((one) => one.there === false && there.has(one.entrant)).map((one) => one.entrant);
  if (gone.length) await wish({ type: "leave", entrants: gone });
  if (back.length) await wish({ type: "return", entrants: back });
}
