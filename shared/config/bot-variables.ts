import Joi from "joi";

import { span } from "./limit.ts";
import { duration } from "./values.ts";
import { atLeast, variable, type Variable } from "./variable.ts";

const points = (usual: number, about: string): Variable<number> =>
  variable(Joi.number().min(0).max(1000).default(usual), `points for ${about}`);

/** What makes an address a program's, and how it is shut out. */
export const botVariables = {
  BOT_SCORE_JUNK: points(4, "a path that only scanners try"),
  BOT_SCORE_HONEYPOT: points(10, "a filled field that people do not see"),
  BOT_SCORE_CREDENTIALS: points(1, "a failed sign-in"),
  BOT_SCORE_FACTOR: points(1, "a wrong second factor"),
  BOT_SCORE_TOKEN: points(1, "a refresh token or mailed link that is none"),
  BOT_SCORE_MALFORMED: points(0.5, "a body that is no JSON, on the paths for signing in"),
  BOT_HALF_LIFE: variable(
    duration("10m", { least: "1s", most: "1d" }),
    "time in which an address's score halves while it is quiet",
    atLeast("1m"),
  ),
  BOT_BAN_SCORE: variable(
    Joi.number().min(1).max(1_000_000).default(15),
    "score at which an address is banned",
    // A few typing errors are no program, and beyond a thousand no program is ever banned.
    (value) => (value < 5 || value > 1000 ? "must be 5 to 1000 in production" : undefined),
  ),
  BOT_BAN: span("15m", "how long a first ban lasts; it doubles each time, up to BOT_BAN_LONGEST"),
  BOT_BAN_LONGEST: span("1d", "the longest ban, and how long after one it is remembered"),
  BOT_BAN_RECHECK: variable(
    duration("2s", { least: "100ms", most: "1m" }),
    "how soon a process learns of a ban that another one made",
    atLeast("1s"),
  ),
} as const;
