import path from "node:path";

import { findUpwardImports, readSharedImports } from "./domain-order.ts";
import { findCircles, readFolderImports } from "./folder-circles.ts";

/**
 * Exits with an error if folders import each other in a circle, or if a domain imports from a later
 * one. Imports of types are included. `npm run lint` runs it.
 */
const root = path.join(import.meta.dirname, "../..");
const faults = [
  ...findCircles(readFolderImports(root)).map(
    (circle) => `folders import in a circle: ${circle.join(", ")}`,
  ),
  ...findUpwardImports(readSharedImports(root)).map(
    ({ from, to }) => `shared/${from} imports shared/${to}, which is of a later domain`,
  ),
];
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
