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
      "Has the shard create the account and, where it can, link it to the caller. The shard " +
      "hashes the password; the service neither stores nor logs it. 403 `signup_unavailable` " +
      "while the setting `game_account_signup` is off or the shard takes no sign-ups from the " +
      "site, 409 `name_taken` for a name in use, 429 `rate_limited` after too many accounts " +
      "from an address or tries of a user. After 502 or 503 the account may exist: repeat the " +
      "request under the same `Idempotency-Key`.",
    limiters: ["gameAccount", "gameAccountTry"],
    body: Joi.object<GameAccountRequest, true>({
      account: accountName()
        .required()
        .description(
          'At most 30 ASCII letters, digits and signs: no space, none of `<>:"/\\|?*`, and no ' +
            "dot at the end.",
        ),
      password: accountPassword().required().description("At most 30 printable ASCII characters."),
    }),
    takes: ["Idempotency-Key"],
    answers: { 201: "GameAccount", 403: "Error", 409: "Error", 502: "Error", 503: "Error" },
    // Whoever may not sign up is told so before anything is asked of what was typed.
    find: (_input, context) => refuseClosedSignup(context),
    handle: async (input, context) =>
      answer(201, await createGameAccount(input.body, orderOf(input), context)),
  }),
]);
