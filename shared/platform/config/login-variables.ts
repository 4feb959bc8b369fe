import Joi from "joi";

import { delayVariable, windowVariable, limitVariable, defineVariable } from "./variable.ts";

export const loginVariables = {
  RL_LOGIN_FAILED_MAX: limitVariable(
    10,
    "largest number of failed sign-ins from one IP address in RL_LOGIN_WINDOW",
  ),
  RL_LOGIN_TOTAL_MAX: limitVariable(
    30,
    "largest number of failed and successful sign-ins from one IP address in RL_LOGIN_WINDOW",
  ),
  RL_LOGIN_PAIR_MAX: limitVariable(
    8,
    "largest number of failed sign-ins from one IP address with one user name in RL_LOGIN_WINDOW",
  ),
  RL_LOGIN_WINDOW: windowVariable(
    "15m",
    "time over which the sign-ins of an IP address are counted",
  ),
  RL_LOGIN_USER_MAX: limitVariable(
    50,
    "number of failed sign-ins with one user name in RL_LOGIN_USER_WINDOW above which every " +
      "further sign-in with this name is delayed by RL_LOGIN_USER_SLOW",
  ),
  RL_LOGIN_USER_WINDOW: windowVariable(
    "1h",
    "time over which failed sign-ins with one user name are counted",
  ),
  RL_LOGIN_USER_SLOW: delayVariable(
    "1s",
    "delay of each sign-in with a user name that has more failed sign-ins than RL_LOGIN_USER_MAX",
  ),
  RL_LOGIN_SLOW_AFTER: limitVariable(
    3,
    "number of failed sign-ins from one IP address after which its further sign-ins are delayed",
  ),
  RL_LOGIN_SLOW: delayVariable(
    "250ms",
    "delay of a sign-in after RL_LOGIN_SLOW_AFTER failures from its IP address; each further " +
      "failure doubles the delay, up to RL_LOGIN_SLOW_LONGEST",
  ),
  RL_LOGIN_SLOW_LONGEST: delayVariable(
    "4s",
    "longest delay of a sign-in because of earlier failures from its IP address",
  ),
  RL_LOGIN_TURN: delayVariable(
    "15s",
    "longest time that a sign-in waits until other sign-ins from its IP address are checked, if " +
      "failures of those could reach the limit",
  ),
  RL_LOGIN_CROWDED: delayVariable(
    "1s",
    "how long a sign-in waits while the queue of password checks is full; if the queue is still " +
      "full afterwards, the sign-in is refused",
  ),
  RL_LOGIN_WAITING: defineVariable(
    Joi.number().integer().min(1).max(10_000).default(200),
    "largest number of delayed sign-ins that may wait in one process, at most half of them from " +
      "one IPv6 /48 or IPv4 /24; each keeps its client's connection open",
  ),
  RL_LOGIN_BLOCK: windowVariable(
    "15m",
    "how long an IP address that reaches RL_LOGIN_FAILED_MAX cannot sign in (a block); each " +
      "further block is twice as long as the last, up to RL_LOGIN_BLOCK_LONGEST",
  ),
  RL_LOGIN_BLOCK_LONGEST: windowVariable(
    "1d",
    "longest block of an IP address; if the address is not blocked again for this time after a " +
      "block, its next block is as short as RL_LOGIN_BLOCK",
  ),
} as const;
