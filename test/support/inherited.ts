import { compileCache } from "./compile-cache.ts";

const { TMPDIR } = process.env;

/** What programs that a test starts have of the run: what Node compiled before, and its folder. */
export const inherited: NodeJS.ProcessEnv = {
  NODE_COMPILE_CACHE: compileCache,
  ...(TMPDIR !== undefined && { TMPDIR }),
};
