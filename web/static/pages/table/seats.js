// @ts-check
// For the host: what each seat has for a nose, before the round is armed.
import { ask, command, reason } from "../../lib/api.js";
import { confirmed } from "../../lib/dialogs.js";
import { $, attr, childrenOf, h, match, modal, put, s } from "../../lib/dom.js";
import { named } from "../../lib/fit.js";
import { live, say } from "../../lib/page.js";
import { tappable } from "../../lib/taps.js";
import { t } from "../../lib/words.js";

/** @type {Record<string, string>} */
const PICTURES = {
  wired: "M12 3a5 5 0 1 0 0 10a5 5 0 1 0 0-10zM12 13v3c0 3 6 1 6 5",
  phone: "M9 2.500h6a2 2 0 0 1 2 2v15a2 2 0 0 1-2 2H9a2 2 0 0 1-2-2v-15a2 2 0 0 1 2-2zM11 18.500h2",
  page: "M5 4.500h14a2 2 0 0 1 2 2v9a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-9a2 2 0 0 1 2-2zM9 21h6",
};

/**
 * Return what *row* has: its picture, a word, and whether it is away.
 *
 * @param {Api.Snapshot} state
 * @param {Api.PlayerRow} row
 * @returns {{ picture: string; word: string; away: boolean }}
 */
function has(state, row) {
  const phone = state.phones.find((one) => one.line === row.line);
  const picture = phone && !phone.shared ? "phone" : tappable(row.line) || state.simulated ? "page" : "wired";
  if (row.aside) return { picture, word: t("sits out"), away: false };
  if (row.out && !row.winner) return { picture, word: t("out"), away: false };
  if (phone?.state === "missing") return { picture, word: t("No phone"), away: true };
  if (phone?.state === "asleep") return { picture, word: t("asleep"), away: true };
  if (phone?.state === "silent") return { picture, word: t("silent"), away: true };
  if (picture === "phone") return { picture, word: `${ms(phone?.rtt_ns ?? 0)} ms`, away: false };
  return { picture, word: picture === "wired" ? t("wired") : t("this page"), away: false };
}

/** @type {Map<string, string>} */
let phones = new Map(); // by nose
let game = -1;

/**
 * Say whose nose has become another phone, or none, in the game that is played.
 *
 * @param {Api.Snapshot} state
 */
function tellChanges(state) {
  const before = game === state.game_no ? phones : new Map();
  game = state.game_no;
  phones = new Map(state.phones.filter((one) => !one.shared).map((one) => [one.line, one.phone || one.page]));
  for (const { line, player } of state.rows) {
    if (!before.has(line) || before.get(line) === phones.get(line)) continue;
    say(t("{player} has another nose now.", { player }));
  }
}

const hosts = document.body.dataset.control === "yes";
const LONG = /[^\s-]{8}/; // a part of a name that needs a wider seat

/** @param {number} ns */
const ms = (ns) => Math.max(1, Math.round(ns / 1e6));

/**
 * Draw a seat a player into *root*.
 *
 * @param {HTMLElement} root
 * @param {Api.Snapshot} state
 */
export function seats(root, state) {
  tellChanges(state);
  attr(root, "hidden", !state.watched || !state.touched || !state.rows.length);
  root.classList.toggle(
    "roomy",
    state.rows.some((row) => LONG.test(row.player)),
  );
  match(
    root,
    state.watched ? state.rows : [],
    (row) => row.seat,
    () => {
      const picture = s("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, s("path"));
      return h("li", {}, picture, h("bdi"), h("small"), h("button", { type: "button", hidden: true }));
    },
    (item, row) => {
      const found = has(state, row);
      const [picture, name, word, instead] = childrenOf(item);
      attr(picture.firstElementChild ?? picture, "d", PICTURES[found.picture]);
      named(name, row.player, 600);
      put(word, found.word);
      put(instead, t("Use this page"));
      attr(instead, "aria-label", t("{what}: {says}", { what: t("Use this page"), says: row.player }));
      attr(instead, "hidden", !hosts || !found.away || found.picture !== "phone");
      instead.onclick = () => free(row);
      item.classList.toggle("away", found.away);
      item.classList.toggle("out", row.out && !row.winner);
    },
  );
}

/**
 * Let the nose of *row* be touched on this page: its phone is away. A round that was lost with it ends before.
 *
 * @param {{ line: string; player: string }} row
 */
export async function free({ line, player }) {
  const lost = () => live.state.phones.some((one) => one.lost && one.line === line);
  if (lost()) {
    const dialog = modal("dialog#instead");
    put($("h2", dialog), t("{player}’s phone has fallen silent", { player }));
    put(
      $(".what", dialog),
      t("Nobody can know whether or when {player} touched: this round will not count. The next goes with this page.", {
        player,
      }),
    );
    if (!(await confirmed(dialog))) return;
  }
  const why = t("{player}’s phone has fallen silent", { player });
  try {
    if (lost()) live.take(await command({ type: "void", reason: why, under_way: true }));
    await ask("/api/v1/phones/free", { body: { line } });
  } catch (refusal) {
    say(reason(refusal));
  }
}
