// @ts-check
// What a phone that is a nose says of the moment.
import { voiced } from "../../games/voiced.js";
import { undone } from "../../lib/stages.js";
import { wires } from "../../lib/taps.js";
import { duration, list, t } from "../../lib/words.js";
import { pair } from "./close.js";

let tested = -1; // the game before or after which this phone was in a zero test, as long as nothing else begins

/**
 * What stands on the nose.
 *
 * @param {Api.PlayerRow} row
 * @param {boolean} open whether a round is under way
 * @param {boolean} down
 */
export function hint(row, open, down) {
  if (row.out) return t("out");
  if (row.aside) return "";
  if (open && row.pressed) return t("it counts");
  if (row.early) return t("not yet");
  if (down || row.held) return t("let go");
  return open ? t("anywhere here") : "";
}

/**
 * The two marks that phones could not tell apart, none when that is not what happened.
 *
 * @param {Api.Snapshot} state
 */
export function tooClose(state) {
  if (state.phase !== "dead-heat" || !state.finish) return [];
  const two = pair(state.finish);
  const lines = two.map((mark) => state.rows.find((row) => row.seat === mark.seat)?.line);
  const phones = lines.filter((line) => state.phones.some((phone) => phone.line === line));
  return phones.length && (wires || phones.length === two.length) ? two : [];
}

/**
 * What to say of two phones that are too close: how close, what follows, how to do better.
 *
 * @param {Api.Snapshot} state
 * @param {Api.Mark[]} close
 */
function narrow(state, close) {
  const { proof, phones, rows } = state;
  const lines = close.map((mark) => rows.find((row) => row.seat === mark.seat)?.line ?? "");
  const two = phones.filter((phone) => !phone.shared && lines.includes(phone.line));
  const tested = two.length > 0 && two.every((phone) => phone.tested);
  const without = untested(state, lines);
  const vain = without.length
    ? t("Their zero test does not count as long as one is untested: {players}.", { players: list(without) })
    : t("Their zero test is counted in: wired buttons are surer (± 20 µs).");
  return [
    ...proof.slice(0, 1),
    ...proof.slice(-1),
    tested ? vain : t("Narrow it: a zero test, or wired buttons (± 20 µs)."),
  ];
}

/**
 * Return the names of those for whose sake a zero test of *lines* does not count: all phones are judged alike, and a
 * wire asks for its own phone's test only.
 *
 * @param {Api.Snapshot} state
 * @param {string[]} lines
 */
function untested({ phones, rows }, lines) {
  const owned = phones.filter((phone) => !phone.shared);
  const anybody = owned.flatMap((phone) => phone.untested);
  const own = owned.filter((phone) => !phone.tested).map((phone) => phone.line);
  const all = wires ? anybody.filter((line) => lines.includes(line)) : [...anybody, ...own];
  return rows.filter((row) => all.includes(row.line)).map((row) => row.player);
}

/**
 * What to say to somebody who is out, while the others deal or play: that there is nothing to do, and what was last.
 *
 * @param {Api.Snapshot} state
 */
function watching({ last_round: before, faults }) {
  return [...(before ? [before.headline] : []), ...faults];
}

/**
 * What the round waits for.
 *
 * @param {Api.Snapshot} state
 */
function missing(state) {
  // Of a rack the table itself says it; who was first was not waited for.
  if (state.phase !== "judging" || state.rack.length || state.question === "first") return [];
  const names = state.rows.filter((row) => row.line && !row.out && !row.pressed).map((row) => row.player);
  return names.length ? [t("Not yet: {players}", { players: list(names) })] : [];
}

/**
 * Whether *me* is before a deal: before the first game, or after one that was played without them.
 *
 * @param {Api.Snapshot} state
 * @param {Api.GuestView} me
 */
export const isBefore = ({ rows, phase }, me) =>
  !rows.length || (phase === "won" && rows.every((row) => row.player !== me.name));

/**
 * Whether the table does not hear this phone: it is away, or it looks so from here.
 *
 * @param {Api.SeatPhone | undefined} mine
 * @param {boolean} cut
 */
export const unheard = (mine, cut) => cut || mine?.state === "silent" || mine?.state === "asleep";

/**
 * What stands on a nose that is not heard, and what has become of a touch on it.
 *
 * @param {string} unsent "waiting" or "lost" when it was touched
 * @param {boolean} [arrived] the round has a touch of it from before, and loses nothing with it
 */
export function hollow(unsent, arrived) {
  if (arrived) return t("Your touch has arrived.");
  if (unsent === "lost") return t("No network: this touch did not count.");
  return unsent ? t("No network: this touch has not got through.") : t("This nose does not count now.");
}

/**
 * What to say of the moment: its sentence, and the lines below it.
 *
 * @param {Api.Snapshot} state
 * @param {Api.PlayerRow} row
 * @param {boolean} away
 * @param {Api.Mark[]} close
 * @returns {[string, string[]]}
 */
export function says(state, row, away, close) {
  if (away) return [t("Not connected. Trying again…"), [t("Is it still in the table’s Wi-Fi? Tell the others.")]];
  const zero = zeroTest(state, row);
  if (zero) return zero;
  const result = tested === state.game_no ? zeroDone(state, row) : null;
  if (result) return result;
  if (row.aside) return [t("You sit this round out."), [...state.notes.slice(1, 2), ...state.faults]];
  if (state.early && row.early) return [t("Not yet: let go, and wait for the deal."), []];
  if (close.length) return [t("Too close for phones."), narrow(state, close)];
  if (row.out && ["ready", "armed"].includes(state.phase))
    return [t("You’re out: the others play on."), watching(state)];
  if (state.phase === "verdict" && state.first.includes(row.seat))
    return [t("You’re first!"), [...state.proof, ...state.faults]];
  const { headline, proof } = row.out ? state : voiced(state);
  const { guide } = state;
  let lines = proof;
  if (["ready", "armed"].includes(state.phase) && guide) {
    const deals = state.phase === "ready" || state.dealing;
    const steps = deals ? guide.before : guide.then;
    const said = deals ? (state.last_round?.proof.slice(0, 1) ?? []) : state.proof.slice(1);
    lines = [...steps.slice(-1).map((step) => step.says), ...said];
  }
  const first = undone(state);
  // A verdict stands until the next deal: what is to be done comes below it.
  if (first && ["ready", "blocked"].includes(state.phase)) return [first, [...lines, ...state.faults]];
  return [headline, [...(first ? [first] : []), ...lines, ...missing(state), ...state.faults]];
}

/**
 * What to do in a zero test of this nose: its sentence and what stands below it, null when there is none.
 *
 * @param {Api.Snapshot} state
 * @param {Api.PlayerRow} row
 * @returns {[string, string[]] | null}
 */
export function zeroTest({ zero, rows, game_no, phones }, row) {
  if (!zero || zero.at || !zero.lines.includes(row.line)) return null;
  tested = game_no;
  const waits = phones.some((one) => !one.shared && one.state !== "awake" && zero.lines.includes(one.line));
  if (waits) return [t("Zero test"), [zero.says ?? ""]];
  const line = zero.lines.find((one) => one !== row.line) ?? "";
  const nose = t("Nose {n}", { n: Number(line.split(".")[1]) });
  const player = rows.find((one) => one.line === line)?.player ?? nose;
  const done = t("{what}: {says}", {
    what: t("Zero test"),
    says: t("{n} of {of}", { n: zero.off_ns.length, of: zero.of }),
  });
  const apart = zero.off_ns.length ? [t("At most {most} apart.", { most: zero.most_text })] : [];
  const beside = t("Lay this phone beside the nose of {player}. Touch both with two fingers of one hand, at once.", {
    player,
  });
  return [done, [beside, ...apart]];
}

/**
 * What came of a zero test of this nose, and what it has made of the ± of phones; null when there was none.
 *
 * @param {Api.Snapshot} state
 * @param {Api.PlayerRow} row
 * @returns {[string, string[]] | null}
 */
function zeroDone({ zero }, row) {
  if (!zero?.at || !zero.lines.includes(row.line)) return null;
  return [t("Zero test"), [zero.says, zero.claim].flatMap((one) => one ?? [])];
}

/**
 * What the ± of phones is made of, in sentences.
 *
 * @param {import("../../lib/clock.js").HostClock} clock
 * @param {string} sure what the table takes it to be off by
 */
export function parts(clock, sure) {
  return [
    t("The clock of this phone is sure to ± {sure}: half of the shortest way there and back ({way}), and its drift.", {
      sure,
      way: duration(clock.rtt_ns),
    }),
    t("Since it was last compared it may have drifted by {drift} (200 millionths, both clocks together).", {
      drift: duration(clock.drift_ns),
    }),
    t("A screen is read every 8 to 17 ms, and each phone takes its own time to report: that is the rest."),
    wires
      ? t("Beside wires 50 ms are taken off: a phone reports 0 to 100 ms late. A zero test with a wire measures it.")
      : t("A zero test of two phones puts what it measured in its place, this evening, for these phones."),
  ];
}
