import { compileCache } from "../runner/compile-cache.ts";

/**
 * Environment variables for all programs that tests start: the compile cache and the folder of the
 * run.
 */
export const inherited: NodeJS.ProcessEnv = {
  NODE_COMPILE_CACHE: compileCache,
  /**
   * Read the variable when it is used: the run may create its folder after this module is loaded.
   */
  get TMPDIR() {
    return process.env["TMPDIR"];
  },
};
