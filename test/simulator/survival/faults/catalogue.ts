import { controlFaults } from "../../faults/control-faults.ts";
import { gameFaults } from "../../faults/game-faults.ts";
import { streamFaults } from "../../faults/stream-faults.ts";
import { ownFaults } from "./own.ts";

/** CATALOGUE of all faults of a survival server. */
export const survivalFaults = {
  ...streamFaults,
  ...gameFaults,
  ...controlFaults,
  ...ownFaults,
};
