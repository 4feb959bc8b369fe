import { pseudonymsOf } from "../crypto/pseudonym.ts";
import type { PluginServices } from "./services.ts";

/**
 * Digests that recognize a repeated command or outcome. The first one is stored; a stored one may be of
 * an older key. They are keyed, so that a reader of the database cannot find the password of a game
 * account in a command by trying passwords.
 */
export interface Digests {
  readonly stored: Buffer;
  readonly include: (digest: Buffer) => boolean;
}

type Config = PluginServices["config"];

export const commandDigests = (call: string, input: object, config: Config): Digests =>
  digestsOf(`plugin command ${JSON.stringify([call, input])}`, config);

export const outcomeDigests = (status: number, body: string, config: Config): Digests =>
  digestsOf(`plugin outcome ${status} ${body}`, config);

function digestsOf(text: string, config: Config): Digests {
  const digests = pseudonymsOf(text, config);
  const [stored] = digests;
  if (!stored) throw new Error("JWT_KEYS holds no key");
  return { stored, include: (digest) => digests.some((one) => one.equals(digest)) };
}
