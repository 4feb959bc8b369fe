import type { AddressInfo } from "node:net";

import { SMTPServer } from "smtp-server";

import { waitUntil } from "../clock/wait.ts";

export interface CaughtMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly headers: string;
  readonly subject: string;
  readonly text: string;
}

/** A mail server that keeps all mail it receives. */
export class MailTrap {
  readonly mails: CaughtMail[] = [];
  /** The text with which the server refuses all mail. Undefined accepts mail. */
  refusal: string | undefined;
  /** The status of refusals. The default means a temporary failure. */
  refusesBy = 451;
  refused = 0;
  readonly #server: SMTPServer;

  private constructor() {
    this.#server = new SMTPServer({
      disabledCommands: ["AUTH", "STARTTLS"],
      onData: (stream, session, done) => {
        const chunks: Buffer[] = [];
        stream.on("data", (chunk: Buffer) => chunks.push(chunk));
        stream.on("end", () => {
          if (this.refusal !== undefined) {
            this.refused += 1;
            done(Object.assign(new Error(this.refusal), { responseCode: this.refusesBy }));
            return;
          }
          const { mailFrom, rcptTo } = session.envelope;
          const to = rcptTo.map(({ address }) => address);
          this.mails.push(readMail(Buffer.concat(chunks).toString(), mailFrom, to));
          done();
        });
      },
    });
  }

  static async start(): Promise<MailTrap> {
    const trap = new MailTrap();
    await new Promise<void>((resolve) => trap.#server.listen(0, "127.0.0.1", resolve));
    return trap;
  }

  get url(): string {
    return `smtp://127.0.0.1:${(this.#server.server.address() as AddressInfo).port}`;
  }

  /** Waits for mail to an address. @returns the mails */
  async to(address: string, count = 1): Promise<CaughtMail[]> {
    const caught = () => this.mails.filter(({ to }) => to.includes(address));
    await waitUntil(`${count} mails to ${address}`, () => caught().length >= count);
    return caught();
  }

  stop(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
    });
  }
}

type Sender = { readonly address: string } | false;

function readMail(raw: string, from: Sender, to: readonly string[]): CaughtMail {
  const end = raw.indexOf("\r\n\r\n");
  const headers = raw.slice(0, end).replaceAll(/\r\n\s+/g, " ");
  const header = (name: string) => new RegExp(`^${name}: (.*)$`, "im").exec(headers)?.[1] ?? "";
  const body = raw.slice(end + 4);
  return {
    from: from ? from.address : "",
    to,
    headers,
    subject: header("Subject"),
    text: decode(body, header("Content-Transfer-Encoding").trim().toLowerCase()),
  };
}

function decode(body: string, encoding: string): string {
  if (encoding === "base64") return Buffer.from(body, "base64").toString();
  if (encoding !== "quoted-printable") return body;
  const joined = body.replaceAll("=\r\n", "");
  const bytes = joined.replaceAll(/=([0-9A-F]{2})/g, (_all, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(bytes, "latin1").toString();
}

/** Returns the secret in the link of a mail. */
export function readMailToken({ text }: CaughtMail): string {
  const token = /#token=([\w-]+)/.exec(text)?.[1];
  if (token === undefined) throw new Error(`no link in the mail:\n${text}`);
  return token;
}
