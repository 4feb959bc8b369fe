import { voicePush } from "../../chat/voice.ts";
import { npcPush } from "../../npcs/push/npc-push.ts";
import { inventoryPush, permissionsPush } from "../../permissions/push/permissions-push.ts";
import { titlePush } from "../../titles/title-push.ts";
import type { PushKind, PushName } from "../push-kind.ts";

/** CATALOGUE of the pushes, by name. */
export const pushKinds: Readonly<Record<PushName, PushKind>> = {
  "permission-inventory": inventoryPush,
  titles: titlePush,
  voice: voicePush,
  permissions: permissionsPush,
  npcs: npcPush,
};
