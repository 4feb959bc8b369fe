import { readFileSync } from "node:fs";
import path from "node:path";

import { joinRowShapes } from "./row-shapes.ts";
import { findRowFaults, readRowTypes } from "./row-types.ts";

/** The result of the comparison of a run's rows with the row types in the code. */
export interface RowComparison {
  readonly declared: number;
  /** The number of row types of which the run has read at least one row. */
  readonly compared: number;
  readonly faults: readonly string[];
}

// Prints the comparison as JSON. It runs in a process of its own: reading the types takes seconds,
// and Vitest would give its workers up meanwhile.
const [file = ""] = process.argv.slice(2);
const shapes = joinRowShapes(readFileSync(file, "utf8"));
const types = readRowTypes(path.join(import.meta.dirname, "../../.."));
const places = Object.keys(types);
const comparison: RowComparison = {
  declared: places.length,
  compared: places.filter((place) => place in shapes).length,
  faults: findRowFaults(shapes, types),
};
process.stdout.write(JSON.stringify(comparison));
