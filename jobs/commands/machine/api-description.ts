import { readdirSync, statSync } from "node:fs";
import path from "node:path";

import { projectFolder, type Script } from "../launch/script.ts";

export const buildApiDescriptionScript = (environment: NodeJS.ProcessEnv): Script => ({
  name: "API description",
  file: "api/write-docs.ts",
  environment,
});

/** Returns true if the description is missing or older than its source files. */
export function isDescriptionStale(): boolean {
  const written = timeOf("api/openapi.json");
  return ["api", "shared"].some((folder) =>
    readdirSync(path.join(projectFolder, folder), { encoding: "utf8", recursive: true })
      .filter((file) => file.endsWith(".ts"))
      .some((file) => timeOf(path.join(folder, file)) > written),
  );
}

const timeOf = (file: string): number =>
  statSync(path.join(projectFolder, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;
