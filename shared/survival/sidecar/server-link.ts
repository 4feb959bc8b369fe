import type { SurvivalServer } from "../../../models/survival/survival-server.ts";
import { seal, type SecretsKeys, unseal } from "../../platform/crypto/sealed.ts";
import { sourceNameOf } from "../server-rows/source-name.ts";

/** What the link to a survival server is read from. */
export type StoredServerLink = Pick<
  SurvivalServer,
  "id" | "enabled" | "kind" | "baseUrl" | "wsUrl" | "tokenSealed" | "protocol"
>;

export const serverLinkColumns = [
  "id",
  "enabled",
  "kind",
  "baseUrl",
  "wsUrl",
  "tokenSealed",
  "protocol",
] as const satisfies readonly (keyof StoredServerLink)[];

/** A sidecar that can be dialed. */
export interface ServerSidecar {
  readonly kind: "sidecar";
  readonly baseUrl: string;
  readonly wsUrl: string;
  readonly token: string;
  readonly protocol: number;
}

/** A plugin that calls the site. */
export interface ServerPlugin {
  readonly kind: "plugin";
  readonly source: string;
  readonly protocol: number;
}

/** A link that can be used. */
export type ServerLink = ServerSidecar | ServerPlugin;

/** Version of the calls of survival servers that plugins implement. */
export const pluginCallsProtocol = 13;

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
  const { id, kind, baseUrl, wsUrl, tokenSealed, protocol } = stored;
  if (kind === "plugin") return { kind, source: sourceNameOf(id), protocol: pluginCallsProtocol };
  if (kind !== "sidecar" || tokenSealed === null || baseUrl === "" || wsUrl === "") return null;
  const token = unseal(tokenSealed, serverTokenSealContext(id), keys);
  return { kind, baseUrl, wsUrl, protocol, token };
}
