import { writeFileSync } from "node:fs";
import path from "node:path";

import { internalRoutes } from "../shared/ops/internal-server.ts";
import {
  listRevisionCheckLines,
  listConfirmationLines,
  listGateLines,
  listRouteLines,
} from "./http/manifest.ts";
import { routes } from "./routes.ts";

const folder = path.join(import.meta.dirname, "../test/frozen");
const write = (name: string, lines: readonly string[]): void =>
  writeFileSync(path.join(folder, name), lines.map((line) => `${line}\n`).join(""));

for (const set of ["core", "additive"] as const) {
  write(`${set}-routes.txt`, listRouteLines(routes, set));
  write(`${set}-guards.txt`, listGateLines(routes, set));
}
write("based-on-routes.txt", listRevisionCheckLines(routes));
write("confirming-routes.txt", listConfirmationLines(routes));
write("internal-routes.txt", internalRoutes);
