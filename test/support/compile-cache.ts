import path from "node:path";

import { projectFolder } from "../../shared/local/script.ts";

/** Where Node keeps what it compiles: each program that a test starts reads it instead of compiling. */
export const compileCache =
  process.env["NODE_COMPILE_CACHE"] ??
  path.join(projectFolder, "node_modules/.cache/guildhall-compiled");
