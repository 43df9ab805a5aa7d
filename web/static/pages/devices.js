// @ts-check
// A host's list of every phone: its role, its name, and put out at once.
import { ask, reason } from "../lib/api.js";
import { confirmed, textIn } from "../lib/dialogs.js";
import { $, attr, h, input, match, maybe, modal, put } from "../lib/dom.js";
import { invite } from "../lib/invite.js";
import { live, say, where } from "../lib/page.js";
import { clockTime, t } from "../lib/words.js";

/** @type {Api.DeviceList} */
let list = { devices: [] };
let open = ""; // the device whose row is open
/** @type {["watcher" | "player" | "host", string][]} */
const ROLES = [
  ["watcher", t("Watches")],
  ["player", t("Plays")],
  ["host", t("Hosts")],
];

/** @param {Api.DeviceView} one */
const called = (one) => one.name || (one.home ? t("The table’s own machine") : t("phone {id}", { id: one.id }));

/** @param {Api.DeviceView} one */
function how(one) {
  const parts = [
    one.mine ? t("this phone") : null,
    one.seat ? t("seat {n}", { n: one.seat }) : null,
    one.silent ? t("silent") : one.rtt_ns ? `${Math.max(1, Math.round(one.rtt_ns / 1e6))} ms` : null,
    one.seat || one.mine || !one.since ? null : t("here since {time}", { time: clockTime(one.since) }),
    one.wants ? t("wants to be {player}’s", { player: one.wants }) : null,
  ];
  return parts.filter(Boolean).join(", ");
}

async function look() {
  try {
    draw(await ask("/api/v1/devices"));
  } catch (refusal) {
    say(reason(refusal));
  }
}

/** @param {Partial<Api.DeviceChange> & { device: string }} wish */
async function change(wish) {
  try {
    draw(await ask("/api/v1/devices", { body: wish }));
  } catch (refusal) {
    say(reason(refusal));
    look();
  }
}

/** @param {Api.DeviceView} one */
function row(one) {
  const { id } = one;
  const toggle = () => {
    open = open === id ? "" : id;
    draw(list);
  };
  return h(
    "li",
    {},
    h("button", { type: "button", class: "d-one", click: toggle }, h("bdi"), h("small"), h("span", { class: "role" })),
  );
}

/** @param {Api.DeviceView} one */
function tools(one) {
  const { id } = one;
  return h(
    "div",
    { class: "d-do" },
    h(
      "div",
      { class: "d-roles", role: "radiogroup", "aria-label": called(one) },
      ...ROLES.map(([role, name]) =>
        h(
          "label",
          {},
          h("input", { type: "radio", name: `role-${id}`, value: role, change: () => change({ device: id, role }) }),
          name,
        ),
      ),
    ),
    h(
      "div",
      { class: "d-two" },
      h("button", { type: "button", click: () => rename(one) }, `${t("Rename")}…`),
      h("button", { type: "button", click: () => change({ device: id, remove: true }) }, t("Remove")),
    ),
  );
}

/** @param {Api.DeviceView} one */
async function rename(one) {
  input("#rename input").value = one.name;
  const form = await confirmed(modal("dialog#rename"));
  if (form) change({ device: one.id, name: textIn(form, "name") });
}

/** @param {Api.DeviceList} found */
function draw(found) {
  list = found;
  match(
    $(".d-list"),
    found.devices,
    (one) => one.id,
    row,
    (item, one) => {
      const may = !one.home;
      const mine = open === one.id && may;
      item.className = `${one.silent ? "silent" : ""} ${mine ? "open" : ""}`.trim();
      const button = $(".d-one", item);
      attr(button, "aria-expanded", may ? String(mine) : null);
      put($("bdi", button), called(one));
      put($("small", button), how(one));
      put($(".role", button), ROLES.find(([role]) => role === one.role)?.[1]);
      const box = maybe(".d-do", item);
      if (!mine) return box?.remove();
      if (!box) item.append(tools(one));
      input(`input[value="${one.role}"]`, item).checked = true;
    },
  );
}

$("#another").addEventListener("click", async () => {
  try {
    put($("#pin"), (await ask("/api/v1/pin", { body: {} })).pin);
  } catch (refusal) {
    say(reason(refusal));
  }
});
maybe("[data-do=phones]")?.addEventListener("click", invite);
const follow = live.onYou;
live.onYou = (role, version, asked) => {
  follow(role, version, asked);
  if (role === "host") look();
};
live.follow(where);
look();
