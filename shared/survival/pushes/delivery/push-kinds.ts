import { messageStyleSync } from "../../chat/voice.ts";
import { npcSync } from "../../npcs/push/npc-push.ts";
import { inventorySync, permissionsSync } from "../../permissions/push/permissions-push.ts";
import { titleSync } from "../../titles/title-push.ts";
import type { SyncKind, SyncName } from "../push-kind.ts";

/** CATALOGUE of the pushes, by name. */
export const syncKinds: Readonly<Record<SyncName, SyncKind>> = {
  "permission-inventory": inventorySync,
  titles: titleSync,
  voice: messageStyleSync,
  permissions: permissionsSync,
  npcs: npcSync,
};
