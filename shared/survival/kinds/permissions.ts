import Joi from "joi";

import {
  count,
  field,
  flag,
  integer,
  listOf,
  maybe,
  shape,
  text,
} from "../../bridge/payload-fields.ts";
import { limits } from "../../limits.ts";
import { anna, exampleTime } from "./example-world.ts";
import { gameId, gameName, instantMs, playersWith, said } from "./fields.ts";
import { standing } from "./kind.ts";

const node = () => text(128);

/** What players may do, as the mod loader of the game keeps it. */
export const permissionKinds = {
  "perm.inventory": standing(
    shape({
      inventoryId: field(text(64), "Id of the inventory, the same on all of its pages."),
      page: field(count().min(1).max(limits.inventory.pages), "Number of the page, from 1."),
      pages: field(count().min(1).max(limits.inventory.pages), "Number of pages."),
      groups: field(
        listOf(
          shape({
            name: field(text(64), "Name of the group."),
            title: field(maybe(text(128)), "Title of the group."),
            rank: field(maybe(integer()), "Rank of the group."),
            parent: field(maybe(text(64)), "Name of the group whose permissions it inherits."),
            permissions: field(listOf(node()), "Permissions of the group itself."),
          }),
        ),
        "Groups on this page.",
      ),
      permissions: field(
        listOf(
          shape({
            name: field(node(), "Name of the permission."),
            plugin: field(maybe(text(128)), "Plugin that registered it."),
          }),
        ),
        "Permissions on this page that plugins have registered.",
      ),
      users: field(
        playersWith({
          name: field(maybe(gameName()), "Name of the player."),
          groups: field(listOf(text(64)), "Groups of the player."),
          permissions: field(listOf(node()), "Permissions of the player, without those of groups."),
        }),
        "Players on this page who have a permission or a group.",
      ),
    }),
    {
      family: "permissions",
      about:
        "One page of what players may do. The site applies the inventory once all of its pages " +
        "came. Send it after `GET /v1/perm/inventory` and for the family `permissions`.",
      example: {
        inventoryId: "inv-18",
        page: 1,
        pages: 1,
        groups: [
          { name: "default", title: "", rank: 0, parent: null, permissions: [] },
          { name: "vip", title: "VIP", rank: 5, parent: "default", permissions: ["kits.vip"] },
        ],
        permissions: [{ name: "kits.vip", plugin: "Kits" }],
        users: [{ ...anna, groups: ["vip"], permissions: [] }],
      },
      capability: "perm",
    },
  ),
  "perm.sync": standing(
    shape({
      pushId: field(text(64), "Id of the push, as the call named it."),
      ok: field(flag(), "Whether all of the push was done."),
      applied: field(maybe(count()), "Number of changes that were made."),
      failed: field(
        listOf(
          shape({
            op: field(
              Joi.string().valid("grant", "revoke", "join", "leave", "group"),
              "Change that was asked for.",
            ),
            subjectKind: field(Joi.string().valid("user", "group"), "Whom it was for."),
            subject: field(gameId(128), "Steam id of the player, or name of the group."),
            kind: field(
              Joi.string().valid("permission", "membership", "group"),
              "What was to change.",
            ),
            value: field(maybe(text(128)), "Permission or group that it was about."),
            reason: field(
              said(128),
              "Why, such as `unknown-permission`, `unknown-group` or `invalid-id`.",
            ),
          }),
        ),
        "Changes that were not made. What is not in the list succeeded.",
      ),
      at: field(instantMs(), "When the push was done, in epoch milliseconds."),
    }),
    {
      about: "What came of `POST /v1/perm/push`.",
      example: {
        pushId: "0b8f3c1e-7d52-4f0a-9c38-2f7f6f0f1d11",
        ok: false,
        applied: 3,
        failed: [
          {
            op: "grant",
            subjectKind: "user",
            subject: anna.steamId,
            kind: "permission",
            value: "kits.vip",
            reason: "unknown-permission",
          },
        ],
        at: exampleTime,
      },
      capability: "perm",
    },
  ),
  "perm.changed": standing(shape({}).unknown(), {
    about: "Somebody changed permissions in the game. The site then asks for the inventory.",
    example: {},
    capability: "perm",
  }),
};
