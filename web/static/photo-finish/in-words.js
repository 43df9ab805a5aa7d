// @ts-check
// A photo finish in words, for people who hear the page.
import { list, t } from "../lib/words.js";
import { kinds } from "./asides.js";

/**
 * Return the whole picture of *finish* in words.
 *
 * @typedef {"marks" | "missing" | "margin_text" | "dead_heat" | "asides" | "first"} Told
 * @param {Pick<Api.PhotoFinish, Told> & { u_text?: string | null }} finish
 */
export function inWords({ marks, missing, margin_text, u_text, dead_heat, asides, first }) {
  const parts = marks.map((mark) => {
    const when = mark.t_ns ? mark.t_text : "0";
    if (!mark.last) return `${mark.player} ${when}`;
    if (first) return t("{player} {when}, first", { player: mark.player, when });
    return t("{player} {when}, last", { player: mark.player, when });
  });
  if (missing.length) parts.push(t("Not yet: {players}", { players: list(missing.map(([, player]) => player)) }));
  for (const { name, n } of kinds(asides)) parts.push(t("{what}: {says}", { what: name, says: n }));
  const exactly = margin_text && u_text && t("Margin {margin}, sure to ± {u}.", { margin: margin_text, u: u_text });
  const sure = exactly || (margin_text ? `${margin_text}.` : "");
  const heat = dead_heat ? t("The bands overlap: a dead heat.") : "";
  return [`${t("{what}: {says}", { what: t("Photo finish"), says: parts.join("; ") })}.`, sure, heat]
    .filter(Boolean)
    .join(" ");
}
