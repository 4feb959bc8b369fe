import type { Transporter } from "nodemailer";

import type { Config } from "../config/config.ts";
import { siteName } from "../site-name.ts";
import { startDeadline } from "./deadline.ts";

interface OutgoingMail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** SMTP error codes about the mail or its recipient, not about the connection or the sign-in. */
const codesOfMail: readonly unknown[] = ["EENVELOPE", "EMESSAGE"];

/** A mail that was not sent. The message omits the server's text, which often contains addresses. */
export class MailError extends Error {
  /** The SMTP status of a permanent refusal; null if a retry may succeed. */
  readonly refusedBy: number | null;

  constructor(code: unknown, answer: unknown) {
    super(`the mail server did not accept the mail: ${[code, answer].filter(Boolean).join(" ")}`);
    this.name = "MailError";
    const isForGood = codesOfMail.includes(code) && typeof answer === "number" && answer >= 500;
    this.refusedBy = isForGood ? answer : null;
  }
}

/** Sends mails. Sending is off if no server is configured. */
export interface Mail {
  readonly isOn: boolean;
  readonly counts: Readonly<Record<"sent" | "failed", number>>;
  send(this: void, mail: OutgoingMail): Promise<void>;
}

const silenceMs = 15_000;
/** Timeout of an attempt, shorter than the job's, so that two attempts of one mail never overlap. */
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
      // Pass the address as an object, so that it is never parsed as a list of addresses.
      const recipient = { name: "", address: to };
      transport ??= openTransport(SMTP_URL);
      const letter = { from: MAIL_FROM, to: recipient, subject: titled, text, headers };
      await (await transport).sendMail({ ...letter, signal: deadline.signal });
      counts.sent += 1;
    } catch (error) {
      counts.failed += 1;
      const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
      throw new MailError(code, responseCode);
    } finally {
      deadline.clear();
    }
  };
  return { isOn: true, counts, send };
}

/** Loads the library on first use: most processes never send a mail. @param silentMs response timeout */
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
