import { webcrypto } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import express from "express";
import { jwtVerify, SignJWT } from "jose";
import { Pool } from "pg";

import { answerCalls } from "../parts/answering.ts";

/** The server to compare with: an Express without middleware that sends the same bytes. */

interface PlainAnswer {
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

const algorithm = { name: "HMAC", hash: "SHA-256" };
const key = await webcrypto.subtle.generateKey({ ...algorithm, length: 256 }, false, [
  "sign",
  "verify",
]);
const pool = new Pool({ connectionString: process.env["DATABASE_URL"], max: 10 });
let plain: PlainAnswer = { text: "", headers: {} };

const app = express();
app.disable("etag");
app.disable("x-powered-by");
app.get("/plain", (_request, response) => {
  response.set(plain.headers).send(plain.text);
});
app.get("/account", async (request, response) => {
  const { payload } = await jwtVerify(request.headers.authorization?.slice(7) ?? "", key);
  const { rows } = await pool.query<Readonly<Record<string, unknown>>>({
    name: "account",
    text: "select id, username, role, totp_enabled from users where id = $1",
    values: [payload.sub],
  });
  response.json(rows[0]);
});
const server = createServer(app);

answerCalls({
  /** Starts to listen. @returns the server's URL */
  listen: async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  },
  /** Sets the answer that each plain read gets. */
  keep: (answer: PlainAnswer) => void (plain = answer),
  /** Signs a user in without a database. @returns the token of the session */
  signIn: ({ userId }: { userId: number }) =>
    new SignJWT()
      .setProtectedHeader({ alg: "HS256", typ: "JWT" })
      .setSubject(String(userId))
      .setIssuedAt()
      .setExpirationTime("1h")
      .sign(key),
});
