import type { SurvivalServer } from "../../../models/survival/survival-server.ts";
import { seal, type SecretsKeys, unseal } from "../../crypto/sealed.ts";

/** What the link to a survival server is read from. */
export type StoredServerLink = Pick<
  SurvivalServer,
  "id" | "enabled" | "baseUrl" | "wsUrl" | "tokenSealed" | "protocol"
>;

export const serverLinkColumns = [
  "id",
  "enabled",
  "baseUrl",
  "wsUrl",
  "tokenSealed",
  "protocol",
] as const satisfies readonly (keyof StoredServerLink)[];

/** A link that can be used. */
export interface ServerLink {
  readonly baseUrl: string;
  readonly wsUrl: string;
  readonly token: string;
  readonly protocol: number;
}

/** A token of one server opens no other's. */
export const serverTokenSealContext = (serverId: number): string =>
  `survival server ${serverId}|token`;

export const sealServerToken = (serverId: number, token: string, keys: SecretsKeys): string =>
  seal(token, serverTokenSealContext(serverId), keys);

/**
 * The link as it can be used, whether the server is enabled or not; null where it is incomplete.
 * @throws {UnreadableSecret} when the stored token cannot be read
 */
export function serverLinkOf(stored: StoredServerLink, keys: SecretsKeys): ServerLink | null {
  const { id, baseUrl, wsUrl, tokenSealed, protocol } = stored;
  if (tokenSealed === null || baseUrl === "" || wsUrl === "") return null;
  return { baseUrl, wsUrl, protocol, token: unseal(tokenSealed, serverTokenSealContext(id), keys) };
}
