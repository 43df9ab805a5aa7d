// Times and numbers as people read them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { columns, isOther } from "../../web/static/games/noses.js";
import { pointsIn } from "../../web/static/games/points-field.js";
import { namesIn } from "../../web/static/lib/name-list.js";
import { heard } from "../../web/static/lib/voice.js";
import { clip, duration, inUnit, list, longDate, t, unitOf } from "../../web/static/lib/words.js";

const spaced = (words) => words.replaceAll("\u202f", " ");

test("a name that is too long is cut between its letters, never inside one", () => {
  assert.equal(clip("Ana", 3), "Ana");
  assert.equal(clip("Zoë Maria", 6), "Zoë M…");
  assert.equal(clip("Zoë Maria", 5), "Zoë…");
  assert.equal(clip("🐷🐷🐷🐷", 3), "🐷🐷…");
  assert.equal(clip("🐷🐷🐷", 3), "🐷🐷🐷");
});

test("a duration has three figures in the largest sensible unit", () => {
  const said = [412_345, 999_499, 999_500, 181_234_567, 999_499_999, 999_500_000, 3_204_000_000];
  assert.deepEqual(said.map(duration).map(spaced), ["412 µs", "999 µs", "1 ms", "181 ms", "999 ms", "1 s", "3.2 s"]);
});

test("a time in a unit is exact to the microsecond, with a true minus", () => {
  assert.equal(spaced(inUnit(245_588_000, unitOf(245_588_000))), "245.588 ms");
  assert.equal(inUnit(-1_500_000, [1e6, "ms"], false), "−1.5");
});

test("a date has its day before its month", () => {
  assert.equal(longDate(Date.UTC(2026, 10, 23, 12)), "23 November 2026");
});

test("Bosnian is written with a comma and its months, by rules that Chromium knows", async () => {
  document.documentElement.lang = "bs";
  const words = await import("../../web/static/lib/words.js?bs");
  document.documentElement.lang = "en";
  assert.equal(words.points(2.5), "2,50");
  assert.equal(words.longDate(Date.UTC(2026, 10, 23, 12)), "23. novembar 2026.");
  assert.equal(words.WRITTEN, "sr-Latn"); // Node knows Bosnian itself, Chromium does not
});

test("fields of a sentence are filled, and stay when nothing is known of them", () => {
  assert.equal(t("{player}, hand {n} of {of}", { player: "West", n: 1200 }), "West, hand 1200 of {of}");
  assert.equal(list(["North", "East", "South"]), "North, East and South");
});

test("a list is as many names as it has, whatever stands between them", () => {
  assert.deepEqual(namesIn(" Eva,Farid  Ali;\tZoë\r\nÉlodie,, "), ["Eva", "Farid Ali", "Zoë", "Élodie"]);
  assert.deepEqual(namesIn(" ,\n"), []);
  assert.deepEqual(namesIn("1. Ana\n2)Bob\n- Мая\n•\tEva\n4.\t4u2"), ["Ana", "Bob", "Мая", "Eva", "4u2"]);
  assert.deepEqual(namesIn("Ana-Maria, -Ana, 4.5, -"), ["Ana-Maria", "-Ana", "4.5", "-"]);
});

test("points are read with either minus, and anything else is no number", () => {
  assert.deepEqual(["-7", "−7", "+12", " 0 ", "-0", "1 000"].map(pointsIn), [-7, -7, 12, 0, 0, 1000]);
  assert.equal(pointsIn(" "), null);
  for (const wrong of ["7-", "1.5", "--2", "−", "ten"]) assert.ok(Number.isNaN(pointsIn(wrong)), wrong);
});

test("a number in a sentence has a true minus", () => {
  assert.equal(t("{n} points", { n: -1200 }), "−1200 points");
});

test("noses stand side by side as many as a thumb can hit", () => {
  assert.equal(columns(3, 328, 740), 3);
  assert.equal(columns(4, 328, 740), 2); // two by two, not three and one
  assert.equal(columns(6, 328, 740), 3); // two rows of three
  assert.equal(columns(6, 358, 844), 2); // a tall phone: two abreast, as large as they can be
  assert.equal(columns(12, 328, 740), 3);
  assert.equal(columns(26, 328, 740), 5);
  assert.equal(columns(6, 600, 1024), 3); // rows of one length: not five and one
  assert.equal(columns(6, 529, 900), 6); // a small desktop: one row, with the steps below
  assert.equal(columns(26, 1200, 900), 9);
  assert.equal(columns(7, 384, 360), 4); // a phone held across: two rows
  assert.equal(columns(13, 384, 360), 7); // 384 / 54: a third row would lie under the tabs
  assert.equal(columns(26, 384, 360), 7);
  assert.equal(columns(10, 300, 320), 5);
});

test("a pen touches with whatever is held on it, a mouse with its first button", () => {
  const events = ["mouse", "pen", "touch"].flatMap((pointerType) => [0, 2].map((button) => ({ pointerType, button })));
  assert.deepEqual(events.map(isOther), [false, true, false, false, false, false]);
});

test("what is spoken is said as it is heard: cards by name, times and signs in words", () => {
  assert.equal(heard("♠ Hammer: the K♠ and 10♥"), "spades Hammer: the king of spades and 10 of hearts");
  assert.equal(heard("0.4 s behind Zoë ± 20 µs"), "0.4 seconds behind Zoë give or take 20 microseconds");
  assert.equal(heard("1,250 s ± 0,061 s."), "1,250 seconds give or take 0,061 seconds.");
  assert.equal(heard("Slap your button (your nose) and shout!"), "Slap your button, your nose, and shout!");
  assert.equal(heard("Take out a rank (the table says which)."), "Take out a rank, the table says which.");
  assert.equal(heard("Right: + 10 points. Wrong: − 5 points."), "Right: 10 points. Wrong: minus 5 points.");
  assert.equal(
    heard("412.34\u00a0ms ±\u202f0.26\u00a0ms"),
    "412.34 milliseconds give or take 0.26 milliseconds", // no figure more, and none less
  );
  assert.equal(heard("Ana · −7, 2 × 30"), "Ana, minus 7, 2 times 30");
  assert.equal(heard("12 spoons, 3 seats"), "12 spoons, 3 seats");
});
