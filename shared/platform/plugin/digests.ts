import { pseudonymsOf } from "../crypto/pseudonym.ts";
import type { PluginServices } from "./services.ts";

/**
 * Digests by which a repeated command or outcome is recognized. `stored` is for new rows; older rows may have the
 * digest of an older key. Digests are keyed hashes: otherwise a reader of the database could find the password
 * of a game account in a command by trying passwords.
 */
export interface RepeatDigests {
  readonly stored: Buffer;
  readonly include: (digest: Buffer) => boolean;
}

type Config = PluginServices["config"];

export const commandDigests = (call: string, input: object, config: Config): RepeatDigests =>
  digestsOf(`plugin command ${JSON.stringify([call, input])}`, config);

export const outcomeDigests = (status: number, body: string, config: Config): RepeatDigests =>
  digestsOf(`plugin outcome ${status} ${body}`, config);

function digestsOf(text: string, config: Config): RepeatDigests {
  const digests = pseudonymsOf(text, config);
  const [stored] = digests;
  if (!stored) throw new Error("JWT_KEYS holds no key");
  return { stored, include: (digest) => digests.some((one) => one.equals(digest)) };
}
