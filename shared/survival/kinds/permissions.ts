import Joi from "joi";

import { count, flag, integer, listOf, maybe, shape, text } from "../../bridge/payload-fields.ts";
import { limits } from "../../limits.ts";
import { gameId, gameName, instantMs, playersWith, said } from "./fields.ts";
import { standing } from "./kind.ts";

const node = () => text(128);

/** What players may do, as the mod loader of the game keeps it. */
export const permissionKinds = {
  "perm.inventory": standing(
    shape({
      inventoryId: text(64),
      page: count().min(1).max(limits.inventory.pages),
      pages: count().min(1).max(limits.inventory.pages),
      groups: listOf(
        shape({
          name: text(64),
          title: maybe(text(128)),
          rank: maybe(integer()),
          parent: maybe(text(64)),
          permissions: listOf(node()),
        }),
      ),
      permissions: listOf(shape({ name: node(), plugin: maybe(text(128)) })),
      users: playersWith({
        name: maybe(gameName()),
        groups: listOf(text(64)),
        permissions: listOf(node()),
      }),
    }),
  ),
  "perm.sync": standing(
    shape({
      pushId: text(64),
      ok: flag(),
      applied: maybe(count()),
      failed: listOf(
        shape({
          op: Joi.string().valid("grant", "revoke", "join", "leave", "group"),
          subjectKind: Joi.string().valid("user", "group"),
          subject: gameId(128),
          kind: Joi.string().valid("permission", "membership", "group"),
          value: maybe(text(128)),
          reason: said(128),
        }),
      ),
      at: instantMs(),
    }),
  ),
  "perm.changed": standing(shape({}).unknown()),
};
