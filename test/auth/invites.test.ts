import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { clockNow } from "../../models/queries/clock.ts";
import { createTestUser, type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { anyTime } from "../support/clock/any-time.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { tablesHolding } from "../support/database/tables-holding.ts";
import { activityOf } from "../support/factories/site.ts";
import { callRoute, cookieOf, statusAndBodyOf } from "../support/http/call.ts";
import { MailTrap, readMailToken } from "../support/network/mail-trap.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";
import { startTestWorker, type TestWorker } from "../support/service/worker.ts";

let trap: MailTrap;
/** A server with mail. */
let server: TestServer;
/** A server without mail. */
let serverWithoutMail: TestServer;
let worker: TestWorker;
let admin: SignedIn;
let adminWithoutMail: SignedIn;
beforeAll(async () => {
  trap = await MailTrap.start();
  const environment = { SMTP_URL: trap.url, MAIL_RETRY: "1s" };
  server = await startTestServer({ environment });
  serverWithoutMail = await startTestServer();
  worker = await startTestWorker(server, ["mail"]);
  admin = await signIn(server, { role: "admin" });
  adminWithoutMail = await signIn(serverWithoutMail, { role: "admin" });
});
afterAll(async () => {
  await worker.stop();
  await serverWithoutMail.stop();
  await server.stop();
  await trap.stop();
});

let count = 0;
const newName = () => `guest-${++count}`;
const newEmail = () => `${newName()}@example.org`;
const password = "correct horse battery";
const dead = [404, { error: "Invalid or expired link" }];

const invite = (
  body: object,
  at = serverWithoutMail,
  { headers } = at === serverWithoutMail ? adminWithoutMail : admin,
) => callRoute(at, "POST /admin/invites", { headers, body });
const readInvite = (token: string, at = serverWithoutMail) =>
  callRoute(at, `GET /auth/invite/${token}`);
const accept = (token: string, body: object = {}, at = serverWithoutMail) =>
  callRoute(at, `POST /auth/invite/${token}/accept`, {
    body: { username: newName(), password, ...body },
  });

interface CreatedInvite {
  readonly id: number;
  readonly token: string;
}

async function createdInvite(
  body: object = { role: "player" },
  as = adminWithoutMail,
): Promise<CreatedInvite> {
  const answered = await invite(body, serverWithoutMail, as);
  const { id, acceptUrl } = answered.body as { id: number; acceptUrl: string };
  return { id, token: acceptUrl.split("#token=")[1] as string };
}

const usersNamed = (names: string[]) =>
  serverWithoutMail.context.models.User.findAll({
    attributes: ["username"],
    where: { username: names },
    raw: true,
  });

describe("POST /admin/invites", () => {
  it("mails a link that opens the invitation", async () => {
    const email = newEmail();
    const answered = await invite({ email, role: "editor" }, server);
    expect(statusAndBodyOf(answered)).toEqual([
      201,
      { id: expect.any(Number), email, role: "editor", expiresAt: anyTime },
    ]);
    const [mail] = await trap.to(email);
    expect(mail?.subject).toBe("Guildhall: You are invited");
    expect(mail?.text).toMatch(/^http:\/\/localhost:3000\/invite#token=[\w-]{43}\r?$/m);
    expect(mail?.text).toContain("for 7 days.");
    const token = readMailToken(mail as NonNullable<typeof mail>);
    expect(statusAndBodyOf(await readInvite(token, server))).toEqual([
      200,
      { email: `${email.slice(0, 1)}…@example.org`, role: "editor", expiresAt: anyTime },
    ]);
    const username = newName();
    const accepted = await accept(token, { username }, server);
    expect(statusAndBodyOf(accepted)).toEqual([
      201,
      { id: expect.any(Number), username, role: "editor", totp_enabled: false, email },
    ]);
  });

  it("requires an e-mail address if mail is configured", async () => {
    expect(statusAndBodyOf(await invite({ role: "player" }, server))).toEqual([
      400,
      { error: "Validation failed", errors: [{ path: "email", message: "email is required" }] },
    ]);
  });

  it("answers the link once if mail is not configured", async () => {
    const answered = await invite({ role: "moderator" });
    expect(statusAndBodyOf(answered)).toEqual([
      201,
      {
        id: expect.any(Number),
        email: null,
        role: "moderator",
        expiresAt: anyTime,
        acceptUrl: expect.stringMatching(/^http:\/\/localhost:3000\/invite#token=[\w-]{43}$/),
      },
    ]);
    expect(answered.headers.get("cache-control")).toBe("no-store");
    const { acceptUrl } = answered.body as { acceptUrl: string };
    const list = await callRoute(serverWithoutMail, "GET /admin/invites", {
      headers: adminWithoutMail.headers,
    });
    expect(list.text).not.toContain(acceptUrl.split("=")[1]);
    expect(await tablesHolding(serverWithoutMail, acceptUrl.split("=")[1] ?? "no token")).toEqual(
      [],
    );
  });

  it("sends the mail again after the mail server refuses it, and the mailed link works", async () => {
    const email = newEmail();
    trap.refusal = "busy";
    trap.refused = 0;
    await invite({ email, role: "player" }, server);
    await waitUntil("the server refused", () => trap.refused >= 1);
    trap.refusal = undefined;
    const [mail] = await trap.to(email);
    const token = readMailToken(mail as NonNullable<typeof mail>);
    expect((await accept(token, {}, server)).status).toBe(201);
  });

  it("rejects an invalid role or e-mail address", async () => {
    for (const body of [{}, { role: "owner" }, { role: "player", email: "x" }, { role: 5 }]) {
      expect((await invite(body)).status).toBe(400);
    }
  });

  it("answers 403 to an editor and 401 without a session", async () => {
    const { headers } = await signIn(serverWithoutMail, { role: "editor" });
    expect(
      statusAndBodyOf(
        await callRoute(serverWithoutMail, "POST /admin/invites", { headers, body: {} }),
      ),
    ).toEqual([403, { error: "Admin role required" }]);
    expect((await callRoute(serverWithoutMail, "POST /admin/invites", { body: {} })).status).toBe(
      401,
    );
  });
});

describe("GET /auth/invite/:token", () => {
  it("does not use up the invitation", async () => {
    const { token } = await createdInvite();
    for (let looks = 0; looks < 3; looks++) expect((await readInvite(token)).status).toBe(200);
    expect((await accept(token)).status).toBe(201);
  });

  it("masks the e-mail address after its first letter, even if that has two UTF-16 units", async () => {
    const { token } = await createdInvite({ role: "player", email: "𝒜nna@example.org" });
    const { body } = await readInvite(token);
    expect(body).toMatchObject({ email: "𝒜…@example.org" });
  });

  it("answers 404 to an unknown or malformed token, and so does the route that accepts the invitation", async () => {
    for (const token of ["x", "A".repeat(43), "%00", "a".repeat(600)]) {
      expect(statusAndBodyOf(await readInvite(token))).toEqual(dead);
      expect(statusAndBodyOf(await accept(token))).toEqual(dead);
    }
  });
});

describe("POST /auth/invite/:token/accept", () => {
  it("creates the account and signs the user in even if registration is closed", async () => {
    const { token } = await createdInvite({ role: "moderator" });
    const answered = await accept(token);
    const cookie = cookieOf(answered, "session") as string;
    const me = await callRoute(serverWithoutMail, "GET /auth/me", { headers: { cookie } });
    expect(me.body).toEqual(answered.body);
    expect(me.body).toMatchObject({ role: "moderator", email: null });
    const register = { username: newName(), password };
    expect(
      statusAndBodyOf(
        await callRoute(serverWithoutMail, "POST /auth/register", { body: register }),
      ),
    ).toEqual([403, { error: "Registration is closed" }]);
  });

  it("gives the invitation's role and ignores a role in the body", async () => {
    const { token } = await createdInvite({ role: "player" });
    const answered = await accept(token, { role: "admin", id: 1, email: "x@example.org" });
    expect(answered.body).toMatchObject({ role: "player", email: null });
  });

  it("works once, and then answers 404", async () => {
    const { token } = await createdInvite();
    await accept(token);
    expect([
      statusAndBodyOf(await readInvite(token)),
      statusAndBodyOf(await accept(token)),
    ]).toEqual([dead, dead]);
  });

  it("answers 409 to a taken name and keeps the invitation valid", async () => {
    const { username } = await createTestUser(serverWithoutMail);
    const { token } = await createdInvite();
    const taken = await accept(token, { username: username.toUpperCase() });
    expect(statusAndBodyOf(taken)).toEqual([409, { error: "Username is taken" }]);
    expect(taken.setCookies).toEqual([]);
    expect((await accept(token)).status).toBe(201);
  });

  it("reports all errors of name and password and keeps the invitation valid", async () => {
    const { token } = await createdInvite();
    expect(statusAndBodyOf(await accept(token, { username: "a b", password: "short" }))).toEqual([
      400,
      {
        error: "Validation failed",
        errors: [
          {
            path: "username",
            message: "username must be 3 to 32 letters, digits, '.', '_' or '-'",
          },
          { path: "password", message: "password must be 8 characters or more" },
        ],
      },
    ]);
    expect((await accept(token)).status).toBe(201);
  });

  it("answers a filled honeypot field like a dead link, and creates no user", async () => {
    const { token } = await createdInvite();
    const username = newName();
    expect(statusAndBodyOf(await accept(token, { username, company: "Bots Inc." }))).toEqual(dead);
    expect(await usersNamed([username])).toEqual([]);
    expect((await accept(token, { company: "" })).status).toBe(201);
  });

  it("rejects an expired invitation", async () => {
    const { id, token } = await createdInvite();
    await serverWithoutMail.context.models.Invite.update(
      { expiresAt: clockNow() },
      { where: { id } },
    );
    expect([
      statusAndBodyOf(await readInvite(token)),
      statusAndBodyOf(await accept(token)),
    ]).toEqual([dead, dead]);
  });
});

describe("DELETE /admin/invites/:id", () => {
  const revoke = (id: number | string) =>
    callRoute(serverWithoutMail, `DELETE /admin/invites/${id}`, {
      headers: adminWithoutMail.headers,
    });

  it("revokes the invitation at once", async () => {
    const { id, token } = await createdInvite();
    expect(statusAndBodyOf(await revoke(id))).toEqual([200, { id }]);
    expect([
      statusAndBodyOf(await readInvite(token)),
      statusAndBodyOf(await accept(token)),
    ]).toEqual([dead, dead]);
  });

  it("answers 404 for an unknown, revoked or accepted invitation", async () => {
    const back = await createdInvite();
    await revoke(back.id);
    const used = await createdInvite();
    await accept(used.token);
    for (const id of [back.id, used.id, 999_999_999, 9_007_199_254_740_991]) {
      expect(statusAndBodyOf(await revoke(id))).toEqual([404, { error: "Unknown invite" }]);
    }
    expect((await revoke("x")).status).toBe(400);
  });
});

describe("GET /admin/invites", () => {
  it("lists invitations with their outcome, newest first", async () => {
    const [open, back, used] = [
      await createdInvite(),
      await createdInvite({ role: "editor" }),
      await createdInvite(),
    ];
    await callRoute(serverWithoutMail, `DELETE /admin/invites/${back.id}`, {
      headers: adminWithoutMail.headers,
    });
    await accept(used.token);
    const answered = await callRoute(serverWithoutMail, "GET /admin/invites", {
      headers: adminWithoutMail.headers,
    });
    const { invites } = answered.body as { invites: { id: number }[] };
    const common = {
      email: null,
      createdAt: anyTime,
      expiresAt: anyTime,
      createdBy: adminWithoutMail.userId,
    };
    expect(invites.slice(0, 3)).toEqual([
      { ...common, id: used.id, role: "player", acceptedAt: anyTime, revokedAt: null },
      { ...common, id: back.id, role: "editor", acceptedAt: null, revokedAt: anyTime },
      { ...common, id: open.id, role: "player", acceptedAt: null, revokedAt: null },
    ]);
  });
});

describe("an invitation", () => {
  it("ends when its creator is demoted, disabled or deleted", async () => {
    const change = (id: number, body: object) =>
      callRoute(serverWithoutMail, `PATCH /admin/users/${id}`, {
        headers: adminWithoutMail.headers,
        body,
      });
    const [demoted, disabled, deleted] = [
      await signIn(serverWithoutMail, { role: "admin" }),
      await signIn(serverWithoutMail, { role: "admin" }),
      await signIn(serverWithoutMail, { role: "admin" }),
    ];
    const tokens: string[] = [];
    for (const inviter of [demoted, disabled, deleted]) {
      tokens.push((await createdInvite({ role: "admin" }, inviter)).token);
    }
    await change(demoted.userId, { role: "editor" });
    await change(disabled.userId, { disabled: true });
    await callRoute(serverWithoutMail, `DELETE /admin/users/${deleted.userId}`, {
      headers: adminWithoutMail.headers,
    });
    for (const token of tokens) {
      expect([
        statusAndBodyOf(await readInvite(token)),
        statusAndBodyOf(await accept(token)),
      ]).toEqual([dead, dead]);
    }
  });

  it("has its creation, acceptance and revocation in the activity log", async () => {
    const kept = await createdInvite({ role: "editor" });
    const user = (await accept(kept.token)).body as { id: number };
    const back = await createdInvite();
    await callRoute(serverWithoutMail, `DELETE /admin/invites/${back.id}`, {
      headers: adminWithoutMail.headers,
    });
    const which = { targetType: "invite", targetId: [String(kept.id), String(back.id)] };
    const lines = await activityOf(serverWithoutMail, which, [
      "action",
      "actorId",
      "targetId",
      "detail",
    ]);
    const line = (action: string, actor: number, id: number, detail: object) => ({
      action,
      actorId: actor,
      targetId: String(id),
      detail,
    });
    expect(lines).toEqual([
      line("invite.created", adminWithoutMail.userId, kept.id, { role: "editor" }),
      line("invite.accepted", user.id, kept.id, { role: "editor" }),
      line("invite.created", adminWithoutMail.userId, back.id, { role: "player" }),
      line("invite.revoked", adminWithoutMail.userId, back.id, {}),
    ]);
  });
});
