import Joi from "joi";

import { pause, span, tries } from "./limit.ts";
import { variable } from "./variable.ts";

/** How often anybody may try to sign in, and how they are slowed and shut out. */
export const loginVariables = {
  RL_LOGIN_FAILED_MAX: tries(10, "failed sign-ins of one address in RL_LOGIN_WINDOW"),
  RL_LOGIN_TOTAL_MAX: tries(30, "sign-ins of one address in RL_LOGIN_WINDOW, failed or not"),
  RL_LOGIN_PAIR_MAX: tries(
    8,
    "failed sign-ins of one address with one user name in RL_LOGIN_WINDOW",
  ),
  RL_LOGIN_WINDOW: span("15m", "time over which sign-ins are counted"),
  RL_LOGIN_USER_MAX: tries(
    50,
    "failed sign-ins with one user name in RL_LOGIN_USER_WINDOW, after which all its sign-ins " +
      "are answered more slowly",
  ),
  RL_LOGIN_USER_WINDOW: span("1h", "time over which failed sign-ins with one name are counted"),
  RL_LOGIN_USER_SLOW: pause("1s", "wait of a sign-in with a user name over RL_LOGIN_USER_MAX"),
  RL_LOGIN_SLOW_AFTER: tries(3, "failed sign-ins after which an address is answered more slowly"),
  RL_LOGIN_SLOW: pause(
    "250ms",
    "wait of an address at RL_LOGIN_SLOW_AFTER; it doubles with each further failure",
  ),
  RL_LOGIN_SLOW_LONGEST: pause("4s", "the longest wait of an address that is answered more slowly"),
  RL_LOGIN_TURN: pause(
    "15s",
    "the longest wait of a sign-in while as many others of its address are being checked as may " +
      "still fail",
  ),
  RL_LOGIN_CROWDED: pause(
    "1s",
    "wait of a sign-in that comes while too many passwords are being checked",
  ),
  RL_LOGIN_WAITING: variable(
    Joi.number().integer().min(1).max(10_000).default(200),
    "sign-ins one process lets wait at the same time, half of them of one IPv6 /48 or IPv4 /24; " +
      "each holds a connection",
  ),
  RL_LOGIN_BLOCK: span(
    "15m",
    "how long an address over its limit is refused; it doubles each time, up to " +
      "RL_LOGIN_BLOCK_LONGEST",
  ),
  RL_LOGIN_BLOCK_LONGEST: span(
    "1d",
    "the longest refusal of an address over its limit, and how long after one it is remembered",
  ),
} as const;
