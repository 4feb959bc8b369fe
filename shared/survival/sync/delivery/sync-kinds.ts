import { messageStyleSync } from "../../chat/message-style.ts";
import { npcSync } from "../../npcs/sync/npc-sync.ts";
import { inventorySync, permissionsSync } from "../../permissions/sync/permissions-sync.ts";
import { titleSync } from "../../titles/title-sync.ts";
import type { SyncKind, SyncName } from "../sync-kind.ts";

/** CATALOGUE of the syncs, by name. */
export const syncKinds: Readonly<Record<SyncName, SyncKind>> = {
  "permission-inventory": inventorySync,
  titles: titleSync,
  voice: messageStyleSync,
  permissions: permissionsSync,
  npcs: npcSync,
};
