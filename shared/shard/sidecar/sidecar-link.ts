import { cast, col, type Transaction } from "sequelize";

import type { Models } from "../../../models/index.ts";
import type { ShardConnection } from "../../../models/shard/shard-connection.ts";
import { sealText, type SecretsKeys, unsealText } from "../../platform/crypto/sealed.ts";
import { shardSourceName } from "../../platform/plugin/sources.ts";
import type { StatusAddress } from "./request-status.ts";

type ConfiguredField =
  | "kind"
  | "statusHost"
  | "statusPort"
  | "baseUrl"
  | "wsUrl"
  | "protocol"
  | "enabled"
  | "tokenSealed";

/** The stored configuration of the link to the shard. */
export type StoredSidecarLink = Readonly<Pick<ShardConnection, ConfiguredField>> & {
  /** The time as PostgreSQL formats it, because a Date would round it. */
  readonly changedAt: string;
};

export const sidecarTokenSealContext = "shardlink|token";

export const sealSidecarToken = (token: string, keys: SecretsKeys): string =>
  sealText(token, sidecarTokenSealContext, keys);

export const readSidecarLink = (models: Models): Promise<StoredSidecarLink> => read(models);

/** Locks the row until the transaction ends, so that changes are serialized. */
export const lockSidecarLink = (
  models: Models,
  transaction: Transaction,
): Promise<StoredSidecarLink> => read(models, { transaction, lock: transaction.LOCK.UPDATE });

async function read(
  { SidecarLink }: Models,
  options: { transaction?: Transaction; lock?: Transaction["LOCK"]["UPDATE"] } = {},
): Promise<StoredSidecarLink> {
  const link: unknown = await SidecarLink.findOne({
    attributes: [
      "kind",
      "statusHost",
      "statusPort",
      "baseUrl",
      "wsUrl",
      "protocol",
      "enabled",
      "tokenSealed",
      [cast(col("changed_at"), "text"), "changedAt"],
    ],
    rejectOnEmpty: true,
    raw: true,
    ...options,
  });
  return link as StoredSidecarLink;
}

/** Returns true if the shard takes commands over this link once it is enabled. */
export const canTakeCommands = ({ kind, tokenSealed, baseUrl }: StoredSidecarLink): boolean =>
  kind === "plugin" || (kind === "sidecar" && tokenSealed !== null && baseUrl !== "");

/** A sidecar that this site connects to. */
export interface SidecarAddress {
  readonly kind: "sidecar";
  readonly baseUrl: string;
  readonly wsUrl: string;
  readonly protocol: number;
  readonly token: string;
  readonly changedAt: string;
}

/** A plugin that connects to this site. */
export interface LinkedPlugin {
  readonly kind: "plugin";
  readonly source: typeof shardSourceName;
  readonly protocol: number;
  readonly changedAt: string;
}

/** A shard without plugin and sidecar, which only answers status packets. */
export interface StatusLink extends StatusAddress {
  readonly kind: "status";
  readonly changedAt: string;
}

export type UsableLink = SidecarAddress | LinkedPlugin | StatusLink;

/** Version of the shard's calls that plugins implement. */
export const pluginCallsProtocol = 8;

/** Returns the link; null if it is off or incomplete. @throws {UnreadableSecretError} for the stored token */
export function toUsableLink(link: StoredSidecarLink, keys: SecretsKeys): UsableLink | null {
  const { kind, baseUrl, wsUrl, protocol, enabled, tokenSealed, changedAt } = link;
  if (!enabled) return null;
  if (kind === "plugin") {
    return { kind, source: shardSourceName, protocol: pluginCallsProtocol, changedAt };
  }
  if (kind === "status") {
    const { statusHost: host, statusPort: port } = link;
    return host === "" ? null : { kind, host, port, changedAt };
  }
  if (tokenSealed === null || wsUrl === "" || baseUrl === "") return null;
  const token = unsealText(tokenSealed, sidecarTokenSealContext, keys);
  return { kind, baseUrl, wsUrl, protocol, token, changedAt };
}
