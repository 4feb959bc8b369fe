import { declareCommand, declareRead } from "../../platform/bridge/calls/call.ts";
import {
  field,
  integer,
  listOf,
  nullish,
  objectSchema,
  text,
} from "../../platform/bridge/payload-fields.ts";
import { steamId } from "../kinds/fields.ts";
import type { PermissionSyncBody } from "../permissions/permission-sync.ts";

/** Requests the permission inventory, which arrives over the socket. */
export const requestInventoryCall = declareRead({
  method: "GET",
  path: "/v1/perm/inventory",
  answer: objectSchema({
    inventoryId: field(text(64), "Id of the inventory: `inventoryId` of the pages that follow."),
  }),
  docs: {
    about:
      "Send the complete inventory of groups, permissions and players as one or more states " +
      "`perm.inventory`. Answer before you send them.",
    example: { answer: { inventoryId: "inv-18" } },
  },
});

const nodes = listOf(text(128));
const names = listOf(text(64));

const group = objectSchema({
  name: field(text(64), "Name of the group. If the group does not exist, create it."),
  title: field(text(64), "Title of the group."),
  rank: field(integer(), "Rank of the group."),
  parent: field(
    nullish(text(64)),
    "Name of the group whose permissions the group inherits. Null if there is no such group.",
  ),
  grant: field(nodes, "Permissions to grant."),
  revoke: field(nodes, "Permissions to revoke."),
});

const user = objectSchema({
  steamId: field(steamId(), "Steam id of the player."),
  grant: field(nodes, "Permissions to grant."),
  revoke: field(nodes, "Permissions to revoke."),
  join: field(names, "Names of the groups that the player joins."),
  leave: field(names, "Names of the groups that the player leaves."),
});

/** Grants and revokes permissions. The frame `perm.sync` reports the result. */
export const pushPermissionsCall = declareCommand<object, { body: PermissionSyncBody }>({
  method: "POST",
  path: "/v1/perm/push",
  answer: objectSchema({}),
  docs: {
    about:
      "Change groups and permissions. Answer with status 202, and send the state `perm.sync` " +
      "when the work is done. Leave all other groups and permissions unchanged.",
    body: objectSchema({
      pushId: field(text(64), "Id of the push. Send it back as `pushId` in `perm.sync`."),
      groups: field(
        listOf(group),
        "Groups to create or change. Each group comes after its parent.",
      ),
      users: field(listOf(user), "Players whose permissions or groups change."),
      remove: field(names, "Names of the groups to delete."),
    }),
    example: {
      body: {
        pushId: "0b8f3c1e-7d52-4f0a-9c38-2f7f6f0f1d11",
        groups: [
          {
            name: "vip",
            title: "VIP",
            rank: 5,
            parent: "default",
            grant: ["kits.vip"],
            revoke: [],
          },
        ],
        users: [{ steamId: "76561198000000001", grant: [], revoke: [], join: ["vip"], leave: [] }],
        remove: [],
      },
      answer: {},
    },
  },
});
