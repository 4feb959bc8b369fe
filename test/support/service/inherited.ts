import { compileCache } from "../runner/compile-cache.ts";

/** The environment of programs that a test starts: the compile cache and the folder of the run. */
export const inherited: NodeJS.ProcessEnv = {
  NODE_COMPILE_CACHE: compileCache,
  /** Read at use, because the run may make its folder after this module is loaded. */
  get TMPDIR() {
    return process.env["TMPDIR"];
  },
};
