import Joi from "joi";

import { durationSchema } from "./values.ts";
import { windowVariable, requireAtLeast, defineVariable, type Variable } from "./variable.ts";

const points = (usual: number, about: string): Variable<number> =>
  defineVariable(Joi.number().min(0).max(1000).default(usual), `points for ${about}`);

export const botVariables = {
  BOT_SCORE_JUNK: points(4, "a request for a path that only vulnerability scanners request"),
  BOT_SCORE_HONEYPOT: points(10, "a form in which a hidden field is filled in"),
  BOT_SCORE_CREDENTIALS: points(1, "a failed sign-in"),
  BOT_SCORE_FACTOR: points(1, "a wrong second factor"),
  BOT_SCORE_TOKEN: points(1, "an invalid refresh token or an invalid link from a mail"),
  BOT_SCORE_MALFORMED: points(0.5, "a request body that is not JSON, on the routes for signing in"),
  BOT_HALF_LIFE: defineVariable(
    durationSchema("10m", { least: "1s", most: "1d" }),
    "time in which the bot score of an IP address halves",
    requireAtLeast("1m"),
  ),
  BOT_BAN_SCORE: defineVariable(
    Joi.number().min(1).max(1_000_000).default(15),
    "bot score at which an IP address is banned",
    // Below 5, a few typing errors ban a person. Above 1000, no bot is ever banned.
    (value) => (value < 5 || value > 1000 ? "must be 5 to 1000 in production" : undefined),
  ),
  BOT_BAN: windowVariable(
    "15m",
    "length of the first ban of an IP address; each further ban is twice as long as the last, up " +
      "to BOT_BAN_LONGEST",
  ),
  BOT_BAN_LONGEST: windowVariable(
    "1d",
    "longest ban of an IP address; if the address is not banned again for this time after a ban, " +
      "its next ban is as short as BOT_BAN",
  ),
  BOT_BAN_RECHECK: defineVariable(
    durationSchema("2s", { least: "100ms", most: "1m" }),
    "longest time until a process applies a ban that another process gave",
    requireAtLeast("1s"),
  ),
} as const;
