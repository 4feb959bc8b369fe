import Joi from "joi";

import { accountName, accountPassword } from "../../shared/shard/links/account-rules.ts";
import {
  createGameAccount,
  type GameAccountRequest,
  refuseClosedSignup,
} from "../../shared/shard/links/create-game-account.ts";
import { answer } from "../http/answer.ts";
import { route } from "../http/route.ts";
import { orderOf } from "./order.ts";
import { alsoUnderAdmin } from "./own-paths.ts";

export const gameAccountRoutes = alsoUnderAdmin([
  route({
    method: "post",
    path: "/api/v1/player/shard/account",
    gate: "auth",
    set: "core",
    tag: "Shard player",
    summary: "Create a game account",
    description:
      "Open while the setting `game_account_signup` is on and the shard takes sign-ups from the " +
      "site. The shard hashes the password; it is neither stored nor logged here.",
    limiters: ["gameAccount", "gameAccountTry"],
    body: Joi.object<GameAccountRequest, true>({
      account: accountName().required(),
      password: accountPassword().required(),
    }),
    takes: ["Idempotency-Key"],
    answers: { 201: "GameAccount", 403: "Error", 409: "Error", 502: "Error", 503: "Error" },
    // Whoever may not sign up is told so before anything is asked of what was typed.
    find: (_input, context) => refuseClosedSignup(context),
    handle: async (input, context) =>
      answer(201, await createGameAccount(input.body, orderOf(input), context)),
  }),
]);
