// All rounds of the evening, newest first, and what can be taken home.
import { $, attr, h, match, proof } from "./dom.js";
import "./photo-finish.js";
import { ask, command } from "./api.js";
import { confirmed } from "./dialogs.js";
import { attempt, live, say, where } from "./frame.js";
import { say as signed } from "./signs.js";
import { clockTime, t } from "./words.js";

const box = $(".rounds");
let seq = null;
let version = -1;

/** Return the little words beside a round. */
export function badges(round) {
  return [round.void && ["", t("void")], round.finish?.dead_heat && ["", t("dead heat")],
    round.amended && ["", t("corrected")], round.undone && ["plain", t("taken back")]].filter(Boolean);
}

/** Fill *root* (h1 or h3, .proof, photo-finish) with *round*. */
export function fill(root, round) {
  signed($("h1, h3 a, .big", root), round.headline);
  proof($(".proof", root), round.proof);
  const strip = $("photo-finish", root);
  strip.hidden = !round.finish;
  if (round.finish) strip.data = { finish: round.finish, decided: !round.void, seats: round.finish.marks.length };
}

function show(rounds) {
  const newest = [...rounds].reverse();
  const games = Math.max(0, ...rounds.map((round) => round.game));
  const items = newest.flatMap((round, i) => (games > 1 && round.game !== newest[i - 1]?.game ? [{ heading: round.game, title: round.title }, round] : [round]));
  match(box, items, (item) => (item.heading ? `g${item.heading}` : `r${item.seq}`), (item) => (item.heading
    ? h("h2", {}, item.title ? t("Game {n}: {title}", { n: item.heading, title: item.title }) : t("Game {n}", { n: item.heading }))
    : h("article", { class: "card" }, h("header"), h("h3", {}, h("a", { href: `/history/${item.seq}` })), h("ul", { class: "proof" }), document.createElement("photo-finish"))),
  (element, item) => {
    if (item.heading) return;
    element.classList.toggle("undone", item.undone);
    element.classList.toggle("step", Boolean(item.step));
    const name = item.number ? t("Round {n}", { n: item.number }) : t("At the table");
    $("header", element).replaceChildren(h("strong", {}, name), h("span", {}, [clockTime(item.at), item.by].filter(Boolean).join(" · ")),
      ...badges(item).map(([style, words]) => h("span", { class: `pill ${style}` }, words)));
    fill(element, item);
  });
  attr($("#nothing"), "hidden", rounds.length > 0);
}

async function refresh() {
  try {
    show((await ask("/api/v1/rounds")).rounds);
  } catch (refusal) {
    say(refusal.message);
  }
}

if (box) {
  show(JSON.parse($("#rounds").textContent));
  live.follow((state, before) => {
    where(state);
    const known = seq;
    [seq, version] = [state.seq, state.version];
    if (before && (known !== state.seq || state.evening !== before.evening)) refresh();
  });
  $("#print").addEventListener("click", () => print());
  $("#anew")?.addEventListener("click", async () => {
    if (await confirmed($("dialog#evening")) && (await attempt(() => command({ type: "new-evening" })))) refresh();
  });
}
