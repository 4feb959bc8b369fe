import Joi from "joi";

import {
  count,
  field,
  flag,
  integer,
  listOf,
  nullish,
  objectSchema,
  text,
} from "../../platform/bridge/payload-fields.ts";
import { limits } from "../../platform/limits.ts";
import { playerAnna, exampleTime } from "./example-world.ts";
import { gameId, gameName, instantMs, playerListSchema, programMessage } from "./fields.ts";
import { defineState } from "./kind.ts";

const node = () => text(128);

/** Kinds of frames about permissions, as the game's mod loader stores them. */
export const permissionKinds = {
  "perm.inventory": defineState(
    objectSchema({
      inventoryId: field(
        text(64),
        "Id of the inventory, made up by the plugin: the same on all pages of the inventory.",
      ),
      page: field(
        count().min(1).max(limits.inventory.pages),
        "Number of the page. The first page has the number 1.",
      ),
      pages: field(count().min(1).max(limits.inventory.pages), "Number of pages of the inventory."),
      groups: field(
        listOf(
          objectSchema({
            name: field(text(64), "Name of the group."),
            title: field(nullish(text(128)), "Title of the group."),
            rank: field(nullish(integer()), "Rank of the group."),
            parent: field(
              nullish(text(64)),
              "Name of the group whose permissions this group inherits.",
            ),
            permissions: field(
              listOf(node()),
              "Permissions of the group, without those that it inherits.",
            ),
          }),
        ),
        "Groups, as far as they are on this page.",
      ),
      permissions: field(
        listOf(
          objectSchema({
            name: field(node(), "Name of the permission."),
            plugin: field(nullish(text(128)), "Name of the plugin that registered the permission."),
          }),
        ),
        "Permissions that plugins have registered, as far as they are on this page.",
      ),
      users: field(
        playerListSchema({
          name: field(nullish(gameName()), "Name of the player."),
          groups: field(listOf(text(64)), "Names of the groups of which the player is a member."),
          permissions: field(
            listOf(node()),
            "Permissions of the player, without those of the player's groups.",
          ),
        }),
        "Players who have a permission or a group, as far as they are on this page.",
      ),
    }),
    {
      family: "permissions",
      about:
        "Contains one page of the inventory of groups, permissions and players. When all pages " +
        "have arrived, the inventory replaces the stored one. Send it after `GET " +
        "/v1/perm/inventory`, and when the site asks for the family `permissions`.",
      example: {
        inventoryId: "inv-18",
        page: 1,
        pages: 1,
        groups: [
          { name: "default", title: "", rank: 0, parent: null, permissions: [] },
          { name: "vip", title: "VIP", rank: 5, parent: "default", permissions: ["kits.vip"] },
        ],
        permissions: [{ name: "kits.vip", plugin: "Kits" }],
        users: [{ ...playerAnna, groups: ["vip"], permissions: [] }],
      },
      capability: "perm",
    },
  ),
  "perm.sync": defineState(
    objectSchema({
      pushId: field(text(64), "Id of the push: `pushId` of `POST /v1/perm/push`."),
      ok: field(flag(), "Whether all changes of the push were made."),
      applied: field(nullish(count()), "Number of changes that were made."),
      failed: field(
        listOf(
          objectSchema({
            op: field(
              Joi.string().valid("grant", "revoke", "join", "leave", "group"),
              "Change that failed.",
            ),
            subjectKind: field(
              Joi.string().valid("user", "group"),
              "Whether the change concerns a player (`user`) or a group.",
            ),
            subject: field(gameId(128), "Steam id of the player, or name of the group."),
            kind: field(
              Joi.string().valid("permission", "membership", "group"),
              "Type of the object that was to be changed.",
            ),
            value: field(
              nullish(text(128)),
              "Name of the permission or group that was to be granted, revoked, joined or left. " +
                "Null for `group`.",
            ),
            reason: field(
              programMessage(128),
              "Why the change failed, such as `unknown-permission`, `unknown-group` or " +
                "`invalid-id`. The site stores the first 128 characters.",
            ),
          }),
        ),
        "Changes that failed. All changes of the push that are not in this list succeeded.",
      ),
      at: field(instantMs(), "When the push was completed, in epoch milliseconds."),
    }),
    {
      about: "Reports the outcome of `POST /v1/perm/push`.",
      example: {
        pushId: "0b8f3c1e-7d52-4f0a-9c38-2f7f6f0f1d11",
        ok: false,
        applied: 3,
        failed: [
          {
            op: "grant",
            subjectKind: "user",
            subject: playerAnna.steamId,
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
  "perm.changed": defineState(objectSchema({}).unknown(), {
    about:
      "Permissions were changed in the game, and not by the site. The site then calls `GET " +
      "/v1/perm/inventory`.",
    example: {},
    capability: "perm",
  }),
};
