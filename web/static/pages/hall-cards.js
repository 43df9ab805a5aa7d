// @ts-check
// Seating cards: their rows share the paper.
import "../hall/paper.js";

for (const card of document.querySelectorAll("article"))
  card.style.setProperty("--rows", String(card.querySelectorAll("tbody tr").length));
