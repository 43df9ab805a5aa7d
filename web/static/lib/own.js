// @ts-check
// What a player's phone may write: the own score. All else is for hosts, and the table refuses it.
/** @type {DOMStringMap} */
const { role, device } = globalThis.document?.body?.dataset ?? {};

/** Whether this phone plays, and does not host. */
export const plays = role === "player";

/**
 * Return the seat of whoever plays with this phone, in the game; 0 for none.
 *
 * @param {Api.Snapshot} state
 */
function ownSeat(state) {
  const guest = state.lobby.guests.find((one) => one.device && one.device === device);
  return state.rows.find((row) => row.player === guest?.name)?.seat ?? 0;
}

/**
 * Return *state* with what this phone may write: all of it for a host, the own score for a player.
 *
 * @param {Api.Snapshot} state
 * @returns {Api.Snapshot}
 */
export function writable(state) {
  if (!plays) return state;
  const seat = ownSeat(state);
  /** @type {Api.Snapshot["entries"]} */
  const entries = [];
  for (const one of state.entries) {
    if (one.ask === "points" && one.seats.includes(seat)) entries.push({ ...one, seats: [seat] });
    if (one.ask === "pad" && one.seat === seat) entries.push(one);
  }
  return { ...state, entries };
}
