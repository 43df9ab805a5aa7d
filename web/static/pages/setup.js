// @ts-check
// Setting the table in under a minute: game, people, house rules, start.
import { ask, command, Refused, reason } from "../lib/api.js";
import { $, $$, attr, h, held, input, match, maybe, put, s } from "../lib/dom.js";
import * as options from "../lib/game-options.js";
import { invite } from "../lib/invite.js";
import * as browser from "../lib/kept.js";
import { namesIn, pasting, tidy } from "../lib/name-list.js";
import { readable } from "../lib/names.js";
import { fair, live, say, where } from "../lib/page.js";
import { tappable, wires } from "../lib/taps.js";
import { LANG, t } from "../lib/words.js";
import { Arrivals } from "./setup/arrivals.js";
import { Circle } from "./setup/circle.js";
import { deck } from "./setup/deck.js";
import { People } from "./setup/people.js";
import { forget, keep, load } from "./setup/setup-draft.js";
import { Variations } from "./setup/variations.js";

/** @type {Api.GameInfo[]} */
const games = held("#games");
/** @type {string[]} */
const known = held("#known");
/** @type {{ game: string; players: string[]; options: Page.Options; at: number } | null} */
const last = held("#last");
const WIDE = matchMedia("(min-width: 62rem)").matches;
/** @type {string[]} */
const noses = held("#lines");
const boxes = [$("#at-hand"), $("#options .options")]; // one touch away, and the others
const draft = begun();
let together = false; // somebody has come by phone: the seats are shown
let leaving = false; // our own game begins: its page is on its way

const real = !live.state.simulated && (wires || document.body.dataset.drivable !== "yes"); // a nose to press
const phones = wires ? noses.filter(tappable) : [];
const wired = noses.some((line) => !tappable(line)); // what is touched on pages waits for the host
const people = new People($(".seatlist"), draft.people, { changed, real, bind, phones });
const arrivals = new Arrivals(people, {
  noses,
  may: document.body.dataset.control === "yes",
  shown() {
    people.show();
    changed(false);
  },
});
people.left = (person) => arrivals.left(person);
const circle = new Circle($(".circle"), people, known);

/** Return what this tab was setting up; without people, those of the last time. */
function begun() {
  const [kept, made] = [load(), fresh()];
  if (!kept) return made;
  const ruled = Object.values(kept.options).some((one) => Object.keys(one).length > 0);
  if (!kept.people.length && !ruled) return made;
  return kept.people.length ? kept : { ...kept, people: made.people };
}

/** @returns {Page.Draft} */
function fresh() {
  const { state } = live;
  const game = state.game || last?.game;
  const names = state.rows.length ? state.rows.map((row) => row.player) : (last?.players ?? []);
  const rules = state.game ? state.options : last?.options;
  return {
    game: games.find((one) => one.name === game)?.name ?? games[0].name,
    people: names.map((name, id) => ({ id, name, line: null })),
    options: game ? { [game]: { ...rules } } : {},
    rearm_s: state.rearms_in_ns === null ? null : state.rearms_in_ns / 1e9,
  };
}

/** @type {[Page.Person, string][]} Who was listed when the page last looked, and under which names. */
let listed_before = people.people.map((person) => [person, person.name]);
const game = () => games.find((one) => one.name === draft.game) ?? games[0];
const chosen = () => (draft.options[game().name] ??= {});

/** Return the options that were chosen and count. */
const counting = () => options.counting(game().options, chosen());

/** @param {boolean} [here] somebody has changed it on this page */
function changed(here = true) {
  if (
    here &&
    people.people.some((person, i) => person !== listed_before[i]?.[0] || person.name !== listed_before[i]?.[1])
  )
    arrivals.touched();
  else if (here && people.people.length !== listed_before.length) arrivals.touched();
  listed_before = people.people.map((person) => [person, person.name]);
  if (!leaving) keep({ ...draft, people: people.people });
  readable(people.people.map((person) => person.name)); // fields are no text of the page
  const { title, seats, summary, crowd, options: fields } = game();
  const n = people.people.length;
  put($("#count"), n ? t("{n} so far", { n }) : "");
  attr($("#order"), "hidden", !n);
  const phones = people.people.some((person) => person.phone);
  if (phones && !together) /** @type {HTMLDetailsElement} */ ($("#order")).open = together = true;
  $("#setup").classList.toggle("together", together);
  fair(game().on_phones);
  circle.show(input("#newcomer").value);
  for (const box of boxes) options.hide(box, fields, chosen());
  attr(
    $("#rulebook"),
    "href",
    `/help/${encodeURIComponent(game().name)}?options=${encodeURIComponent(JSON.stringify(counting()))}`,
  );
  attr($("#after"), "hidden", !game().watched || !wired);
  put($("#rules"), options.summary(fields, chosen()));
  put(
    $("#pace"),
    draft.rearm_s === null ? t("Waits for the host") : t("Arms itself after {n} s", { n: draft.rearm_s }),
  );
  starting();
  attr($("#game .emblem path"), "d", game().emblem);
  put($("#game b"), title);
  put($("#game small"), lately());
  put($("#about"), `${summary} ${crowd ? sentence(crowd) : t("{fewest} to {most} players.", { ...seats })}`);
  const wrong = people.wrong().size > 0 || maybe("#options [aria-invalid=true]") !== null;
  deck(game(), wrong ? [] : people.people.map((person) => tidy(person.name)), counting());
  put($("#start-wrong"), "");
  if ($("#people-wrong").textContent) put($("#people-wrong"), seating(seats));
}

/** Say on the button how many it begins with: also whoever is typed, and not yet in the list. */
function starting() {
  const n = people.with(namesIn(input("#newcomer").value));
  put($("#start span"), n ? t("Play {game} with {n}", { game: game().title, n }) : t("Start"));
}

/** Return when this game was played last, if it was the last one. */
function lately() {
  if (!last || last.game !== game().name) return "";
  const ago_s = Date.now() / 1000 - last.at;
  if (ago_s < 20 * 3600 || ago_s > 6 * 86400) return t("as last time");
  const day = new Intl.DateTimeFormat(LANG === "bs" ? "hr" : LANG, { weekday: "long" }).format(
    new Date(last.at * 1000),
  );
  return t("as on {day}", { day });
}

/** @param {Api.SeatRange} given */
function seating({ fewest, most }) {
  const n = people.people.length;
  const { title, crowd } = game();
  if (n < fewest || n > most)
    return crowd
      ? t("{game}, {crowd}; you have {n}.", { game: title, crowd, n })
      : t("{game} takes {fewest} to {most} players; you have {n}.", { game: title, fewest, most, n });
  if (n > noses.length && game().watched)
    return t("This table has {noses} noses for {n} players.", { noses: noses.length, n });
  return "";
}

// ---- the game and its rules

/** @param {string} words */
function sentence(words) {
  return `${words.charAt(0).toLocaleUpperCase(LANG)}${words.slice(1)}.`;
}

match(
  $(".games"),
  games,
  (one) => one.name,
  (one) =>
    h(
      "label",
      { class: "pick" },
      h("input", { type: "radio", name: "game", value: one.name, checked: one.name === draft.game }),
      h(
        "span",
        { class: "withemblem" },
        s("svg", { viewBox: "0 0 24 24", class: "emblem", "aria-hidden": "true" }, s("path", { d: one.emblem })),
        one.title,
      ),
    ),
);
$(".games").addEventListener("change", (event) => {
  draft.game = /** @type {HTMLInputElement} */ (event.target).value;
  if (!WIDE) /** @type {HTMLDetailsElement} */ ($("#game")).open = false;
  rules();
  changed();
});

new Variations(held("#variations"), games, {
  take({ game: name, options: kept }) {
    draft.game = name;
    draft.options[name] = { ...kept };
    for (const one of /** @type {HTMLInputElement[]} */ ($$(".games input"))) one.checked = one.value === name;
    rules();
    changed();
  },
  chosen: () => ({ game: game().name, options: counting() }),
});

function rules() {
  const parts = [true, false].map((at_hand) => game().options.filter((one) => one.at_hand === at_hand));
  attr($("#at-hand"), "hidden", !parts[0].length);
  for (const [i, box] of boxes.entries()) options.draw(box, parts[i], chosen(), set);
}

/**
 * @param {string} key
 * @param {unknown} value
 */
function set(key, value) {
  chosen()[key] = value;
  const field = maybe(`[data-option="${key}"] .wrong`);
  const kind = game().options.find((one) => one.key === key)?.kind;
  if (field && kind !== "word" && kind !== "number") put(field, "");
  changed();
}

// ---- the people

function take() {
  const field = input("#newcomer");
  listed(field.value);
  field.focus();
}

/**
 * Add the names of a list of any length; what cannot be added stays in the field, with the reason.
 *
 * @param {string} words
 */
function listed(words) {
  const names = namesIn(words);
  if (!names.length) return;
  /** @type {string[]} */
  const left = [];
  let why = "";
  for (const name of names) {
    const refused = people.add(name);
    if (refused) left.push(name);
    why ||= refused;
  }
  input("#newcomer").value = left.join(", ");
  put($("#newcomer-wrong"), why);
  changed();
}
$("#mix").addEventListener("click", () => people.mix());
pasting(input("#newcomer"), take);
$("#add").addEventListener("click", take);
$("#newcomer").addEventListener("input", () => {
  put($("#newcomer-wrong"), "");
  circle.show(input("#newcomer").value);
  starting();
});
$("#newcomer").addEventListener("keydown", (event) => {
  if (event.key !== "Enter") return;
  event.preventDefault();
  take();
});

/** @param {number | null} player */
async function bind(player) {
  try {
    live.take(await command({ type: "bind", player }));
  } catch (refusal) {
    say(reason(refusal));
  }
}

/**
 * @param {Api.Snapshot} state
 * @param {Api.Snapshot | null} before
 */
function bound(state, before) {
  people.waiting = state.binding;
  for (const [number, line] of Object.entries(state.bindings ?? {})) {
    const person = people.people[Number(number) - 1];
    if (!person || before?.bindings?.[number] === line) continue;
    for (const other of people.people) if (other.line === line) other.line = null;
    person.line = line;
  }
  people.show();
  changed();
}

/** Return a nose for each player, or null when nobody was bound: then the table deals them out. */
function lines() {
  if (!game().watched) return null;
  if (!people.people.some((person) => person.line)) {
    return real ? null : noses.slice(0, people.people.length);
  }
  const free = noses.filter((line) => !people.people.some((person) => person.line === line));
  return people.people.map((person) => person.line ?? free.shift() ?? "");
}

// ---- after the verdict

const pace = $("#after");
input(`[value=${draft.rearm_s === null ? "host" : "self"}]`, pace).checked = true;
if (draft.rearm_s !== null) input("[name=seconds]", pace).value = String(draft.rearm_s);
pace.addEventListener("input", () => {
  const waits = input("[value=host]", pace).checked;
  attr($("#delay"), "hidden", waits);
  draft.rearm_s = waits ? null : Number(input("[name=seconds]", pace).value);
  changed();
});
attr($("#delay"), "hidden", draft.rearm_s === null);

// ---- start

$("#setup").addEventListener("submit", async (event) => {
  event.preventDefault();
  if (input("#newcomer").value.trim()) take();
  put($("#people-wrong"), seating(game().seats));
  people.show();
  const names = maybe(".seatlist [aria-invalid=true]");
  if (names) $("#order").setAttribute("open", "");
  const field = names ?? maybe("#options:not([hidden]) [aria-invalid=true]");
  if (field || $("#people-wrong").textContent) {
    field?.closest("details")?.setAttribute("open", "");
    (field ?? $("#newcomer")).focus();
    return;
  }
  try {
    await begin({
      type: "start",
      game: game().name,
      players: people.people.map((person) => tidy(person.name)),
      lines: lines(),
      ...(wired ? { rearm_s: draft.rearm_s } : {}),
      options: counting(),
      seq: live.state.seq,
    });
  } catch (refusal) {
    const named = refusal instanceof Refused && options.blame($("#setup"), game().options, refusal);
    if (!named) put($("#start-wrong"), reason(refusal));
  }
});

maybe("#take-up input")?.addEventListener("change", async () => {
  const file = input("#take-up input");
  const wrong = $("#take-up .wrong");
  put(wrong, "");
  try {
    const sheet = JSON.parse((await file.files?.[0]?.text()) ?? "");
    await begin({ type: "import", sheet });
  } catch (problem) {
    put(wrong, problem instanceof SyntaxError ? t("This file is not a score sheet.") : reason(problem));
    file.value = "";
  }
});

/**
 * Let the table begin what *wish* says, and go there. Raise Refused.
 *
 * @param {Api.Command} wish
 */
async function begin(wish) {
  going(true);
  try {
    await command(wish);
    if (arrivals.removed.length) await ask("/api/v1/lobby", { body: { guests: named(), removed: arrivals.removed } });
  } catch (refusal) {
    going(false);
    if (isSet()) return toTable(); // what was heard of it meanwhile is all that will come
    throw refusal;
  }
  forget();
  browser.keep(browser.VIEW, "play");
  location.assign("/");
}

/** Whether the table, of which this page was the first one, has been set. */
const isSet = () => live.state.phase !== "setup" && location.pathname === "/";

function toTable() {
  browser.keep(browser.VIEW, "play");
  location.reload();
}

const named = () => people.people.map((person) => ({ name: tidy(person.name), id: person.guest ?? "" }));

/** @param {boolean} on */
function going(on) {
  leaving = on;
  input("#start").disabled = on; // also while the next page is on its way: a second press would start another game
}
addEventListener("pagehide", () => leaving && going(false)); // who comes back finds it as it was

rules();
for (const one of /** @type {HTMLDetailsElement[]} */ ($$("#order, #game, #options, #after"))) one.open = WIDE;
maybe("[data-do=phones]")?.addEventListener("click", invite);
people.show();
live.follow((state, before) => {
  where(state);
  if (!leaving && before?.phase === "setup" && isSet()) toTable(); // somebody else has set it
  const running = !["setup", "won"].includes(state.phase);
  attr($("#running"), "hidden", !running);
  if (running)
    put(
      $("#running"),
      t("{game} is being played. Starting here ends it; its rounds stay in the history.", { game: state.title }),
    );
  arrivals.follow(state);
  bound(state, before);
});
