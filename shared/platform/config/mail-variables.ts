import Joi from "joi";

import { duration } from "./values.ts";
import { atLeast, variable } from "./variable.ts";

export const mailVariables = {
  SMTP_URL: variable(
    Joi.string<string | undefined>().uri({ scheme: ["smtp", "smtps"] }),
    "URL of the mail server, `smtp://user:password@host:587` or `smtps://...`; if unset, the " +
      "site sends no mail",
  ),
  MAIL_FROM: variable(
    Joi.string().max(320).default("Guildhall <no-reply@localhost>"),
    "sender of all mails, as `Name <address>`",
  ),
  MAIL_RETRY: variable(
    duration("30s"),
    "wait before the second of the six tries to send a mail; the wait doubles before each " +
      "further try",
    atLeast("5s"),
  ),
  RESET_TTL: variable(
    duration("1h"),
    "how long a mailed link to reset a password is valid",
    atLeast("5m"),
  ),
  INVITE_TTL: variable(duration("7d"), "how long an invitation is valid", atLeast("1h")),
} as const;
