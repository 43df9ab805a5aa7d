// @ts-check
// The rules of every game, a touch away: the list stands in the page, and the bar says what is played.
import { live, where } from "../lib/page.js";

live.follow(where);
