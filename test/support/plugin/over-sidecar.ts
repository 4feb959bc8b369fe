import { linksByPlugin } from "./plugin-link.ts";

/**
 * Options of tests that run over sidecars alone, in a file that runs over either link. Each of them needs
 * something that a plugin's link does not have: a call or a socket that the service itself opens, the
 * fields of a sidecar's link, an answer that is no outcome of a command, or a second answer to a command
 * that the game did not answer the first time.
 */
export const overSidecar = { skip: linksByPlugin } as const;

/**
 * What reaches a game of a command that is given twice under one key. A sidecar hears the repeat and
 * answers it from memory; over a plugin the site itself remembers the outcome.
 */
export const sentTwice = <T>(first: T, repeat: T): T[] =>
  linksByPlugin ? [first] : [first, repeat];

/**
 * Has the game carry out the next call that fits, and its caller not learn of it: the sidecar's answer
 * breaks off. Over a plugin its mod is reloaded then, so the command is lost.
 */
export const loseAnswer = (
  { faults }: { readonly faults: { readonly request: (asked: unknown) => void } },
  call: { readonly method: string; readonly path: string },
): void => faults.request({ fault: "cut", ...call });
