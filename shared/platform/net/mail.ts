import type { Transporter } from "nodemailer";

import type { Config } from "../config/config.ts";
import { siteName } from "../site-name.ts";
import { startDeadline } from "./deadline.ts";

interface OutgoingMail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** What the server says of a mail and its recipient, and not of the connection or the sign-in. */
const codesOfMail: readonly unknown[] = ["EENVELOPE", "EMESSAGE"];

/** A mail that was not sent. Servers repeat addresses in their messages, so it quotes none. */
export class MailFault extends Error {
  /** The status by which the server refuses the mail for good; null where it may be sent later. */
  readonly refusedBy: number | null;

  constructor(code: unknown, answer: unknown) {
    super(`the mail server did not take it: ${[code, answer].filter(Boolean).join(" ")}`);
    this.name = "MailFault";
    const isForGood = codesOfMail.includes(code) && typeof answer === "number" && answer >= 500;
    this.refusedBy = isForGood ? answer : null;
  }
}

/** Sends mails; off while no server is configured. */
export interface Mail {
  readonly isOn: boolean;
  /** Mails of this process. */
  readonly counts: Readonly<Record<"sent" | "failed", number>>;
  /** @throws {MailFault} */
  send(this: void, mail: OutgoingMail): Promise<void>;
}

const silenceMs = 15_000;
/** A whole attempt ends well before the job's time is out: two of one mail are never under way. */
const attemptMs = 60_000;

const refuse = (): Promise<never> => Promise.reject(new Error("mail is off"));

export function createMail(
  { SMTP_URL, MAIL_FROM }: Pick<Config, "SMTP_URL" | "MAIL_FROM">,
  longestMs = attemptMs,
): Mail {
  if (SMTP_URL === undefined) {
    return { isOn: false, counts: { sent: 0, failed: 0 }, send: refuse };
  }
  const counts = { sent: 0, failed: 0 };
  let transport: Promise<Transporter> | undefined;
  const send = async ({ to, subject, text }: OutgoingMail): Promise<void> => {
    const headers = { "Auto-Submitted": "auto-generated" };
    const titled = `${siteName}: ${subject}`;
    const deadline = startDeadline(longestMs);
    try {
      // As an object the address is never read as a list of several.
      const recipient = { name: "", address: to };
      transport ??= openTransport(SMTP_URL);
      const letter = { from: MAIL_FROM, to: recipient, subject: titled, text, headers };
      await (await transport).sendMail({ ...letter, signal: deadline.signal });
      counts.sent += 1;
    } catch (error) {
      counts.failed += 1;
      const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
      throw new MailFault(code, responseCode);
    } finally {
      deadline.clear();
    }
  };
  return { isOn: true, counts, send };
}

/**
 * The library is loaded with the first mail: most processes never send one.
 * @param silentMs how long the server may be silent before the attempt is given up
 */
export async function openTransport(url: string, silentMs = silenceMs): Promise<Transporter> {
  const { createTransport } = await import("nodemailer");
  return createTransport({
    url,
    connectionTimeout: silentMs,
    greetingTimeout: silentMs,
    socketTimeout: silentMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}
