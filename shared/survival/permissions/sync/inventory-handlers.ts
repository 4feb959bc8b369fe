import { executeStatement, firstRow } from "../../../platform/db/rows.ts";
import { FrameRefusedError } from "../../../platform/ingest/store-batch.ts";
import { limits } from "../../../platform/limits.ts";
import type { FrameHandlerContext, FrameHandlers, ReceivedFrame } from "../../kinds/handler.ts";
import type { SurvivalPayload } from "../../kinds/kinds.ts";
import { requestSync } from "../../sync/request-sync.ts";
import type { SyncName } from "../../sync/sync-kind.ts";
import {
  deleteOtherPagesSql,
  deletePagesSql,
  selectPagesSizeSql,
  upsertInventorySql,
  upsertPageSql,
} from "./sync.sql.ts";

type Page = SurvivalPayload<"perm.inventory">;

export const inventoryHandlers: FrameHandlers = {
  "perm.inventory": async (taken, ground) => {
    const { page, pages } = taken.payload;
    if (page > pages) throw new FrameRefusedError("schema", `page ${page} of ${pages}`);
    await stagePage(taken, ground);
    await applyInventory(taken, ground);
  },
  "perm.changed": (_taken, ground) =>
    requestServerSync(["permission-inventory"], "perm.changed", ground),
  "plugin.loaded": (_taken, ground) =>
    requestServerSync(["permission-inventory"], "plugin.loaded", ground),
  // The game forgets an unloaded plugin's permissions. Request a sync of permissions too, because some servers
  // send no inventory.
  "plugin.unloaded": (_taken, ground) =>
    requestServerSync(["permission-inventory", "permissions"], "plugin.unloaded", ground),
};

const requestServerSync = (
  names: readonly SyncName[],
  reason: string,
  {
    serverId,
    connection,
    context,
  }: Pick<FrameHandlerContext, "serverId" | "connection" | "context">,
): Promise<void> => requestSync({ names, serverIds: [serverId], reason }, context, connection);

/** Stores a page until the last page arrives. Deletes pages of an older inventory or process. */
async function stagePage(
  { payload, bootId }: ReceivedFrame<Page>,
  { serverId, connection }: FrameHandlerContext,
): Promise<void> {
  const { inventoryId, page } = payload;
  const declared = JSON.stringify(removeUndeclared(payload));
  const size = [Buffer.byteLength(declared), entriesOf(payload)];
  await executeStatement(connection, deleteOtherPagesSql, [serverId, inventoryId, bootId]);
  const values = [serverId, inventoryId, bootId, page, declared, ...size];
  await executeStatement(connection, upsertPageSql, values);
  await refuseTooLarge(serverId, connection);
}

/** Drops undeclared fields of newer plugins: nothing reads them, and their size is not limited. */
const removeUndeclared = (page: Page) => ({
  groups: page.groups.map(({ name, title, rank, parent, permissions }) => {
    return { name, title, rank, parent, permissions };
  }),
  permissions: page.permissions.map(({ name, plugin }) => ({ name, plugin })),
  users: page.users.map(({ steamId, name, groups, permissions }) => {
    return { steamId, name, groups, permissions };
  }),
});

const entriesOf = ({ groups, permissions, users }: Page): number =>
  permissions.length +
  groups.reduce((sum, group) => sum + 1 + group.permissions.length, 0) +
  users.reduce((sum, user) => sum + 1 + user.groups.length + user.permissions.length, 0);

/** @throws {FrameRefusedError} if the inventory is too large; then the page is not stored */
async function refuseTooLarge(
  serverId: number,
  connection: FrameHandlerContext["connection"],
): Promise<void> {
  const staged = await firstRow<{ bytes: number; entries: number }>(
    connection,
    selectPagesSizeSql,
    [serverId],
  );
  const { bytes, entries } = limits.inventory;
  if (!staged || (staged.bytes <= bytes && staged.entries <= entries)) return;
  const most = `${bytes} bytes and ${entries} entries`;
  throw new FrameRefusedError("size", `the inventory has more than ${most}`);
}

/** Stores the inventory once all pages have arrived. */
async function applyInventory(
  { payload: { pages }, t }: ReceivedFrame<Page>,
  { serverId, connection, context }: FrameHandlerContext,
): Promise<void> {
  const applied = await executeStatement(connection, upsertInventorySql, [serverId, pages, t]);
  if (applied === 0) return;
  await executeStatement(connection, deletePagesSql, [serverId]);
  // Sync again: a wildcard of the site stands for all permissions of the new inventory, and a grant
  // that the game has lost is granted again.
  await requestServerSync(["permissions"], "inventory", { serverId, connection, context });
}
