import type { Caller } from "../../platform/access/caller.ts";
import { inCallersTransaction } from "../../platform/db/transaction.ts";
import { notify } from "../../platform/notify/channels.ts";
import {
  createPluginKey,
  deletePluginKeys,
  type NewPluginKey,
  requirePluginKind,
} from "../../platform/plugin/link.ts";
import { shardSourceName } from "../../platform/plugin/sources.ts";
import type { ShardContext } from "../context.ts";
import { lockSidecarLink } from "../sidecar/sidecar-link.ts";

const shard = { source: shardSourceName, action: "shardlink.key" } as const;

/** Creates a key for the shard's plugin. @throws AppError link_kind if the link is not of the kind `plugin` */
export const createShardKey = (caller: Caller, context: ShardContext): Promise<NewPluginKey> =>
  inCallersTransaction(context.sequelize, async (transaction) => {
    const { kind } = await lockSidecarLink(context.models, transaction);
    requirePluginKind(kind);
    const key = await createPluginKey(shard, { caller, config: context.config }, transaction);
    await notify("plugin_inbox", { source: shardSourceName }, transaction);
    return key;
  });

/** Revokes the keys of the shard's plugin. @returns the number of keys @throws AppError 404 if there is none */
export const deleteShardKeys = (caller: Caller, context: ShardContext): Promise<number> =>
  inCallersTransaction(context.sequelize, async (transaction) => {
    await lockSidecarLink(context.models, transaction);
    const ended = await deletePluginKeys(shard, caller, transaction);
    await notify("plugin_inbox", { source: shardSourceName }, transaction);
    return ended;
  });
