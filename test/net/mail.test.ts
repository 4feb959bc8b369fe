import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { createMail } from "../../shared/platform/net/mail.ts";
import { waitUntil } from "../support/clock/wait.ts";

/** Receives a whole mail and then sends its last answer one letter at a time, forever. */
const dripping = createServer((socket) => {
  sockets.push(socket);
  socket.on("error", () => undefined);
  socket.write("220 slow.test\r\n");
  socket.on("data", (chunk) => {
    const words = chunk.toString();
    if (/^(EHLO|HELO|MAIL|RCPT)/.test(words)) socket.write("250 go on\r\n");
    else if (words.startsWith("DATA")) socket.write("354 go on\r\n");
    else if (words.endsWith("\r\n.\r\n")) drip(socket);
  });
});
const sockets: Socket[] = [];

function drip(socket: Socket): void {
  const dripped = setInterval(() => socket.write("2"), 20);
  socket.once("close", () => clearInterval(dripped));
}

beforeAll(async () => {
  dripping.listen(0, "127.0.0.1");
  await once(dripping, "listening");
});
afterAll(() => void dripping.close());

describe("a mail server whose answer never ends", () => {
  it("is disconnected when the time for the attempt has passed, however much it sends", async () => {
    const { port } = dripping.address() as AddressInfo;
    const { send } = createMail(
      { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: "Guildhall <post@guildhall.example>" },
      1_000,
    );
    const letter = { to: "someone@example.org", subject: "Hello", text: "Hello" };
    await expect(send(letter)).rejects.toThrow("the mail server did not accept the mail: EABORT");
    await waitUntil("nothing is under way", () => sockets.every(({ destroyed }) => destroyed));
    expect(sockets).toHaveLength(1);
  });
});
