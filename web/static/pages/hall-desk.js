// @ts-check
// The organiser's desk: what needs a person first, then all tables, the door, what is said, the list.

import { roundClock } from "../hall/round-clock.js";
import { ask, reason } from "../lib/api.js";
import { $, $$, attr, h, held, input, match, put } from "../lib/dom.js";
import { live, say, wish } from "../lib/hall-page.js";
import { points, t } from "../lib/words.js";
import { appeal } from "./hall-desk/appeal.js";
import { arrange } from "./hall-desk/arrange.js";
import { done } from "./hall-desk/done.js";
import { invite } from "./hall-desk/invite.js";
import { comes, list as everybody, leaves } from "./hall-desk/people.js";
import { table } from "./hall-desk/table.js";

/** @type {Api.GameInfo[]} */
const games = held("#games");
const LISTED = 6;
const DOOR = 5;
const WAITS = ["open", "doubtful", "unsigned"]; // things that need somebody before a round can end
const OPEN = ["waiting", "playing", "unsigned", "doubtful"];

/** @param {Hall.HallScreen} screen */
function show(screen) {
  const todos = alike(screen.todos ?? []);
  put($(".event"), screen.name || t("Hall"));
  put($(".where"), (screen.rounds ?? []).filter((one) => one.called).at(-1)?.title ?? "");
  put($("#needs-title"), title(screen, todos.length));
  put($("#engine"), screen.engine ?? "");
  attr($("#engine"), "hidden", !screen.engine);
  needs(todos);
  next(screen);
  tables(screen);
  door(screen);
  list(screen);
  put($("#event-line"), [screen.game, screen.format].filter(Boolean).join(" · "));
}

/**
 * @param {Hall.HallScreen} screen
 * @param {number} needed
 */
function title(screen, needed) {
  return needed ? t("Needs you: {n}", { n: needed }) : screen.headline;
}

/**
 * Return *todos* in groups: what is the same at several tables, and one touch does for all, is one thing.
 *
 * @param {Hall.Todo[]} todos
 */
function alike(todos) {
  /** @type {Map<string, Hall.Todo[]>} */
  const found = new Map();
  for (const todo of todos) {
    const key = todo.command ? `${todo.kind} ${todo.round} ${todo.says}` : `${found.size}`;
    const group = found.get(key);
    if (group) group.push(todo);
    else found.set(key, [todo]);
  }
  return [...found.values()];
}

/** @param {Hall.Todo[][]} groups */
function needs(groups) {
  match(
    $("#needs"),
    groups,
    ([todo]) => `${todo.kind} ${todo.number} ${todo.round ?? 0} ${todo.appeal ?? 0} ${todo.table ?? ""}`,
    () => {
      const number = [h("i", { class: "unseen" }), h("b", { class: "t num" })];
      const buttons = h(
        "span",
        { class: "acts" },
        h("button", { type: "button" }),
        " ",
        h("button", { type: "button", class: "other" }),
      );
      return h("li", {}, ...number, h("div", {}, h("p"), h("small"), h("p", { class: "came" })), buttons);
    },
    (line, group) => {
      const [todo] = group;
      const numbers = group.map((one) => one.number).join(", ");
      put($(".t", line), group.length > 1 ? `${group.length}×` : todo.number || "…");
      put($("i", line), group.length === 1 && todo.number ? `${t("Table")} ` : "");
      put($("p", line), todo.says);
      put($("small", line), group.length > 1 ? t("Tables {numbers}", { numbers }) : (todo.why ?? ""));
      const results = group.filter((one) => one.places);
      const told = (/** @type {Hall.Todo} */ one) =>
        t("{what}: {says}", { what: t("Table {n}", { n: one.number }), says: one.places });
      put($(".came", line), group.length > 1 ? results.map(told).join("\n") : (todo.places ?? ""));
      const button = $("button", line);
      put(button, todo.button ?? t("Look"));
      attr(button, "class", todo.kind === "appeal" || todo.places ? "main" : null);
      attr(button, "hidden", !(todo.number || todo.command || todo.kind === "asks"));
      button.onclick = () => act(group);
      const other = $("button.other", line);
      put(other, todo.other ?? "");
      attr(other, "hidden", !todo.other);
      other.onclick = () =>
        todo.kind === "asks"
          ? letIn(groups.flat().filter((one) => one.kind === "asks"))
          : wish(
              // why, in the words of who reads it here, as they would write it
              /** @type {Hall.PlayAgain} */ (/** @type {unknown} */ ({ ...todo.other_command, reason: todo.says })),
            );
    },
  );
}

/** Let the tables in that ask. @param {Hall.Todo[]} asking */
async function letIn(asking) {
  try {
    live.take(await ask("/api/v1/hall/let-in", { body: { tables: asking.map((one) => one.table ?? "") } }));
  } catch (refusal) {
    say(reason(refusal));
  }
}

/** @param {Hall.Todo[]} group */
async function act(group) {
  const [todo] = group;
  const place = $$("#needs li").findIndex((line) => line.contains(document.activeElement));
  if (todo.kind === "appeal") return appeal(todo);
  if (todo.kind === "asks") return letIn(group);
  if (!todo.command) return table(todo.number, todo.round);
  for (const one of group) if (!(await wish(/** @type {Hall.Clear} */ (/** @type {unknown} */ (one.command))))) return;
  if (document.activeElement !== document.body) return;
  // Its line has gone, and who works by keyboard goes on with the next.
  const left = $$("#needs button:not([hidden])");
  (left[Math.min(place, left.length - 1)] ?? $("#next")).focus();
}

/** @param {Hall.HallScreen} screen */
function next(screen) {
  const button = $("#next");
  const acts = ["arrange", "draw", "call"].includes(screen.step);
  attr(button, "hidden", !(acts || screen.step === "wait"));
  put(button, acts ? screen.step_says : t("Next round"));
  attr(button, "aria-disabled", acts ? null : "true");
  put($("#why"), screen.step_says);
  attr($("#why"), "hidden", screen.step !== "wait");
}

/** Show the first game that has no result: one that gets none by itself before the others. */
function openGame() {
  const { todos, tables: all } = live.state;
  const found =
    WAITS.map((kind) => todos?.find((one) => one.kind === kind)).find(Boolean) ??
    all?.find((one) => OPEN.includes(one.state));
  if (found) table(found.number, found.round);
}

/** @param {Hall.HallScreen} screen */
function tables(screen) {
  const newest = (screen.rounds ?? []).filter((one) => one.called).at(-1)?.number;
  match(
    $("#tables"),
    screen.tables ?? [],
    (one) => one.number,
    () => {
      const parts = [h("b", { class: "t num" }), " ", h("span"), " ", h("small", { class: "num" })];
      return h("li", {}, h("button", { type: "button" }, h("i", { class: "unseen" }, `${t("Table")} `), ...parts));
    },
    (line, one) => {
      put($(".t", line), one.number);
      const earlier = (screen.rounds ?? []).find((other) => other.number === one.round && one.round !== newest);
      put($("span", line), earlier ? t("{what}: {says}", { what: earlier.title, says: stands(one) }) : stands(one));
      put($("small", line), one.inside === false || !one.n ? "" : t("{have} of {n}", { have: one.have, n: one.n }));
      const gone = !(one.there || one.archived);
      const worry = one.appeal || gone || one.trouble || one.state === "doubtful";
      attr(line, "class", worry ? "gold" : one.state === "playing" ? "play" : "done");
      $("button", line).onclick = () => table(one.number);
    },
  );
}

/** @param {Hall.TablePicture} one */
function stands(one) {
  const won = (one.seats ?? []).filter((seat) => seat.winner).map((seat) => seat.name);
  if (one.appeal) return t("appeal");
  if (one.inside === false && OPEN.includes(one.state)) return t("away");
  if (one.state === "counts" || one.state === "typed") return t("won by {players}", { players: won.join(", ") });
  if (one.by_hand) return t("they settle it by hand");
  if (one.state === "playing") return one.sheet ? t("plays") : t("{n} left", { n: one.left ?? 0 });
  if (one.state === "unsigned") return t("not signed off");
  if (one.state === "doubtful") return t("to look at");
  const here = (one.seats ?? []).filter((seat) => seat.here).length;
  if (one.state === "waiting" && one.sheet) return t("has not begun");
  if (one.state === "waiting") return t("{here} of {n} are here", { here, n: (one.seats ?? []).length });
  if (one.archived) return "";
  return one.there ? t("ready") : t("away");
}

/** @param {Hall.HallScreen} screen */
function door(screen) {
  const people = screen.people ?? [];
  const there = people.filter((one) => one.there !== false);
  put($("#counts"), String(there.length));
  const newest = people
    .filter((one) => one.there === false || one.guest || (one.from_round ?? 1) !== 1)
    .slice(-DOOR)
    .reverse();
  match(
    $("#people"),
    newest,
    (one) => one.entrant,
    () => h("li", {}, h("span", {}, h("bdi"), h("small")), h("button", { type: "button" })),
    (line, one) => {
      const gone = one.there === false;
      put($("bdi", line), one.name);
      put($("small", line), about(one));
      attr(line, "class", gone ? "gone" : null);
      const button = $("button", line);
      put(button, gone ? t("Plays on") : t("Leaves"));
      button.onclick = () => wish({ type: gone ? "return" : "leave", entrants: [one.entrant] });
    },
  );
}

/** @param {Hall.ListedPerson} one */
function about(one) {
  if (one.there === false) return t("has left");
  return [
    one.from_round === 0 ? t("came too late: plays no round") : null,
    (one.from_round ?? 1) > 1 ? t("plays from round {n} on", { n: one.from_round }) : null,
    one.guest ? t("Guest: no rank") : null,
  ]
    .filter(Boolean)
    .join(", ");
}

/** @param {Hall.HallScreen} screen */
function list(screen) {
  match(
    $("#standings"),
    (screen.standings ?? []).slice(0, LISTED),
    (one) => one.entrant,
    () => h("li", {}, h("i"), h("bdi"), h("b", { class: "num" })),
    (line, one) => {
      put($("i", line), one.place ?? "–");
      put($("bdi", line), one.name);
      put($("b", line), points(one.points));
    },
  );
}

$("#next").addEventListener("click", () => {
  const { step } = live.state;
  if (step === "arrange") arrange(games);
  else if (step === "draw") wish({ type: "draw" });
  else if (step === "call") wish({ type: "call-round" });
  else say(live.state.step_says);
});
$("#why").addEventListener("click", openGame);
$("#arrange").addEventListener("click", () => arrange(games));
$("#comes").addEventListener("click", comes);
$("#list").addEventListener("click", everybody);
$("#last-done").addEventListener("click", done);
$("#leaves").addEventListener("click", leaves);
input("#list-open").addEventListener("change", () =>
  wish({ type: "close-list", closed: !input("#list-open").checked }),
);
live.follow((screen) => {
  input("#list-open").checked = !screen.list_closed;
});
$("#announce").addEventListener("submit", (event) => {
  event.preventDefault();
  wish({ type: "announce", says: input("#announcement").value });
});
$("#unsay").addEventListener("click", async () => {
  if (await wish({ type: "announce", says: "" })) input("#announcement").value = "";
});
$("#invite").addEventListener("click", invite);
input("#announcement").value = live.state.says ?? "";
roundClock(live);
live.follow(show);
