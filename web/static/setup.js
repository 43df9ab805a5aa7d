// Setting the table in under a minute: game, people, house rules, start.
import { $, $$, attr, h, match, put, s } from "./dom.js";
import { command } from "./api.js";
import { alike, forget, keep, load, tidy } from "./draft.js";
import { live, say, where } from "./frame.js";
import * as options from "./options.js";
import { People } from "./people.js";
import { Variations } from "./variations.js";
import { t } from "./words.js";

const read = (id) => JSON.parse($(id).textContent);
const games = read("#games");
const known = read("#known");
const noses = read("#lines");
const draft = load() ?? fresh();
const people = new People($(".seatlist"), draft.people, { changed, real: !live.state.simulated, bind });

function fresh() {
  const { state } = live;
  return {
    game: games.some((game) => game.name === state.game) ? state.game : games[0].name,
    people: state.rows.map((row) => ({ name: row.player, line: null })),
    options: state.game ? { [state.game]: { ...state.options } } : {},
    rearm_s: state.rearms_in_ns === null ? null : state.rearms_in_ns / 1e9,
  };
}

const game = () => games.find((one) => one.name === draft.game) ?? games[0];
const chosen = () => (draft.options[game().name] ??= {});

/** Return the options that were chosen and count. */
function counting() {
  const keys = new Set(options.relevant(game().options, chosen()).map((field) => field.key));
  return Object.fromEntries(Object.entries(chosen()).filter(([key]) => keys.has(key)));
}

function changed() {
  keep({ ...draft, people: people.people });
  const { title, seats, options: fields } = game();
  const n = people.people.length;
  put($("#count"), n ? t("{n} so far", { n }) : "");
  const remembered = known.filter((name) => !people.people.some((person) => alike(person.name, name)));
  attr($("#remembered"), "hidden", !remembered.length);
  match($("#remembered .chips"), remembered.slice(0, 30), (name) => name, (name) => h("button", { type: "button", click: () => added(name) }, `+ ${name}`));
  options.hide($("#options .options"), fields, chosen());
  attr($("#rulebook"), "href", `/help/${encodeURIComponent(game().name)}?options=${encodeURIComponent(JSON.stringify(counting()))}`);
  attr($("#after"), "hidden", !game().watched);
  put($("#rules"), options.summary(fields, chosen()));
  put($("#pace"), draft.rearm_s === null ? t("waits for the host") : t("arms itself after {n} s", { n: draft.rearm_s }));
  put($("#start span"), n ? t("Start {game} with {n}", { game: title, n }) : t("Start"));
  put($("#start-wrong"), "");
  if ($("#people-wrong").textContent) put($("#people-wrong"), seating(seats));
}

function seating({ fewest, most }) {
  const n = people.people.length;
  if (n < fewest) return t("{game} takes {fewest} to {most} players; {n} so far.", { game: game().title, fewest, most, n });
  if (n > most) return t("{game} takes {fewest} to {most} players; these are {n}.", { game: game().title, fewest, most, n });
  if (n > noses.length && game().watched) return t("This table has {noses} noses for {n} players.", { noses: noses.length, n });
  return "";
}

// ---- the game and its rules

match($(".games"), games, (one) => one.name, (one) => h("label", { class: "pick" },
  h("input", { type: "radio", name: "game", value: one.name, checked: one.name === draft.game }),
  h("span", { class: "withemblem" }, s("svg", { viewBox: "0 0 24 24", class: "emblem", "aria-hidden": "true" }, s("path", { d: one.emblem })), one.title),
  h("small", {}, `${one.summary} ${t("{fewest} to {most} players.", one.seats)}`)));
$(".games").addEventListener("change", (event) => {
  draft.game = event.target.value;
  rules();
  changed();
});

new Variations(read("#variations"), games, {
  take({ game: name, options: kept }) {
    draft.game = name;
    draft.options[name] = { ...kept };
    for (const input of $$(".games input")) input.checked = input.value === name;
    rules();
    changed();
  },
  chosen: () => ({ game: game().name, options: counting() }),
});

function rules() {
  options.draw($("#options .options"), game().options, chosen(), (key, value) => {
    chosen()[key] = value;
    const field = $(`[data-option="${key}"] .wrong`);
    if (field && game().options.find((one) => one.key === key).kind !== "word") put(field, "");
    changed();
  });
}

// ---- the people

function added(name) {
  const refused = people.add(name);
  put($("#newcomer-wrong"), refused);
  return !refused;
}

function take() {
  const field = $("#newcomer");
  const names = field.value.split(/[,;\n]/).map(tidy).filter(Boolean);
  if (!names.length) return;
  const left = names.filter((name) => !added(name));
  field.value = left.join(", ");
  field.focus();
}
$("#add").addEventListener("click", take);
$("#newcomer").addEventListener("input", () => put($("#newcomer-wrong"), ""));
$("#newcomer").addEventListener("keydown", (event) => {
  if (event.key !== "Enter") return;
  event.preventDefault();
  take();
});

async function bind(player) {
  try {
    live.take(await command({ type: "bind", player }));
  } catch (refusal) {
    say(refusal.message);
  }
}

function bound(state, before) {
  people.waiting = state.binding;
  for (const [number, line] of Object.entries(state.bindings ?? {})) {
    const person = people.people[number - 1];
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
  if (!people.people.some((person) => person.line)) return live.state.simulated ? noses.slice(0, people.people.length) : null;
  const free = noses.filter((line) => !people.people.some((person) => person.line === line));
  return people.people.map((person) => person.line ?? free.shift() ?? "");
}

// ---- after the verdict

const pace = $("#after");
$(`[value=${draft.rearm_s === null ? "host" : "self"}]`, pace).checked = true;
if (draft.rearm_s !== null) $("[name=seconds]", pace).value = draft.rearm_s;
pace.addEventListener("input", () => {
  const waits = $("[value=host]", pace).checked;
  attr($("#delay"), "hidden", waits);
  draft.rearm_s = waits ? null : Number($("[name=seconds]", pace).value);
  changed();
});
attr($("#delay"), "hidden", draft.rearm_s === null);

// ---- start

$("#setup").addEventListener("submit", async (event) => {
  event.preventDefault();
  if ($("#newcomer").value.trim()) take();
  put($("#people-wrong"), seating(game().seats));
  people.show();
  const field = $(".seatlist [aria-invalid=true]") ?? $("#options:not([hidden]) [aria-invalid=true]");
  if (field || $("#people-wrong").textContent) {
    field?.closest("details")?.setAttribute("open", "");
    (field ?? $("#newcomer")).focus();
    return;
  }
  const start = $("#start");
  start.disabled = true;
  try {
    await begin();
  } catch (refusal) {
    if (!options.blame($("#options .options"), game().options, refusal)) put($("#start-wrong"), refusal.message);
  } finally {
    start.disabled = false;
  }
});

$("#take-up input")?.addEventListener("change", async (event) => {
  const wrong = $("#take-up .wrong");
  put(wrong, "");
  try {
    const sheet = JSON.parse(await event.target.files[0].text());
    await command({ type: "import", sheet });
    forget();
    location.assign("/");
  } catch (problem) {
    put(wrong, problem instanceof SyntaxError ? t("This file is no score sheet.") : problem.message);
    event.target.value = "";
  }
});

async function begin() {
  await command({
    type: "start", game: game().name, players: people.people.map((person) => tidy(person.name)), lines: lines(), rearm_s: draft.rearm_s,
    options: counting(),
  });
  forget();
  location.assign("/");
}

rules();
$$("#options, #after").forEach((one) => (one.open = matchMedia("(min-width: 62rem)").matches));
people.show();
live.follow((state, before) => {
  where(state);
  const running = !["setup", "won"].includes(state.phase);
  attr($("#running"), "hidden", !running);
  if (running) put($("#running"), t("{game} is being played. Starting here ends it; its rounds stay in the history.", { game: state.title }));
  bound(state, before);
});
