import { writeFileSync } from "node:fs";
import path from "node:path";

import { internalRoutes } from "../shared/ops/internal-server.ts";
import { basedOnLines, confirmingLines, guardLines, routeLines } from "./http/manifest.ts";
import { routes } from "./routes.ts";

const folder = path.join(import.meta.dirname, "../test/frozen");
const write = (name: string, lines: readonly string[]): void =>
  writeFileSync(path.join(folder, name), lines.map((line) => `${line}\n`).join(""));

for (const set of ["core", "additive"] as const) {
  write(`${set}-routes.txt`, routeLines(routes, set));
  write(`${set}-guards.txt`, guardLines(routes, set));
}
write("based-on-routes.txt", basedOnLines(routes));
write("confirming-routes.txt", confirmingLines(routes));
write("internal-routes.txt", internalRoutes);
