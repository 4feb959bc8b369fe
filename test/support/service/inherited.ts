import { compileCache } from "../runner/compile-cache.ts";

/** What programs that a test starts have of the run: what Node compiled before, and its folder. */
export const inherited: NodeJS.ProcessEnv = {
  NODE_COMPILE_CACHE: compileCache,
  /** Set by a run when it makes its folder, which may be after this module was loaded. */
  get TMPDIR() {
    return process.env["TMPDIR"];
  },
};
