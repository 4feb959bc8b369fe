import { command, read } from "../../bridge/call.ts";
import { field, integer, listOf, maybe, shape, text } from "../../bridge/payload-fields.ts";
import { steamId } from "../kinds/fields.ts";
import type { PermissionPush } from "../permissions/permission-push.ts";

/** Has the game say what its players may do; it says it over the socket. */
export const requestInventory = read({
  method: "GET",
  path: "/v1/perm/inventory",
  answer: shape({
    inventoryId: field(text(64), "Id of the inventory, which `perm.inventory` names."),
  }),
  docs: {
    about: "Send the events `perm.inventory` with all that players may do. Answer before that.",
    example: { answer: { inventoryId: "inv-18" } },
  },
});

const nodes = listOf(text(128));
const names = listOf(text(64));

const group = shape({
  name: field(text(64), "Name of the group. Create a group that does not exist."),
  title: field(text(64), "Title of the group."),
  rank: field(integer(), "Rank of the group."),
  parent: field(maybe(text(64)), "Group whose permissions it inherits. Null for none."),
  grant: field(nodes, "Permissions to grant."),
  revoke: field(nodes, "Permissions to revoke."),
});

const user = shape({
  steamId: field(steamId(), "Steam id of the player."),
  grant: field(nodes, "Permissions to grant."),
  revoke: field(nodes, "Permissions to revoke."),
  join: field(names, "Groups to join."),
  leave: field(names, "Groups to leave."),
});

/** Gives and takes permissions; `perm.sync` says what came of it. */
export const pushPermissions = command<object, { body: PermissionPush }>({
  method: "POST",
  path: "/v1/perm/push",
  answer: shape({}),
  docs: {
    about:
      "Change groups and permissions. Answer 202, and send `perm.sync` when it is done. Leave all " +
      "other groups and permissions as they are.",
    body: shape({
      pushId: field(text(64), "Id of the push, which `perm.sync` names."),
      groups: field(listOf(group), "Groups, each after its parent."),
      users: field(listOf(user), "Players."),
      remove: field(names, "Groups to delete."),
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
