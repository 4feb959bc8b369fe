import { readdirSync, statSync } from "node:fs";
import path from "node:path";

import { projectFolder, type Script } from "../launch/script.ts";

/** Writes the description that `/api/docs` shows. */
export const describeApiScript = (environment: NodeJS.ProcessEnv): Script => ({
  name: "API description",
  file: "api/write-docs.ts",
  environment,
});

/** Whether the description is missing or older than the code it is made from. */
export function isDescriptionStale(): boolean {
  const written = timeOf("api/openapi.json");
  return ["api", "shared"].some((folder) =>
    readdirSync(path.join(projectFolder, folder), { encoding: "utf8", recursive: true })
      .filter((file) => file.endsWith(".ts"))
      .some((file) => timeOf(path.join(folder, file)) > written),
  );
}

/** Milliseconds of the last change; 0 of what is not there. */
const timeOf = (file: string): number =>
  statSync(path.join(projectFolder, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;
