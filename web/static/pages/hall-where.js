// @ts-check
// Where do I sit? A name, the table seen from one's own chair, who sits beside.
import { ask, reason } from "../lib/api.js";
import { $, attr, h, input, match, put, s } from "../lib/dom.js";
import { named } from "../lib/fit.js";
import { live, say } from "../lib/hall-page.js";
import { keep, kept } from "../lib/kept.js";
import { t } from "../lib/words.js";

const KEPT = "lastnose-hall-name";
const SOON_MS = 250; // how soon after a letter is asked who that is
const SPREAD_MS = 4000; // all phones of a hall do not ask at once what has changed
const MIDDLE = 175; // of the picture, which is 350 wide
const [TABLE_Y, TABLE_WIDE, TABLE_HIGH] = [146, 74, 66]; // how far the table's edge is from its middle
const ME = 21; // how large my own seat is
const NARROW = 50;
const LINES = 38; // how high a name of two lines is
const name = input("#name");
let chosen = 0;
/** @type {Hall.Whereabouts & { asked: string }} */
let found = { asked: "", people: [], tables: [], standings: [] };
let timer = 0;

/** What the page shows: the hall as everybody sees it, with the people of the name, and their tables. */
const shown = () => ({ .../** @type {Hall.WhereScreen} */ (/** @type {unknown} */ (live.state)), ...found });
/** @typedef {ReturnType<typeof shown>} Shown */

/** Ask in *wait_ms* who the name means now. @param {number} wait_ms */
function lookUp(wait_ms) {
  clearTimeout(timer);
  timer = setTimeout(async () => {
    const wanted = name.value.trim();
    try {
      const answer = wanted ? await ask(`/api/v1/hall/where?name=${encodeURIComponent(wanted)}`) : {};
      if (wanted !== name.value.trim()) return;
      found = { asked: wanted, people: [], tables: [], standings: [], ...answer };
      show();
    } catch (refusal) {
      say(reason(refusal));
    }
  }, wait_ms);
}

/** Return the round that people look for: the one that is played, or else the next. */
function round() {
  const rounds = live.state.rounds ?? [];
  const playing = live.state.step === "wait" ? rounds.filter((one) => one.called).at(-1) : undefined;
  return playing ?? rounds.find((one) => !one.called) ?? rounds.at(-1);
}

function show() {
  const screen = shown();
  const wanted = screen.asked;
  const { people } = screen;
  if (!people.some((one) => one.entrant === chosen)) chosen = people.length === 1 ? (people[0]?.entrant ?? 0) : 0;
  match(
    $("#found"),
    people.length > 1 ? people : [],
    (one) => one.entrant,
    (one) =>
      h(
        "button",
        { type: "button" },
        h("bdi", {}, one.name),
        h("small", {}, one.name.endsWith(`(${one.club})`) ? "" : (one.club ?? "")),
      ),
    (button, one) => {
      attr(button, "aria-pressed", one.entrant === chosen ? "true" : "false");
      button.onclick = () => {
        chosen = one.entrant;
        show();
      };
    },
  );
  const me = people.find((one) => one.entrant === chosen);
  const may = !(screen.rounds ?? []).some((one) => one.called) && screen.arranged && !screen.list_closed;
  attr($("#list-me"), "hidden", !wanted || people.length > 0);
  const alone = t("This name is not on the list.");
  put($("#list-me p"), may ? alone : t("This name is not on the list: ask at the desk, please."));
  attr($("#list-me .do"), "hidden", !may);
  answer(screen, me);
}

/**
 * @param {Shown} screen
 * @param {Hall.ListedPerson | undefined} me
 */
function answer(screen, me) {
  const now = round();
  const [head, line, picture] = $("#answer").children;
  const drawn = me && now ? ((me.tables ?? [])[now.number - 1] ?? 0) : 0;
  const before = (screen.rounds ?? []).filter((one) => one.called).slice(0, -1);
  const again = (/** @type {Hall.TablePicture} */ one) => before.find((round) => round.number === one.round);
  const mine = (screen.tables ?? []).find((one) => again(one) && one.seats?.some((x) => x.entrant === me?.entrant));
  const title = (mine && again(mine)?.title) ?? now?.title ?? "";
  const table = mine ?? (now?.called ? (screen.tables ?? []).find((one) => one.number === drawn) : undefined);
  const number = mine?.number ?? drawn;
  const mates = table?.seats ?? [];
  const seat = mates.findIndex((one) => one.entrant === me?.entrant);
  const coming = me && now && !now.called && !drawn && (me.from_round ?? 1) === now.number; // since the draw
  const rank = screen.over ? (screen.standings ?? []).find((one) => one.entrant === me?.entrant)?.place : undefined;
  put(
    head,
    !me
      ? t("Where do I sit?")
      : rank
        ? t("Rank {n}", { n: rank })
        : number
          ? seat < 0
            ? t("Table {n}", { n: number })
            : t("Table {n}, seat {seat}", { n: number, seat: seat + 1 })
          : now && !coming
            ? t("A free round")
            : t("Not drawn yet"),
  );
  head?.classList.toggle("unseen", !me); // until then the field asks
  const left = mates.at(seat - 1)?.name;
  const right = mates[(seat + 1) % mates.length]?.name;
  put(
    line,
    !me
      ? ""
      : !now || coming
        ? t("You are on the list.")
        : rank
          ? screen.headline
          : seat >= 0 && left && right
            ? t("{round}. Between {left} and {right}.", { round: title, left, right })
            : title,
  );
  picture?.replaceChildren(...(seat >= 0 && !rank ? [fromMyChair(mates, seat, number)] : []));
  match(
    $("#map"),
    me ? (screen.numbers ?? []) : [],
    (one) => one,
    (one) => h("li", {}, String(one)),
    (item, one) => attr(item, "class", one === number ? "me" : null),
  );
  put($(".tell"), me && number && !rank ? todo(table, screen) : "");
}

/**
 * Return what somebody does at their *table*, which is undefined until its round is called.
 *
 * @param {Hall.TablePicture | undefined} table
 * @param {Shown} screen
 */
function todo(table, screen) {
  if (table?.by_hand)
    return t("You are too few for the game: settle it by hand at the table, and tell the desk who comes first.");
  if (table ? table.sheet : screen.sheet) return t("At the table, just sit down: the score sheet opens by itself.");
  return t("At the table, touch your nose once: that says you are here.");
}

/**
 * Draw the table with me at the bottom.
 *
 * @param {Hall.HallSeat[]} mates
 * @param {number} mine
 * @param {number} number
 */
function fromMyChair(mates, mine, number) {
  const n = mates.length;
  /** @type {(Node | string)[]} */
  const drawn = [
    s("ellipse", { class: "tt", cx: MIDDLE, cy: TABLE_Y, rx: TABLE_WIDE, ry: TABLE_HIGH }),
    s("text", { class: "no", x: MIDDLE, y: 172, "font-size": 74, "text-anchor": "middle" }, String(number)),
  ];
  for (const [i, seat] of mates.entries()) {
    const angle = Math.PI / 2 - (2 * Math.PI * (i - mine)) / n;
    const x = MIDDLE + 118 * Math.cos(angle);
    const y = TABLE_Y + 103 * Math.sin(angle);
    const beside = i === (mine + 1) % n || i === (mine - 1 + n) % n;
    drawn.push(
      s("circle", { class: i === mine ? "me" : "se", cx: x.toFixed(1), cy: y.toFixed(1), r: i === mine ? ME : 12 }),
    );
    if (i === mine) {
      drawn.push(
        s(
          "text",
          { class: "mt", x: x.toFixed(1), y: (y + 7).toFixed(1), "font-size": 20, "text-anchor": "middle" },
          String(i + 1),
        ),
      );
    } else if (beside && n > 2) {
      drawn.push(nameBeside(seat.name, x, y));
    }
  }
  const label = t("Table {n}, seat {seat}", { n: number, seat: mine + 1 });
  return s("svg", { class: "tab", viewBox: "0 0 350 292", role: "img", "aria-label": label }, ...drawn);
}

/**
 * Write *name* at the seat at *x*, *y*: under it, over it at the far half, or where it is narrow at its outer side.
 *
 * @param {string} name
 * @param {number} x
 * @param {number} y
 */
function nameBeside(name, x, y) {
  const outer = x < MIDDLE ? x : 2 * MIDDLE - x; // how far the picture's edge is
  const half = Math.min(outer, MIDDLE - ME - 4 - outer); // mine is in the way on the other side
  const under = half >= NARROW;
  const where = y < 150 && under ? "over" : under ? "under" : x < MIDDLE ? "left" : "right";
  const top = { over: y - 16 - LINES, under: y + 15, left: y - 10, right: y - 10 }[where];
  const nearest = Math.min(Math.max(TABLE_Y, top), top + LINES) - TABLE_Y;
  const table = MIDDLE - TABLE_WIDE * Math.sqrt(Math.max(0, 1 - (nearest / TABLE_HIGH) ** 2)) - 4;
  const from = under ? outer - half : 0;
  const wide = under ? Math.min(outer + half, table) - from : outer - 18;
  const left = x < MIDDLE ? from : 2 * MIDDLE - from - wide;
  const box = s("foreignObject", { x: left.toFixed(1), y: top.toFixed(1), width: wide.toFixed(1), height: LINES });
  const words = h("bdi", {});
  named(words, name, 600);
  words.style.setProperty("--room", `${Math.floor(wide)}px`);
  box.append(h("div", { class: `nb ${where}` }, words));
  return box;
}

name.value = kept(KEPT);
name.addEventListener("input", () => {
  keep(KEPT, name.value);
  lookUp(SOON_MS);
});
$("#here").addEventListener("click", async () => {
  try {
    await ask("/api/v1/hall/here", { body: { name: name.value } });
    lookUp(0);
  } catch (refusal) {
    say(reason(refusal));
  }
});
let basis = "";
live.follow(({ seq, step, over }) => {
  const now = `${seq} ${step} ${over ?? false}`;
  if (now !== basis) lookUp(basis ? Math.random() * SPREAD_MS : 0);
  basis = now;
  show();
});
