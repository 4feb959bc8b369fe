import Joi from "joi";

import { linkByCode } from "../../shared/shard/links/link-account.ts";
import { readAllLinks, readLinksOf } from "../../shared/shard/owners/own-links.ts";
import { route } from "../http/route.ts";
import { linkCode } from "./fields.ts";
import { orderOf, readerOf } from "./order.ts";
import { alsoUnderAdmin } from "./own-paths.ts";

/** Linking game accounts to the caller. */
export const linksRoutes = alsoUnderAdmin([
  route({
    method: "post",
    path: "/api/v1/player/shard/link",
    gate: "auth",
    set: "core",
    tag: "Shard player",
    summary: "Link a game account with the one-time code from the game",
    description:
      "Unknown, used and expired codes are 400, another user's account is 409. With an " +
      "`Idempotency-Key` the same request may be sent again after a time-out.",
    limiters: ["linkCode", "linkCodeAddress"],
    body: Joi.object<{ code: string }, true>({
      code: linkCode,
    }),
    takes: ["Idempotency-Key"],
    answers: { 200: "ShardLink", 403: "Error", 409: "Error", 502: "Error", 503: "Error" },
    handle: (input, context) => linkByCode(input.body.code, orderOf(input), context),
  }),
  route({
    method: "get",
    path: "/api/v1/player/shard/accounts",
    gate: "auth",
    set: "core",
    tag: "Shard player",
    summary: "Linked game accounts",
    description: "The caller's own; on the path of staff an administrator is told of all.",
    answers: { 200: { listOf: "ShardLink" } },
    handle: (input, context) =>
      readerOf(input).readsAny ? readAllLinks(context) : readLinksOf(input.caller.userId, context),
  }),
]);
