// @ts-check
// Other seats for the same people: never the order they have sat in, and whoever is their phone keeps it.

/**
 * Return *players* in another order, which is not that of *shown* either; their circle is another one, too, where
 * there are more than two.
 *
 * @param {string[]} players
 * @param {string[]} [shown]
 * @param {() => number} [random]
 */
export function otherOrder(players, shown = [], random = Math.random) {
  const order = [...players];
  do
    for (let i = order.length - 1; i > 0; i--) {
      const other = Math.floor(random() * (i + 1));
      [order[i], order[other]] = [order[other], order[i]];
    }
  while (order.length > 1 && (sameSeats(players, order) || (order.length > 2 && order.join() === shown.join())));
  return order;
}

/**
 * Return whether everybody has the same neighbours in both orders; of two people, whether the same one is first.
 *
 * @param {string[]} before
 * @param {string[]} after
 */
function sameSeats(before, after) {
  const turn = before.length > 2 ? after.indexOf(before[0]) : 0;
  return before.every((player, place) => player === after[(place + turn) % after.length]);
}

/**
 * Return the noses of *players*, who sat as *rows* say: a line of *carried* goes with its player, the others stay
 * where they are on the table.
 *
 * @param {string[]} players
 * @param {{ player: string; line: string }[]} rows
 * @param {ReadonlySet<string>} carried
 */
export function noses(players, rows, carried) {
  const own = new Map(rows.filter((row) => carried.has(row.line)).map((row) => [row.player, row.line]));
  const fixed = rows.map((row) => row.line).filter((line) => !carried.has(line));
  return players.map((player) => own.get(player) ?? /** @type {string} */ (fixed.shift()));
}
