// Who comes by phone, and who is typed meanwhile: the list of the host's page, with requests that take their time.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { Arrivals } from "../../web/static/pages/setup/arrivals.js";

let sent; // what the table was told, each with how to answer
let people;
let arrivals;

const guest = (id, name) => ({ id, name, device: "", line: "" });
const state = (...guests) => ({ phase: "setup", lobby: { guests } });
const names = () => people.people.map((person) => person.name);

async function pass(context, ms) {
  context.mock.timers.tick(ms);
  for (let i = 0; i < 5; i++) await new Promise((done) => setImmediate(done));
}

beforeEach((context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  sent = [];
  people = { people: [], dragging: false, wrong: () => new Map(), made: (name) => ({ name }) };
  globalThis.fetch = (_, { body }) =>
    new Promise((done) => {
      const told = JSON.parse(body).guests;
      const guests = told.map(({ name, id }) => guest(id || name.toLowerCase(), name));
      sent.push({ told, answer: () => done({ ok: true, status: 200, json: async () => ({ guests }) }) });
    });
  arrivals = new Arrivals(people, { noses: [], may: true, shown: () => {} });
});

test("what is changed while the table is being told stays, and is told next", async (context) => {
  people.people.push({ name: "Ana" }, { name: "Bo" });
  arrivals.touched();
  await pass(context, 150);
  assert.deepEqual(
    sent[0].told.map(({ name }) => name),
    ["Ana", "Bo"],
  );
  people.people.reverse();
  people.people[0].name = "Bob";
  arrivals.touched();
  sent[0].answer();
  await pass(context, 0);
  arrivals.follow(state(guest("ana", "Ana"), guest("bo", "Bo"))); // the news of what was told first
  assert.deepEqual(names(), ["Bob", "Ana"]);
  await pass(context, 150);
  assert.deepEqual(
    sent[1].told.map(({ name }) => name),
    ["Bob", "Ana"],
  );
});

test("what was told and has not been changed since is as the table has it", async (context) => {
  people.people.push({ name: "Ana" }, { name: "Bo" });
  arrivals.touched();
  await pass(context, 150);
  sent[0].answer();
  await pass(context, 0);
  arrivals.follow(state(guest("bo", "Bo"), guest("ana", "Ana"), guest("zoe", "Zoë")));
  assert.deepEqual(names(), ["Bo", "Ana", "Zoë"]);
  await pass(context, 1000);
  assert.equal(sent.length, 1);
});

test("a list with a name that cannot be is not told before it can", async (context) => {
  people.people.push({ name: "Ana" }, { name: "" });
  people.wrong = () => new Map(names().includes("") ? [[2, "Seat 2 needs a name."]] : []);
  arrivals.touched();
  await pass(context, 1000);
  assert.equal(sent.length, 0);
  people.people[1].name = "Bo";
  arrivals.touched();
  await pass(context, 150);
  assert.deepEqual(
    sent[0].told.map(({ name }) => name),
    ["Ana", "Bo"],
  );
});
