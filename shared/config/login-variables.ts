import Joi from "joi";

import { pause, span, tries } from "./limit.ts";
import { variable } from "./variable.ts";

/** How often anybody may try to sign in, and how they are slowed and shut out. */
export const loginVariables = {
  RL_LOGIN_FAILED_MAX: tries(10, "failed sign-ins from one address in RL_LOGIN_WINDOW"),
  RL_LOGIN_TOTAL_MAX: tries(
    30,
    "sign-ins from one address in RL_LOGIN_WINDOW, successful ones included",
  ),
  RL_LOGIN_PAIR_MAX: tries(
    8,
    "failed sign-ins from one address with one user name in RL_LOGIN_WINDOW",
  ),
  RL_LOGIN_WINDOW: span("15m", "time over which sign-ins are counted"),
  RL_LOGIN_USER_MAX: tries(
    50,
    "failed sign-ins with one user name in RL_LOGIN_USER_WINDOW; above it, every sign-in with " +
      "the name is delayed by RL_LOGIN_USER_SLOW",
  ),
  RL_LOGIN_USER_WINDOW: span(
    "1h",
    "time over which failed sign-ins with one user name are counted",
  ),
  RL_LOGIN_USER_SLOW: pause(
    "1s",
    "delay of each sign-in with a user name that is over RL_LOGIN_USER_MAX",
  ),
  RL_LOGIN_SLOW_AFTER: tries(
    3,
    "failed sign-ins from one address after which its further sign-ins are delayed",
  ),
  RL_LOGIN_SLOW: pause(
    "250ms",
    "delay of a sign-in after RL_LOGIN_SLOW_AFTER failures from its address; each further " +
      "failure doubles it, up to RL_LOGIN_SLOW_LONGEST",
  ),
  RL_LOGIN_SLOW_LONGEST: pause(
    "4s",
    "longest delay of a sign-in because of failures from its address",
  ),
  RL_LOGIN_TURN: pause(
    "15s",
    "longest wait of a sign-in while other sign-ins from its address are being checked whose " +
      "failure would use up the limit",
  ),
  RL_LOGIN_CROWDED: pause(
    "1s",
    "delay of a sign-in that arrives while too many passwords are being checked",
  ),
  RL_LOGIN_WAITING: variable(
    Joi.number().integer().min(1).max(10_000).default(200),
    "sign-ins that may wait in one process at the same time, at most half of them from one IPv6 " +
      "/48 or IPv4 /24; each keeps its client's connection open",
  ),
  RL_LOGIN_BLOCK: span(
    "15m",
    "length of the first block of an address over its limit; each further block is twice as " +
      "long, up to RL_LOGIN_BLOCK_LONGEST",
  ),
  RL_LOGIN_BLOCK_LONGEST: span(
    "1d",
    "longest block of an address; also the time after a block until the next one starts again " +
      "at RL_LOGIN_BLOCK",
  ),
} as const;
