import { countChanged } from "../../../db/rows.ts";
import type { Ground, Handlers, TakenIn } from "../../frames/handler.ts";
import type { SurvivalPayload } from "../../kinds/kinds.ts";
import { askForPush } from "../../pushes/ask-for-push.ts";

type Page = SurvivalPayload<"perm.inventory">;

/** A page holds what a frame does; whoever says to have more of them makes them up. */
const mostPages = 1_000;

export const inventoryHandlers: Handlers = {
  "perm.inventory": async (taken, ground) => {
    const { page, pages } = taken.payload;
    if (page > pages || pages > mostPages) return;
    await stage(taken, ground);
    await apply(taken, ground);
  },
  "perm.changed": (_taken, ground) => askForInventory("perm.changed", ground),
  "plugin.loaded": (_taken, ground) => askForInventory("plugin.loaded", ground),
  "plugin.unloaded": (_taken, ground) => askForInventory("plugin.unloaded", ground),
};

async function askForInventory(
  reason: string,
  { serverId, connection, context }: Ground,
): Promise<void> {
  const ask = { names: ["permission-inventory"], serverIds: [serverId], reason } as const;
  await askForPush(ask, context, connection);
}

/** Pages wait for the last one; those of an older inventory, or game process, are dropped. */
async function stage(
  { payload, bootId }: TakenIn<Page>,
  { serverId, connection }: Ground,
): Promise<void> {
  const { inventoryId, page } = payload;
  await countChanged(connection, dropOthers, [serverId, inventoryId, bootId]);
  await countChanged(connection, storePage, [
    serverId,
    inventoryId,
    bootId,
    page,
    JSON.stringify(payload),
  ]);
}

/** The pages as one, when all are there. */
async function apply(
  { payload: { pages }, t }: TakenIn<Page>,
  { serverId, connection, context }: Ground,
): Promise<void> {
  const applied = await countChanged(connection, storeWhole, [serverId, pages, t]);
  if (applied === 0) return;
  await countChanged(connection, "delete from survival_permission_pages where server_id = $1", [
    serverId,
  ]);
  // A wildcard stands for what is registered now, and what has gone is pushed again.
  const ask = { names: ["permissions"], serverIds: [serverId], reason: "inventory" } as const;
  await askForPush(ask, context, connection);
}

const dropOthers = `
  delete from survival_permission_pages
  where server_id = $1 and (inventory_id <> $2 or boot_id is distinct from $3)`;

const storePage = `
  insert into survival_permission_pages (server_id, inventory_id, boot_id, page, payload)
  values ($1, $2, $3, $4, $5)
  on conflict (server_id, page) do update set payload = excluded.payload`;

const listOf = (field: string): string => `
  coalesce((
    select jsonb_agg(item order by page, place)
    from survival_permission_pages,
      jsonb_array_elements(payload -> '${field}') with ordinality as items (item, place)
    where server_id = $1), '[]')`;

const storeWhole = `
  insert into survival_permission_inventories (server_id, told_at, groups, permissions, users)
  select $1, to_timestamp($3::bigint / 1000.0), ${listOf("groups")}, ${listOf("permissions")},
    ${listOf("users")}
  where (select count(*) from survival_permission_pages where server_id = $1) >= $2
  on conflict (server_id) do update
  set told_at = excluded.told_at, groups = excluded.groups, permissions = excluded.permissions,
    users = excluded.users`;
