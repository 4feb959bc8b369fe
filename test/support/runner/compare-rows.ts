import { readFileSync } from "node:fs";
import path from "node:path";

import { joinRowShapes } from "./row-shapes.ts";
import { findRowFaults, readRowTypes } from "./row-types.ts";

/** The result of comparing the rows of a test run with the row types of the code. */
export interface RowComparison {
  readonly declared: number;
  /** Row types of which the run read at least one row. */
  readonly compared: number;
  readonly faults: readonly string[];
}

// Prints the comparison as JSON. It is a program: reading types takes seconds, and Vitest would give
// up its workers meanwhile.
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
