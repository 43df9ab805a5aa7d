// @ts-check
// Who sits where in a rematch in other seats.
import assert from "node:assert/strict";
import test from "node:test";
import { noses, otherOrder } from "../../web/static/pages/table/other-seats.js";

test("two change seats, and of three nobody keeps both neighbours, whatever the dice say", () => {
  for (const first of [0, 0.2, 0.4, 0.6, 0.8, 0.99]) {
    let dice = first;
    const random = () => {
      dice = (dice * 7 + 0.13) % 1;
      return dice;
    };
    assert.deepEqual(otherOrder(["Ana", "Bo"], [], random), ["Bo", "Ana"]);
    // The only other circle of three is Ana, Cleo, Bo; mixed again it begins elsewhere.
    const others = ["Ana,Cleo,Bo", "Cleo,Bo,Ana", "Bo,Ana,Cleo"];
    const shown = otherOrder(["Ana", "Bo", "Cleo"], [], random);
    assert.ok(others.includes(shown.join()), shown.join());
    const again = otherOrder(["Ana", "Bo", "Cleo"], shown, random);
    assert.ok(others.includes(again.join()) && again.join() !== shown.join(), again.join());
  }
});

test("everybody is there once in the new order, and one alone stays", () => {
  assert.deepEqual(otherOrder(["Ana"]), ["Ana"]);
  const players = ["A", "B", "C", "D", "E", "F", "G"];
  assert.deepEqual(otherOrder(players).sort(), players);
});

test("a phone goes with its player; buttons stay at the table", () => {
  const rows = [
    { player: "Ana", line: "nose.1" },
    { player: "Bo", line: "nose.2" },
    { player: "Cleo", line: "nose.3" },
  ];
  assert.deepEqual(noses(["Cleo", "Bo", "Ana"], rows, new Set(["nose.2"])), ["nose.1", "nose.2", "nose.3"]);
  assert.deepEqual(noses(["Bo", "Ana", "Cleo"], rows, new Set(["nose.2"])), ["nose.2", "nose.1", "nose.3"]);
  assert.deepEqual(noses(["Bo", "Ana", "Cleo"], rows, new Set()), ["nose.1", "nose.2", "nose.3"]);
});
