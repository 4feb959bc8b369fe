import path from "node:path";

import { findCircles, readFolderImports } from "./folder-circles.ts";

/** Refuses folders that import each other in a circle, types included. Run by `npm run lint`. */
const circles = findCircles(readFolderImports(path.join(import.meta.dirname, "../..")));
for (const circle of circles) console.error(`folders import in a circle: ${circle.join(", ")}`);
if (circles.length > 0) process.exitCode = 1;
