import { literal, Op, type Transaction } from "sequelize";

import { clockNow } from "../../../models/queries/clock.ts";
import type { IngestSource } from "../../../models/shard/ingest-source.ts";
import type { ShardConnectionKind } from "../../../models/shard/shard-connection.ts";
import type { Caller } from "../../platform/access/caller.ts";
import { recordActivity } from "../../platform/activity/activity.ts";
import type { Cursor } from "../../platform/bridge/frames.ts";
import type { Context } from "../../platform/context.ts";
import { UnreadableSecretError } from "../../platform/crypto/sealed.ts";
import { inCallersTransaction } from "../../platform/db/transaction.ts";
import { invalidFieldsError, messageOf } from "../../platform/errors/errors.ts";
import { notify } from "../../platform/notify/channels.ts";
import {
  resetLinkForNewKind,
  type PluginStatus,
  readPluginStatus,
  requireFieldsOfKind,
} from "../../platform/plugin/link.ts";
import { shardSourceName } from "../../platform/plugin/sources.ts";
import { healthCall } from "../calls/account-calls.ts";
import type { ShardContext } from "../context.ts";
import { readShardStatus } from "../public/status.ts";
import { openControlClient } from "../sidecar/shard-control.ts";
import {
  lockSidecarLink,
  readSidecarLink,
  sealSidecarToken,
  type StoredSidecarLink,
  type UsableLink,
  toUsableLink,
} from "../sidecar/sidecar-link.ts";

export interface SidecarLinkChange {
  readonly kind?: ShardConnectionKind;
  readonly baseUrl?: string;
  readonly wsUrl?: string;
  /** Blank to keep the stored token. */
  readonly token?: string;
  readonly protocol?: number;
  readonly statusHost?: string;
  readonly statusPort?: number;
  readonly enabled?: boolean;
}

/** The sidecar's health report, or the error of the request. */
type LinkHealth = object | { readonly error: string } | null;

export interface SidecarLinkConfig extends PluginStatus {
  readonly kind: ShardConnectionKind;
  readonly baseUrl: string;
  readonly wsUrl: string;
  readonly hasToken: boolean;
  readonly statusHost: string;
  readonly statusPort: number;
  readonly protocol: number;
  readonly enabled: boolean;
  readonly status: string;
  readonly reason: string | null;
  readonly health: LinkHealth;
  readonly stats: IngestStats;
}

/** Counters since ingest first used the link. */
export interface IngestStats {
  readonly received: number;
  readonly stored: number;
  readonly duplicates: number;
  readonly rejected: number;
  readonly gaps: number;
  readonly cursor: Cursor | null;
  readonly lastAckAt: Date | null;
  /** Host and process id of the ingest that owns the source. */
  readonly owner: string | null;
}

/** Reads the link's configuration and current state. The token is masked. */
export async function readSidecarLinkConfig(context: ShardContext): Promise<SidecarLinkConfig> {
  const { models, sequelize } = context;
  const [link, { status }, source, facts] = await Promise.all([
    readSidecarLink(models),
    readShardStatus(sequelize),
    readSource(context),
    readPluginStatus(shardSourceName, sequelize),
  ]);
  const { kind, baseUrl, wsUrl, statusHost, statusPort, protocol, enabled, tokenSealed } = link;
  return {
    kind,
    baseUrl,
    wsUrl,
    hasToken: tokenSealed !== null,
    statusHost,
    statusPort,
    ...facts,
    protocol,
    enabled,
    status,
    reason: status === "connected" ? null : source.reason,
    health: await readLinkHealth(link, context),
    stats: source.stats,
  };
}

/**
 * Saves the configuration and makes ingest reconnect with it at once.
 * @throws AppError 400 if a sidecar's link is enabled without a token or address, or if fields belong to
 * another kind of link
 */
export async function saveSidecarLinkConfig(
  change: SidecarLinkChange,
  caller: Caller,
  context: ShardContext,
): Promise<SidecarLinkConfig> {
  const { sequelize, models, config } = context;
  await inCallersTransaction(sequelize, async (transaction) => {
    const stored = await lockSidecarLink(models, transaction);
    const { token, ...fields } = change;
    const kind = change.kind ?? stored.kind;
    requireFieldsOfKind(kind, change);
    const before = kind === stored.kind ? stored : { ...stored, ...emptyLink };
    const tokenSealed = token ? sealSidecarToken(token, config.SECRETS_KEYS) : before.tokenSealed;
    const link = { ...before, ...fields, tokenSealed };
    requireComplete(link);
    if (kind !== stored.kind) await resetLinkForNewKind(shardSourceName, transaction);
    await writeLink(link, { caller, context, transaction });
    await recordActivity(
      {
        actor: caller,
        action: "shardlink.configured",
        detail: { ...fields, tokenChanged: Boolean(token) },
      },
      transaction,
    );
    await notify("shardlink_config", {}, transaction);
    await notify("plugin_calls", { source: shardSourceName }, transaction);
  });
  await context.shard.reload();
  return readSidecarLinkConfig(context);
}

/** A change of the link's kind discards its address and token. */
const emptyLink = { baseUrl: "", wsUrl: "", tokenSealed: null, statusHost: "" } as const;

/** The fields that a link needs to be enabled. A plugin needs only a key, which is created later. */
const requiredFields = {
  sidecar: ({ tokenSealed, baseUrl, wsUrl }) => ({ token: tokenSealed ?? "", baseUrl, wsUrl }),
  plugin: () => ({}),
  status: ({ statusHost }) => ({ statusHost }),
} as const satisfies Record<
  ShardConnectionKind,
  (link: StoredSidecarLink) => Record<string, string>
>;

function requireComplete(link: StoredSidecarLink): void {
  if (!link.enabled) return;
  const needed: Record<string, string> = requiredFields[link.kind as ShardConnectionKind](link);
  const absent = Object.entries(needed).filter(([, value]) => value === "");
  if (absent.length === 0) return;
  throw invalidFieldsError(
    absent.map(([path]) => ({ path, message: `${path} is required while the link is enabled` })),
  );
}

interface WriteContext {
  readonly caller: Caller;
  readonly context: ShardContext;
  readonly transaction: Transaction;
}

const writeLink = (
  {
    kind,
    baseUrl,
    wsUrl,
    statusHost,
    statusPort,
    tokenSealed,
    protocol,
    enabled,
  }: StoredSidecarLink,
  { caller, context, transaction }: WriteContext,
) =>
  context.models.SidecarLink.update(
    {
      kind,
      baseUrl,
      wsUrl,
      statusHost,
      statusPort,
      tokenSealed,
      protocol,
      enabled,
      // Use the present time, because the previous link may have recorded a fault since the transaction began.
      changedAt: clockNow(),
      changedBy: caller.userId,
    },
    { where: {}, transaction },
  );

type Source = Pick<IngestSource, (typeof sourceColumns)[number]>;

const sourceColumns = [
  "reason",
  "owner",
  "epoch",
  "seq",
  "lastAckAt",
  "received",
  "duplicates",
  "rejected",
  "gaps",
] as const;

async function readSource(
  context: ShardContext,
): Promise<{ reason: string | null; stats: IngestStats }> {
  const [source, fault] = await Promise.all([
    context.models.IngestSource.findByPk("shard", {
      attributes: [...sourceColumns],
      rejectOnEmpty: true,
      raw: true,
    }),
    readControlFault(context),
  ]);
  const { reason, epoch, seq, received, duplicates, rejected, ...rest }: Source = source;
  // Every received event is stored, is a duplicate or is rejected.
  const stored = received - duplicates - rejected;
  const cursor = epoch === null || seq === null ? null : { epoch, seq };
  return {
    reason: fault ?? reason,
    stats: { received, stored, duplicates, rejected, cursor, ...rest },
  };
}

/** Reads why the control plane refused this site since the link was last changed; null if it accepted all calls. */
async function readControlFault({ models }: Context): Promise<string | null> {
  const fact = await models.ShardFact.findOne({
    where: {
      name: "control_fault",
      updatedAt: { [Op.gt]: literal("(select changed_at from shardlink)") },
    },
    attributes: ["value"],
    raw: true,
  });
  return (fact?.value as { reason?: string | null } | undefined)?.reason ?? null;
}

/** Requests the sidecar's health report. An error is part of the result, so that the admin sees it. */
async function readLinkHealth(link: StoredSidecarLink, context: ShardContext): Promise<LinkHealth> {
  try {
    const usable = toUsableLink(link, context.config.SECRETS_KEYS);
    // A shard that only answers status packets has no health report.
    if (usable === null || usable.kind === "status") return null;
    return await askForHealth(usable, context);
  } catch (error) {
    return { error: describeLinkError(error) };
  }
}

/**
 * Describes an error. If the token is unreadable, the request must still succeed, so that the admin can save the
 * token again.
 */
const describeLinkError = (error: unknown): string => {
  if (error instanceof UnreadableSecretError) {
    return "the stored token cannot be read; save it again";
  }
  return messageOf(error);
};

async function askForHealth(link: UsableLink, context: ShardContext): Promise<object> {
  const control = openControlClient(link, context, { connectMs: 2_000, callMs: 3_000 });
  try {
    return await control.read(healthCall);
  } finally {
    control.close();
  }
}
