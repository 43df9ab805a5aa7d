// @ts-check
// Where things go in a photo finish: ticks, labels, the lens. Numbers in, numbers out; no document.

/**
 * Return a round step (1, 2 or 5 times a power of ten) that cuts *span* into at most *most* parts.
 *
 * @param {number} span
 * @param {number} most
 */
export function niceStep(span, most) {
  const rough = span / Math.max(1, most);
  const power = 10 ** Math.floor(Math.log10(rough));
  return [1, 2, 5, 10].map((k) => k * power).find((step) => step >= rough * 0.999999) ?? 10 * power;
}

/**
 * Return the ticks from 0 to *end*, at most *most* parts.
 *
 * @param {number} end
 * @param {number} most
 */
export function ticks(end, most) {
  if (!(end > 0)) return [0];
  const step = niceStep(end, most);
  return Array.from({ length: Math.floor(end / step + 1e-9) + 1 }, (_, i) => i * step);
}

/**
 * Move *boxes* ({x, w}: wanted middle and width, by x) as little as possible so that none overlap in [lo, hi].
 *
 * @template {Page.Box} B
 * @param {B[]} boxes
 * @param {number} lo
 * @param {number} hi
 * @param {number} gap
 */
export function spread(boxes, lo, hi, gap) {
  /** @type {{ want: number; width: number; n: number; boxes: B[] }[]} */
  const blocks = [];
  for (const box of boxes) {
    let block = { want: box.x - box.w / 2, width: box.w, n: 1, boxes: [box] };
    for (let prev = blocks.at(-1); prev && prev.want + prev.width + gap > block.want; prev = blocks.at(-1)) {
      blocks.pop();
      const shift = prev.width + gap;
      block = {
        want: (prev.want * prev.n + (block.want - shift) * block.n) / (prev.n + block.n),
        width: prev.width + gap + block.width,
        n: prev.n + block.n,
        boxes: [...prev.boxes, ...block.boxes],
      };
    }
    blocks.push(block);
  }
  // Keep inside: push from the left edge, then back from the right one.
  let edge = lo;
  for (const block of blocks) {
    block.want = Math.max(block.want, edge);
    edge = block.want + block.width + gap;
  }
  edge = hi;
  for (const block of [...blocks].reverse()) {
    block.want = Math.min(block.want, edge - block.width);
    edge = block.want - gap;
  }
  return blocks.flatMap((block) => {
    let at = block.want;
    return block.boxes.map((box) => {
      const middle = at + box.w / 2;
      at += box.w + gap;
      return { ...box, at: middle };
    });
  });
}

/**
 * Place labels above an axis on up to *levels* levels without a collision.
 * *labels*: {x, w}; returned with `at` (middle) and `level` (0 is nearest), plus the farthest any had to move and
 * whether all fit.
 *
 * @template {Page.Box} L
 * @param {L[]} labels
 * @param {Page.Bounds} given
 */
export function place(labels, { lo, hi, levels, gap }) {
  const sorted = labels.map((label, index) => ({ ...label, index })).sort((a, b) => a.x - b.x || a.index - b.index);
  const ends = Array(levels).fill(-Infinity);
  /** @type {(L & { index: number })[][]} */
  const rows = Array.from({ length: levels }, () => []);
  for (const label of sorted) {
    const left = Math.min(Math.max(label.x - label.w / 2, lo), hi - label.w);
    let level = ends.findIndex((end) => end + gap <= left);
    if (level < 0) level = ends.indexOf(Math.min(...ends));
    ends[level] = Math.max(left, ends[level] + gap) + label.w;
    rows[level].push(label);
  }
  const placed = rows.flatMap((row, level) => spread(row, lo, hi, gap).map((label) => ({ ...label, level })));
  const fits = rows.every((row) => row.reduce((sum, label) => sum + label.w + gap, -gap) <= hi - lo + 0.01);
  const inside = (/** @type {L} */ label) => Math.min(Math.max(label.x, lo + label.w / 2), hi - label.w / 2);
  const moved = Math.max(0, ...placed.map((label) => Math.abs(label.at - inside(label))));
  return {
    placed: placed.sort((a, b) => a.index - b.index),
    moved,
    fits,
    used: rows.filter((row) => row.length).length,
  };
}

/**
 * Place as many of *labels* as fit with none moved by more than *most*, and none cut: first the opener's and those of
 * whoever was last, then those with most room behind them. The others are left out, or stand as *bare* makes them;
 * null when not even that fits.
 *
 * @template {Page.Box & { mark?: { last?: boolean } }} L
 * @param {L[]} labels
 * @param {Page.Bounds} given
 * @param {number} most
 * @param {(label: L) => L} [bare]
 */
export function sparse(labels, given, most, bare) {
  const sorted = [...labels].sort((a, b) => a.x - b.x);
  const room = sorted.map((label, i) => (i && !label.mark?.last ? label.x - sorted[i - 1].x : Infinity));
  /** @type {Set<number>} */
  const whole = new Set();
  const tried = () => {
    const shown = sorted.flatMap((label, i) => (whole.has(i) ? [label] : bare ? [bare(label)] : []));
    const result = place(shown, given);
    return result.fits && result.moved <= most ? result : null;
  };
  let best = tried();
  for (const i of room.map((_, i) => i).sort((a, b) => room[b] - room[a] || a - b)) {
    whole.add(i);
    const found = best && tried();
    if (found) best = found;
    else whole.delete(i);
  }
  return best;
}

/**
 * Return the half width in nanoseconds of each mark's band, such that two bands of the last two touch exactly when
 * their presses cannot be told apart: each stamp's own error, and half of what two clocks add.
 *
 * @param {Pick<Api.Mark, "seat" | "u_ns">[]} marks
 * @param {Pick<Api.Mark, "u_ns">[]} close
 * @param {number | null} u_ns
 */
export function bands(marks, close, u_ns) {
  const own = close.reduce((sum, mark) => sum + mark.u_ns, 0);
  const shared = close.length === 2 && u_ns != null ? Math.max(0, u_ns - own) / 2 : 0;
  return new Map(marks.map((mark) => [mark.seat, mark.u_ns + shared]));
}

/**
 * Return the marks that decide: those of a dead heat, or the last (or first) one with the one that *margin_ns* is
 * measured to.
 *
 * @template {Pick<Api.Mark, "t_ns" | "last">} M
 * @param {M[]} marks
 * @param {number | null} margin_ns
 * @returns {M[]}
 */
export function closest(marks, margin_ns) {
  if (marks.length < 2 || margin_ns == null) return [];
  const lasts = marks.filter((mark) => mark.last);
  if (lasts.length > 1) return lasts;
  const end = lasts[0] ?? marks[marks.length - 1];
  // The margin is measured to the rival that is nearest in doubt, which need not be the mark just before.
  const at = end === marks[0] ? end.t_ns + margin_ns : end.t_ns - margin_ns;
  const off = (/** @type {M} */ mark) => Math.abs(at - mark.t_ns);
  const [rival] = marks.filter((mark) => mark !== end).sort((a, b) => off(a) - off(b));
  return rival.t_ns <= end.t_ns ? [rival, end] : [end, rival];
}
