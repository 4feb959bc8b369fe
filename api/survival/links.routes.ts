import Joi from "joi";

import { linkSteamByCode, unlinkSteam } from "../../shared/survival/links/link-steam.ts";
import { readLinkedAccounts } from "../../shared/survival/links/own-links.ts";
import { answer } from "../http/answer.ts";
import { route } from "../http/route.ts";
import { linkCode } from "../shard/fields.ts";
import { orderOf } from "../shard/order.ts";
import { steamIdParam } from "./fields.ts";

const common = { gate: "auth", set: "additive", tag: "Survival" } as const;

/** Linking Steam accounts to the caller. */
export const steamLinksRoutes = [
  route({
    ...common,
    method: "get",
    path: "/api/v1/player/survival/link",
    summary: "List the caller's linked Steam accounts",
    description: "Returns all Steam accounts that the caller has linked, the oldest link first.",
    answers: { 200: { enveloped: "links", shape: { listOf: "SteamLink" } } },
    handle: async ({ caller }, context) => ({
      links: await readLinkedAccounts(caller.userId, context),
    }),
  }),
  route({
    ...common,
    method: "post",
    path: "/api/v1/player/survival/link",
    summary: "Link a Steam account with a code from the game",
    description:
      "Links the Steam account for which a survival server issued the code; the service verifies " +
      "the code with that server. A user may link several accounts. Linking the same account " +
      "again only updates its name and server. Sending the same code again returns the same link " +
      "until the code expires. Recorded in the activity log as `survival.link.created`.\n\n" +
      "400 `invalid_link_code` if the code is unknown, used or expired. 409 " +
      "`account_linked_elsewhere` if another user has linked the account; the code is then used " +
      "up. 503 `shard_unavailable` if the server does not respond or no server is connected: " +
      "send the same code again after `Retry-After` seconds. 429 `rate_limited` after too many " +
      "wrong codes from the user or the address. Codes that are refused with 409 count as wrong " +
      "codes, and so do codes that are refused with 503 because no server is connected.",
    body: Joi.object<{ code: string }, true>({
      code: linkCode,
    }).example({ code: "KWXRTB" }),
    answers: { 201: "SteamLinked", 409: "Error", 429: "Error", 503: "Error" },
    handle: async (input, context) =>
      answer(201, await linkSteamByCode(input.body.code, orderOf(input), context)),
  }),
  route({
    ...common,
    method: "delete",
    path: "/api/v1/player/survival/link/:steamId",
    summary: "Unlink a Steam account",
    description:
      "Removes the link and revokes all permissions and group memberships that were granted to " +
      "the user, including those for other Steam accounts. Grants that were made for a Steam " +
      "account only are not revoked. Recorded in the activity log as `survival.link.removed`. " +
      "404 if the account is not linked to the caller, so a repeat is 404.",
    params: Joi.object<{ steamId: string }, true>({ steamId: steamIdParam }),
    answers: { 200: "SteamUnlinked", 404: "Error" },
    handle: (input, context) => unlinkSteam(input.params.steamId, orderOf(input), context),
  }),
];
