import { pseudonymsOf } from "../crypto/pseudonym.ts";
import type { PluginParts } from "./parts.ts";

/**
 * How a command or an outcome is recognised when it comes again. The first digest is stored; one that is
 * stored may be any of them. Their key is the site's: a command may hold the password of a game account,
 * which nobody who reads the database may find by trying passwords.
 */
export interface Digests {
  readonly stored: Buffer;
  readonly include: (digest: Buffer) => boolean;
}

type Config = PluginParts["config"];

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
