// One round: its strip, its order, its tape, its appeal, and its correction.
import { $, $$, attr, h, put } from "./dom.js";
import "./photo-finish.js";
import { ask, command } from "./api.js";
import { attempt, live, say, where } from "./frame.js";
import { badges, fill } from "./history.js";
import { clockTime, duration, inUnit, list, t, unitOf } from "./words.js";

let round = JSON.parse($("#round").textContent);
const MOST_EDGES = 500;

function show() {
  const name = round.number ? t("Round {n}", { n: round.number }) : t("At the table");
  put($("#which"), [name, clockTime(round.at), round.by].filter(Boolean).join(" · "));
  for (const [id, on] of [["#correct", round.judged && !round.undone], ["#take-back", !round.judged && !round.undone], ["#put-back", round.undone]]) {
    if ($(id)) attr($(id), "hidden", !on);
  }
  document.title = `${name} · Last Nose`;
  const card = $("#verdict");
  const small = badges(round).map(([style, words]) => h("span", { class: `pill ${style}` }, words));
  $(".badges", card).replaceChildren(...small);
  $(".badges", card).hidden = !small.length;
  fill(card, round);
  order();
}

const cell = (words, style) => h("td", style ? { class: style } : {}, words);
const head = (...children) => h("th", { scope: "row" }, ...children);

function order() {
  const { finish } = round;
  const raced = Boolean(finish?.marks.length);
  attr($("#order"), "hidden", !raced);
  if (!raced) return;
  const unit = unitOf(Math.max(...finish.marks.map((mark) => mark.t_ns)));
  $("#order tbody").replaceChildren(...finish.marks.map((mark, i) =>
    h("tr", mark.last ? { class: "last" } : {}, head(h("span", { class: "seat" }, String(mark.seat)), mark.player),
      cell(inUnit(mark.t_ns, unit)), cell(i ? `+ ${duration(mark.t_ns - finish.marks[i - 1].t_ns)}` : "–"), cell(`± ${duration(mark.u_ns)}`))),
  ...finish.missing.map(([seat, player]) =>
    h("tr", {}, head(h("span", { class: "seat" }, String(seat)), player), cell(t("not yet")), cell("–"), cell("–"))));
}

// ---- the tape

async function tape() {
  if (!round.judged) return;
  let lines;
  try {
    lines = (await ask(`/api/v1/rounds/${round.seq}/tape`, { as: "text" })).trim().split("\n").map((line) => JSON.parse(line));
  } catch (refusal) {
    say(refusal.message);
    return;
  }
  const names = lines[0].players ?? [];
  const edges = lines.slice(1).filter((line) => "line" in line || "gap" in line || "levels" in line || "arm" in line);
  const first = edges.find((line) => line.line?.startsWith("nose") && line.level === 1)?.t_ns ?? edges[0]?.t_ns ?? edges[0]?.arm ?? 0;
  $("#tape tbody").replaceChildren(...edges.slice(0, MOST_EDGES).map((line) => edge(line, first, names)));
  put($("#tape-count"), edges.length > MOST_EDGES ? t("the first {n} of {of}", { n: MOST_EDGES, of: edges.length }) : t("{n} lines", { n: edges.length }));
  $("#download").href = `/api/v1/rounds/${round.seq}/tape`;
  attr($("#tape"), "hidden", false);
  attr($("#appeal"), "hidden", false);
}

function edge(line, first, names) {
  const row = (at, name, what, sure, source) =>
    h("tr", {}, cell(at === null ? "" : inUnit(at - first, [1e6, "ms"])), cell(name, "left"), cell(what, "left"), cell(sure), cell(source ?? "", "left"));
  if ("gap" in line) return row(line.gap[0], "", t("edges may be missing, up to {until}", { until: inUnit(line.gap[1] - first, [1e6, "ms"]) }), "", line.source);
  if ("arm" in line) return row(line.arm, "", t("armed"), "", "");
  if ("levels" in line) {
    const held = Object.entries(line.levels).filter(([, level]) => level).map(([name]) => name);
    return row(line.t_ns, "", held.length ? t("held at the start: {lines}", { lines: list(held) }) : t("all free at the start"), "", line.source);
  }
  const number = /^nose\.(\d+)$/.exec(line.line)?.[1];
  const who = number && names[number - 1] ? `${names[number - 1]} (${line.line})` : line.line;
  return row(line.t_ns, who, line.level ? t("down") : t("up"), `± ${duration(line.u_ns + (line.clock_u_ns ?? 0))}`, line.source);
}

// ---- the appeal

$("#again").addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = new FormData(event.target);
  const wrong = $("#appeal-wrong");
  put(wrong, "");
  try {
    const numbers = Object.fromEntries(["confirm_us", "lockout_us"].map((name) => [name, Math.round(Number(form.get(name)))]));
    const judged = await ask(`/api/v1/rounds/${round.seq}/appeal`, { body: numbers });
    const versus = $(".versus");
    versus.hidden = false;
    const [stored, other] = versus.children;
    fill(stored, judged.stored);
    fill(other, judged.round);
    put($(".same", versus), judged.stored.headline === judged.round.headline
      ? t("The same verdict with these settings.") : t("Another verdict with these settings. Nothing was changed: to change it, correct the round."));
  } catch (refusal) {
    put(wrong, refusal.message);
  }
});

// ---- the correction

const dialog = $("dialog#amend");

function kinds() {
  const acts = (live.state?.acts ?? []).filter((act) => act.instead);
  return [
    { value: "last", label: t("Somebody else was last"), says: (who) => t("The round will say: {player} was last. Everything after it is counted again.", { player: who }) },
    { value: "void", label: t("It does not count"), says: () => t("Nobody will pay for this round. Everything after it is counted again.") },
    ...acts.map((act) => ({ value: act.move, label: act.label, seats: act.seats, says: (who) => `${who ? `${who}: ` : ""}${act.explain}` })),
  ];
}

function choose() {
  const form = new FormData($("form", dialog));
  const kind = kinds().find((one) => one.value === form.get("kind"));
  const row = live.state.rows.find((one) => one.seat === Number(form.get("seat")));
  attr($(".who", dialog), "hidden", kind?.value === "void");
  attr($(".reason", dialog), "hidden", kind?.value !== "void");
  const known = [...(round.finish?.marks ?? []).map((mark) => mark.seat), ...(round.finish?.missing ?? []).map(([seat]) => seat)];
  const seats = kind?.value === "last" && known.length ? known : live.state.rows.map((one) => one.seat);
  for (const label of $$(".who label", dialog)) label.hidden = !seats.includes(Number($("input", label).value));
  const ready = kind && (kind.value === "void" || row);
  put($(".what", dialog), ready ? kind.says(row?.player ?? "") : t("Choose what it should have been."));
  attr($(".yes", dialog), "aria-disabled", ready ? null : "true");
  return ready ? { kind, row, reason: form.get("reason").trim() } : null;
}

async function correct() {
  const chosen = choose();
  if (!chosen) return;
  const move = chosen.kind.value === "void" ? { type: "void", reason: chosen.reason }
    : chosen.kind.value === "last" ? { type: "last", seats: [chosen.row.seat] } : { type: chosen.kind.value, seat: chosen.row.seat };
  try {
    live.take(await command({ type: "amend", seq: round.seq, move }));
    dialog.close();
    await refresh();
  } catch (refusal) {
    put($(".wrong", dialog), refusal.message);
  }
}

async function refresh() {
  round = (await ask(`/api/v1/rounds/${round.seq}`)).round;
  show();
}

$("#correct")?.addEventListener("click", () => {
  $$(".kinds label, .who label", dialog).forEach((label) => label.remove());
  for (const kind of kinds()) $(".kinds", dialog).append(h("label", { class: "pick" }, h("input", { type: "radio", name: "kind", value: kind.value }), kind.label));
  for (const row of live.state.rows) {
    $(".who", dialog).append(h("label", { class: "pick withseat" }, h("input", { type: "radio", name: "seat", value: row.seat }), h("span", { class: "seat" }, String(row.seat)), row.player));
  }
  put($(".wrong", dialog), "");
  $("[name=reason]", dialog).value = "";
  choose();
  dialog.showModal();
});
if (dialog) {
  dialog.addEventListener("change", choose);
  $(".yes", dialog).addEventListener("click", correct);
  $(".no", dialog).addEventListener("click", () => dialog.close());
  $("form", dialog).addEventListener("submit", (event) => {
    event.preventDefault();
    correct();
  });
}
$("#print").addEventListener("click", () => print());
for (const [name, type] of [["#take-back", "undo"], ["#put-back", "redo"]]) {
  $(name)?.addEventListener("click", async () => {
    if (await attempt(() => command({ type, seq: round.seq }))) refresh();
  });
}

let seq = null;
live.follow((state, before) => {
  where(state);
  if (before && seq !== state.seq) refresh().catch(() => {});
  seq = state.seq;
});
show();
tape();
