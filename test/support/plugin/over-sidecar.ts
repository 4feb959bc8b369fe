import { linksByPlugin } from "./plugin-link.ts";

/**
 * Skips a test when games are linked by plugins. Such a test needs a feature that plugins do not have: a call
 * or socket that the service opens, the fields of a link to a sidecar, an answer that is no outcome of a
 * command, or a second answer to a command.
 */
export const overSidecar = { skip: linksByPlugin } as const;

/**
 * Returns the calls that reach a game if a command is sent twice with one key. A sidecar gets both
 * and answers the second one from memory. A plugin gets only the first one, because the site
 * remembers its outcome.
 */
export const expectedDuplicateCalls = <T>(first: T, repeat: T): T[] =>
  linksByPlugin ? [first] : [first, repeat];

/**
 * Lets the game execute the next call of this kind and then ends the sidecar's answer in the
 * middle. Over a plugin, the mod is reloaded instead, and the outcome is lost.
 */
export const loseAnswer = (
  { faults }: { readonly faults: { readonly request: (asked: unknown) => void } },
  call: { readonly method: string; readonly path: string },
): void => faults.request({ fault: "cut", ...call });
