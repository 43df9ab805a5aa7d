// @ts-check
// An appeal: the photo finish of the verdict, its raw edges, judged again, and the decision with its reason.
import { ask, reason, turns } from "../../lib/api.js";
import { asking, textIn } from "../../lib/dialogs.js";
import { $, modal, put } from "../../lib/dom.js";
import { LONG_MS, live, orderFromNow, say } from "../../lib/hall-page.js";
import { t } from "../../lib/words.js";
import "../../photo-finish/photo-finish.js";

const turn = turns();

/**
 * Show the appeal of *todo*, and decide it.
 *
 * @param {Hall.Todo} todo
 */
export async function appeal(todo) {
  const dialog = modal("#appeal-dialog");
  const isNewest = turn();
  let found;
  try {
    found = await ask(`/api/v1/hall/verdict?table=${todo.table}&entry=${todo.entry}`);
  } catch (refusal) {
    say(reason(refusal));
    return;
  }
  if (!isNewest()) return;
  put(
    $("#appeal-title"),
    t("{what}: {says}", { what: t("Table {n}", { n: found.number }), says: found.round.headline }),
  );
  put($("#appeal-why"), todo.why ?? "");
  put($("#appeal-again"), found.again);
  put($("#appeal-tape"), found.tape);
  const strip = /** @type {Page.FinishElement} */ ($("#appeal-finish photo-finish"));
  const { finish } = found.round;
  strip.hidden = !finish;
  if (finish) strip.data = { finish, decided: !found.round.void, seats: finish.marks.length };
  const order = orderFromNow();
  asking(dialog, async (form) => {
    const why = textIn(form, "reason");
    let number = lodged(todo);
    if (!number) {
      const about = { number: todo.number, table: todo.table ?? "", entry: todo.entry ?? 0, reason: todo.why ?? why };
      number = (await order({ type: "appeal", ...about })).state.seq;
    }
    const { says } = await order({ type: "decide", appeal: number, decision: textIn(form, "decision"), reason: why });
    if (says) say(says, LONG_MS);
  });
}

/**
 * Return the open appeal against the verdict of *todo*, whoever has lodged it since; 0 when there is none.
 *
 * @param {Hall.Todo} todo
 */
function lodged({ table, entry }) {
  const same = (live.state.todos ?? []).find((one) => one.appeal && one.table === table && one.entry === entry);
  return same?.appeal ?? 0;
}
