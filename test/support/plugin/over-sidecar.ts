import { linksByPlugin } from "./plugin-link.ts";

/**
 * Options of tests that run only over sidecars, in a file that runs over both links. Each needs a feature
 * that a plugin link lacks: a call or socket opened by the service, the fields of a sidecar link, an answer
 * other than a command outcome, or a second answer to an unanswered command.
 */
export const overSidecar = { skip: linksByPlugin } as const;

/**
 * Returns the calls that reach a game when a command is sent twice with one key. A sidecar receives the
 * repeat and answers it from memory; for a plugin, the site remembers the outcome.
 */
export const sentTwice = <T>(first: T, repeat: T): T[] =>
  linksByPlugin ? [first] : [first, repeat];

/**
 * Lets the game execute the next matching call, but breaks off the sidecar's answer. Over a plugin, the mod
 * is reloaded instead and the command is lost.
 */
export const loseAnswer = (
  { faults }: { readonly faults: { readonly request: (asked: unknown) => void } },
  call: { readonly method: string; readonly path: string },
): void => faults.request({ fault: "cut", ...call });
