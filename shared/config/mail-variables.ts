import Joi from "joi";

import { duration } from "./values.ts";
import { atLeast, variable } from "./variable.ts";

/** Mails, and the links in them. */
export const mailVariables = {
  SMTP_URL: variable(
    Joi.string<string | undefined>().uri({ scheme: ["smtp", "smtps"] }),
    "mail server, `smtp://user:password@host:587` or `smtps://...`; unset means mail is off",
  ),
  MAIL_FROM: variable(
    Joi.string().max(320).default("Guildhall <no-reply@localhost>"),
    "sender of mails, `Name <address>`",
  ),
  MAIL_RETRY: variable(
    duration("30s"),
    "wait before the second of the six tries a mail has; it doubles before each further one",
    atLeast("5s"),
  ),
  RESET_TTL: variable(duration("1h"), "life of a link to reset a password", atLeast("5m")),
  INVITE_TTL: variable(duration("7d"), "life of an invitation", atLeast("1h")),
} as const;
