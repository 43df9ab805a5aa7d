// @ts-check
// Who has won, for whoever reads it out: the list of this moment.
import { follow } from "../hall/live-paper.js";

follow();
