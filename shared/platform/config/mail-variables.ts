import Joi from "joi";

import { durationSchema } from "./values.ts";
import { requireAtLeast, defineVariable } from "./variable.ts";

export const mailVariables = {
  SMTP_URL: defineVariable(
    Joi.string<string | undefined>().uri({ scheme: ["smtp", "smtps"] }),
    "URL of the mail server, `smtp://user:password@host:587` or `smtps://...`; if unset, the " +
      "site sends no mail",
  ),
  MAIL_FROM: defineVariable(
    Joi.string().max(320).default("Guildhall <no-reply@localhost>"),
    "sender of all mails, as `Name <address>`",
  ),
  MAIL_RETRY: defineVariable(
    durationSchema("30s"),
    "wait before the second of the six tries to send a mail; the wait doubles before each " +
      "further try",
    requireAtLeast("5s"),
  ),
  RESET_TTL: defineVariable(
    durationSchema("1h"),
    "how long a mailed link to reset a password is valid",
    requireAtLeast("5m"),
  ),
  INVITE_TTL: defineVariable(
    durationSchema("7d"),
    "how long an invitation is valid",
    requireAtLeast("1h"),
  ),
} as const;
