import Joi from "joi";

import { duration } from "./values.ts";
import { atLeast, variable, type Variable } from "./variable.ts";

const highest = 1_000_000;

/** A limit this many times the usual one is none. */
const laxest = 100;

const tries = (usual: number, about: string): Variable<number> =>
  variable(Joi.number().integer().min(1).max(highest).default(usual), about, (value) =>
    value > usual * laxest ? `must be ${usual * laxest} or less in production` : undefined,
  );

/** How much anybody may try, and when an address is shut out. */
export const throttleVariables = {
  RL_LOGIN_FAILED_MAX: tries(10, "failed sign-ins of one address in RL_LOGIN_WINDOW"),
  RL_LOGIN_TOTAL_MAX: tries(30, "sign-ins of one address in RL_LOGIN_WINDOW, failed or not"),
  RL_LOGIN_PAIR_MAX: tries(8, "failed sign-ins of one address with one user name"),
  RL_LOGIN_SLOW_AFTER: tries(3, "failed sign-ins after which an address is answered more slowly"),
  RL_LOGIN_WINDOW: variable(duration("15m"), "time over which sign-ins are counted", atLeast("1m")),
  RL_LOGIN_BLOCK: variable(
    duration("15m"),
    "how long an address over its limit is refused; it doubles each time, up to a day",
    atLeast("1m"),
  ),
  RL_REGISTER_MAX: tries(10, "accounts one address may register in an hour"),
  RL_FORGOT_MAX: tries(5, "requests for a reset link of one address in 15 minutes"),
  RL_RESET_MAIL_MAX: tries(3, "reset mails to one e-mail address in an hour"),
  RL_RESET_MAX: tries(10, "uses of reset links by one address in 15 minutes"),
  RL_INVITE_MAX: tries(20, "uses of invitations by one address in 15 minutes"),
  RL_REFRESH_MAX: tries(30, "token refreshes of one address in a minute"),
  RL_REFRESH_FAMILY_MAX: tries(6, "token refreshes of one device in a minute"),
  RL_MOBILE_START_MAX: tries(10, "app sign-ins one address may start at one provider in a minute"),
  RL_MOBILE_EXCHANGE_MAX: tries(20, "app sign-ins one address may complete in a minute"),
  RL_USER_CHANGE_MAX: tries(
    10,
    "changes of one user's name, password or second factor in 10 minutes",
  ),
  RL_LINK_CODE_MAX: tries(10, "link codes one user may try in 10 minutes"),
  RL_LINK_CODE_IP_MAX: tries(20, "link codes one address may try in 10 minutes"),
  RL_GAME_ACCOUNT_MAX: tries(3, "game accounts one address may create in a day"),
  RL_GAME_ACCOUNT_TRY_MAX: tries(30, "tries of one user to create a game account in an hour"),
  RL_MARKET_MAX: tries(
    60,
    "market searches of one address in a minute, counted by each web process for itself",
  ),
  BOT_BAN_SCORE: variable(
    Joi.number().min(1).max(highest).default(15),
    "score at which an address is banned",
    // A few typing errors are no program, and beyond a thousand no program is ever banned.
    (value) => (value < 5 || value > 1000 ? "must be 5 to 1000 in production" : undefined),
  ),
  BOT_BAN: variable(
    duration("15m"),
    "how long a first ban lasts; it doubles each time, up to a day",
    atLeast("1m"),
  ),
  BOT_HALF_LIFE: variable(
    duration("10m"),
    "time in which an address's score halves while it is quiet",
    atLeast("1m"),
  ),
} as const;
