// @ts-check
// What is printed needs no more than all paper does.
import "../hall/paper.js";
