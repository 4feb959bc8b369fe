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
    summary: "Linked Steam accounts",
    description: "The oldest link first.",
    answers: { 200: { enveloped: "links", shape: { listOf: "SteamLink" } } },
    handle: async ({ caller }, context) => ({
      links: await readLinkedAccounts(caller.userId, context),
    }),
  }),
  route({
    ...common,
    method: "post",
    path: "/api/v1/player/survival/link",
    summary: "Link a Steam account with the one-time code from the game",
    description:
      "A code is asked of the server alone that said it made it. " +
      "Unknown, used and expired codes are 400; another user's account is 409, which uses the code " +
      "up. 503 where that server did not answer, or no server is connected: the same code may be sent " +
      "again. A code that linked an account answers its user the same while the account is linked. " +
      "Wrong codes are counted for the user and for the address. A user may link several " +
      "accounts; to link one again changes its name alone.",
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
      "An account that is not linked to the caller is 404. Whatever the user was granted is taken back.",
    params: Joi.object<{ steamId: string }, true>({ steamId: steamIdParam }),
    answers: { 200: "SteamUnlinked", 404: "Error" },
    handle: (input, context) => unlinkSteam(input.params.steamId, orderOf(input), context),
  }),
];
