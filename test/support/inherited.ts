/** What programs that a test starts have of the run: what Node compiled before, and its folder. */
export const inherited: NodeJS.ProcessEnv = Object.fromEntries(
  ["NODE_COMPILE_CACHE", "TMPDIR"]
    .map((name) => [name, process.env[name]] as const)
    .filter(([, value]) => value !== undefined),
);
