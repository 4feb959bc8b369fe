import { QueryTypes, type Sequelize, type Transaction } from "sequelize";

import type { Caller } from "../auth/caller.ts";
import { createControl } from "../bridge/control.ts";
import type { Cursor } from "../bridge/frames.ts";
import type { Context } from "../context.ts";
import { UnreadableSecret } from "../crypto/sealed.ts";
import { sqlOf } from "../db/sql.ts";
import { inTransaction } from "../db/transaction.ts";
import { invalidFields, messageOf } from "../errors.ts";
import { notify } from "../notify/notify.ts";
import { recordActivity } from "../site/activity.ts";
import { health } from "./bridge-calls.ts";
import {
  readShardlink,
  sealToken,
  type Shardlink,
  type UsableLink,
  usableLink,
} from "./shardlink.ts";
import { readShardStatus } from "./status.ts";

export interface ShardlinkChange {
  readonly baseUrl?: string;
  readonly wsUrl?: string;
  /** Blank keeps the stored one. */
  readonly token?: string;
  readonly protocol?: number;
  readonly enabled?: boolean;
}

/** What the sidecar answers for itself, or why it did not. */
type LinkHealth = object | { readonly error: string } | null;

export interface ShardlinkConfig {
  readonly baseUrl: string;
  readonly wsUrl: string;
  readonly hasToken: boolean;
  readonly protocol: number;
  readonly enabled: boolean;
  readonly status: string;
  readonly reason: string | null;
  readonly health: LinkHealth;
  readonly stats: IngestStats;
}

/** What came through the link since it was first used. */
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

/** The link as it is configured, its token masked, and how it stands now. */
export async function readShardlinkConfig(context: Context): Promise<ShardlinkConfig> {
  const { sequelize } = context;
  const [link, { status }, source] = await Promise.all([
    readShardlink(sequelize),
    readShardStatus(sequelize),
    readSource(sequelize),
  ]);
  const { baseUrl, wsUrl, protocol, enabled, tokenSealed } = link;
  return {
    baseUrl,
    wsUrl,
    hasToken: tokenSealed !== null,
    protocol,
    enabled,
    status,
    reason: status === "connected" ? null : source.reason,
    health: await readLinkHealth(link, context),
    stats: source.stats,
  };
}

/**
 * Saves the configuration and has ingest connect with it at once.
 * @throws AppError 400 while the link is enabled without a token or an address
 */
export async function saveShardlinkConfig(
  change: ShardlinkChange,
  caller: Caller,
  context: Context,
): Promise<ShardlinkConfig> {
  const { sequelize, config } = context;
  await inTransaction(sequelize, async (transaction) => {
    const stored = await readShardlink(sequelize, transaction);
    const { token, ...fields } = change;
    const tokenSealed = token ? sealToken(token, config.SECRETS_KEYS) : stored.tokenSealed;
    const link = { ...stored, ...fields, tokenSealed };
    refuseIncomplete(link);
    await writeShardlink(link, caller, transaction);
    await recordActivity(
      {
        actorId: caller.userId,
        action: "shardlink.configured",
        detail: { ...fields, tokenChanged: Boolean(token) },
      },
      transaction,
    );
    await notify("shardlink_config", {}, transaction);
  });
  await context.shard.reload();
  return readShardlinkConfig(context);
}

function refuseIncomplete({ enabled, tokenSealed, baseUrl, wsUrl }: Shardlink): void {
  if (!enabled) return;
  const needed = { token: tokenSealed ?? "", baseUrl, wsUrl };
  const absent = Object.entries(needed).filter(([, value]) => value === "");
  if (absent.length === 0) return;
  throw invalidFields(
    absent.map(([path]) => ({ path, message: `${path} is required while the link is enabled` })),
  );
}

async function writeShardlink(
  link: Shardlink,
  { userId }: Caller,
  transaction: Transaction,
): Promise<void> {
  await sqlOf(transaction).query(
    `update shardlink set base_url = $1, ws_url = $2, token_sealed = $3, protocol = $4,
       enabled = $5, changed_at = now(), changed_by = $6`,
    [link.baseUrl, link.wsUrl, link.tokenSealed, link.protocol, link.enabled, userId],
  );
}

interface SourceRow {
  readonly reason: string | null;
  readonly owner: string | null;
  readonly epoch: string | null;
  readonly seq: number | null;
  readonly lastAckAt: Date | null;
  readonly received: number;
  readonly duplicates: number;
  readonly rejected: number;
  readonly gaps: number;
}

async function readSource(
  sequelize: Sequelize,
): Promise<{ reason: string | null; stats: IngestStats }> {
  const [row] = await sequelize.query<SourceRow>(
    `select coalesce(
         (select fault.value ->> 'reason' from shard_facts fault, shardlink
          where fault.name = 'control_fault' and fault.updated_at > changed_at), reason) as reason,
       owner, epoch, seq, last_ack_at as "lastAckAt", received, duplicates, rejected,
       gaps
     from ingest_sources where source = 'shard'`,
    { type: QueryTypes.SELECT },
  );
  if (!row) throw new Error("the source of the shard is missing");
  const { reason, epoch, seq, received, duplicates, rejected, ...rest } = row;
  // All that came is stored, was there before, or was refused.
  const stored = received - duplicates - rejected;
  const cursor = epoch === null || seq === null ? null : { epoch, seq };
  return { reason, stats: { received, stored, duplicates, rejected, cursor, ...rest } };
}

/** Asks the sidecar itself; an answer that does not come is part of what the admin sees. */
async function readLinkHealth(link: Shardlink, context: Context): Promise<LinkHealth> {
  try {
    const usable = usableLink(link, context.config.SECRETS_KEYS);
    return usable && (await askForHealth(usable));
  } catch (error) {
    return { error: wordsOf(error) };
  }
}

/** A token that cannot be read is mended by saving it again, for which the link must be seen. */
const wordsOf = (error: unknown): string => {
  if (error instanceof UnreadableSecret) return "the stored token cannot be read; save it again";
  return messageOf(error);
};

async function askForHealth(link: UsableLink): Promise<object> {
  const control = createControl(link, { connectMs: 2_000, callMs: 3_000 });
  try {
    return await control.read(health);
  } finally {
    control.close();
  }
}
