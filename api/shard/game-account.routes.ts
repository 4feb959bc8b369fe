import Joi from "joi";

import {
  accountNameField,
  accountPasswordField,
  createGameAccount,
  type GameAccountRequest,
  requireOpenSignup,
} from "../../shared/shard/links/game-accounts.ts";
import { createAnswer } from "../http/answer.ts";
import { defineRoute } from "../http/route.ts";
import { createCommandRequest } from "./order.ts";
import { addAdminAliases } from "./own-paths.ts";

export const gameAccountRoutes = addAdminAliases([
  /**
   * @openapi
   * components:
   *   schemas:
   *     GameAccount:
   *       type: object
   *       additionalProperties: false
   *       required: [account, linked]
   *       properties:
   *         account: { type: string }
   *         linked:
   *           type: boolean
   *           description: >-
   *             Whether the shard linked the new account to the caller. If false, the player can
   *             link the account later with a code from the game.
   */
  defineRoute({
    method: "post",
    path: "/api/v1/player/shard/account",
    gate: "auth",
    set: "core",
    tag: "Shard player",
    summary: "Create a game account",
    description:
      "The shard creates the game account and, if the shard supports linking, links the account " +
      "to the caller. The shard hashes the password; the service neither stores nor logs it. 403 " +
      "`signup_unavailable` while the setting `game_account_signup` is off, or while the shard " +
      "does not accept sign-ups from the site. 409 `name_taken` if the name is in use. 429 " +
      "`rate_limited` after too many new accounts from an IP address or too many attempts by a " +
      "user. After a 502 or 503, the account may or may not have been created: repeat the " +
      "request with the same `Idempotency-Key`.",
    limiters: ["gameAccount", "gameAccountTry"],
    body: Joi.object<GameAccountRequest, true>({
      account: accountNameField()
        .required()
        .description(
          'At most 30 printable ASCII characters, without spaces, without any of `<>:"/\\|?*` ' +
            "and without a dot at the end.",
        ),
      password: accountPasswordField()
        .required()
        .description("At most 30 printable ASCII characters."),
    }),
    takes: ["Idempotency-Key"],
    answers: { 201: "GameAccount", 403: "Error", 409: "Error", 502: "Error", 503: "Error" },
    // Refuse callers who may not sign up before validating the body.
    find: (_input, context) => requireOpenSignup(context),
    handle: async (input, context) =>
      createAnswer(201, await createGameAccount(input.body, createCommandRequest(input), context)),
  }),
]);
