import { command, read } from "../../bridge/call.ts";
import { shape, text } from "../../bridge/payload-fields.ts";
import type { PermissionPush } from "../permissions/permission-push.ts";

/** Has the game say what its players may do; it says it over the socket. */
export const requestInventory = read({
  method: "GET",
  path: "/v1/perm/inventory",
  answer: shape({ inventoryId: text(64) }),
});

/** Gives and takes permissions; `perm.sync` says what came of it. */
export const pushPermissions = command<object, { body: PermissionPush }>({
  method: "POST",
  path: "/v1/perm/push",
  answer: shape({}),
});
