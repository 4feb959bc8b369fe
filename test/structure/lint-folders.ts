import path from "node:path";

import { findUpwardImports, readSharedImports } from "./domain-order.ts";
import { findCircles, readFolderImports } from "./folder-circles.ts";

/** Refuses circular imports between folders and imports of a later domain, types included. Run by `npm run lint`. */
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
