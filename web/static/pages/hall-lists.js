// @ts-check
// Lists for the wall: they are printed as they are.
import "../hall/paper.js";
