import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { roles } from "../../shared/platform/access/roles.ts";
import { signIn } from "../support/accounts/sign-in.ts";
import { anyTime } from "../support/clock/any-time.ts";
import { query } from "../support/database/query.ts";
import { tablesHolding } from "../support/database/tables-holding.ts";
import { textOfTable } from "../support/database/text-of-table.ts";
import { activityOf } from "../support/factories/site.ts";
import { statusAndBodyOf, callRoute } from "../support/http/call.ts";
import { type HookSite, startHookSite } from "../support/webhooks/hook-site.ts";

let site: HookSite;
beforeAll(async () => {
  site = await startHookSite({ environment: { WEBHOOK_ALLOWED_ORIGINS: "http://127.0.0.1:9099" } });
});
afterEach(() => site.server.context.models.Webhook.destroy({ where: {} }));
afterAll(() => site.stop());

const secretForm: unknown = expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/);

const webhook = (extra: object = {}) => ({
  id: expect.any(Number),
  url: expect.any(String),
  format: "standard",
  streams: ["site.notice"],
  enabled: true,
  failing: false,
  failing_since: null,
  disabled_reason: null,
  last_error: null,
  last_success_at: null,
  created_at: anyTime,
  ...extra,
});

const invalid = (path: string, rule: string) => ({
  error: "Validation failed",
  errors: [{ path, message: `${path} ${rule}` }],
});

/** Returns the newest line of the activity log about an action. */
const activity = async (action: string) =>
  (await activityOf(site.server, { action }, ["targetType", "detail"])).slice(-1);

describe("POST /admin/webhooks", () => {
  it("creates a webhook, shows its secret once, and lists it without the secret", async () => {
    const { url } = site.address();
    const streams = ["event.run", "site.notice", "idoc.warning"];
    const made = await site.as("POST /admin/webhooks", { url, streams });
    const expected = webhook({ url, streams: ["idoc.warning", "site.notice", "event.run"] });
    expect(statusAndBodyOf(made)).toEqual([201, { webhook: expected, secret: secretForm }]);
    expect(statusAndBodyOf(await site.as("GET /admin/webhooks"))).toEqual([
      200,
      { webhooks: [expected] },
    ]);
    expect(await activity("webhook.created")).toEqual([
      {
        targetType: "webhook",
        detail: {
          format: "standard",
          streams: ["idoc.warning", "site.notice", "event.run"],
          enabled: true,
          origin: new URL(url).origin,
        },
      },
    ]);
  });

  it("encrypts URL and secret in the database, and shows the secret part of neither", async () => {
    const { id, secret, receiver } = await site.make();
    const row = await site.server.context.models.Webhook.findByPk(id, { raw: true });
    expect(row).toMatchObject({
      urlSealed: expect.stringMatching(/^v1\.test\./),
      secretSealed: expect.stringMatching(/^v1\.test\./),
    });
    expect(await tablesHolding(site.server, secret)).toEqual([]);
    const hidden = `${receiver.url}?token=hush-hush-hush`;
    const { body } = await site.as("POST /admin/webhooks", { url: hidden, streams: ["news.post"] });
    expect(body).toMatchObject({ webhook: { url: `${receiver.url}?…` } });
    const discord = site.address("/api/webhooks/123/s3cr3t-t0ken_x");
    const posted = await site.as("POST /admin/webhooks", {
      url: discord.url,
      format: "discord",
      streams: ["news.post"],
    });
    const origin = new URL(discord.url).origin;
    const shown = webhook({
      url: `${origin}/api/webhooks/123/…`,
      format: "discord",
      streams: ["news.post"],
    });
    expect(statusAndBodyOf(posted)).toEqual([201, { webhook: shown, secret: null }]);
    for (const table of ["webhooks", "activity_log"]) {
      expect(await textOfTable(site.server, table)).not.toMatch(/hush-hush|s3cr3t|whsec_/);
    }
  });

  const notUrl = "must be a URL of at most 2048 characters";
  const notHttps = "must be an https URL";
  const notOutside = "must name a public host, not an address";
  const tooMuch = "must not contain a user, password or fragment";

  it.each([
    ["bot.hook.test/x", notUrl],
    ["https:///", notUrl],
    ["http://bot.hook.test/x", notHttps],
    ["ftp://bot.hook.test/x", notHttps],
    ["file:///etc/passwd", notHttps],
    ["https://me@bot.hook.test/", tooMuch],
    ["https://bot.hook.test/#x", tooMuch],
    ["https://bot.hook.test./", notOutside],
    ["https://localhost/", notOutside],
    ["https://printer.local/", notOutside],
    ["https://metadata.internal/", notOutside],
    ["https://127.0.0.1/", notOutside],
    ["https://2130706433/", notOutside],
    ["https://0x7f.1/", notOutside],
    ["https://0177.0.0.1/", notOutside],
    ["https://127.1/", notOutside],
    ["https://[::1]/", notOutside],
    ["https://[::ffff:127.0.0.1]/", notOutside],
    ["https://[64:ff9b::7f00:1]/", notOutside],
    ["https://8.8.8.8/", notOutside],
    ["http://127.0.0.1:9098/", notHttps],
    ["http://localhost:9099/", notHttps],
    ["https://gone.hook.test/", "names a host that does not exist"],
  ])("refuses the URL %s", async (url, rule) => {
    const refused = await site.as("POST /admin/webhooks", { url, streams: ["news.post"] });
    expect(statusAndBodyOf(refused)).toEqual([400, invalid("url", rule)]);
    expect((await site.as("GET /admin/webhooks")).body).toEqual({ webhooks: [] });
  });

  it.each([
    "0.0.0.0",
    "10.1.2.3",
    "100.64.0.1",
    "127.0.0.2",
    "169.254.169.254",
    "172.16.0.1",
    "192.168.0.1",
    "::",
    "::1",
    "::ffff:8.8.8.8",
    "64:ff9b::7f00:1",
    "2002:7f00:1::",
    "fd12::1",
    "fe80::1",
  ])(
    "refuses a host that resolves to %s, alone or together with a public address",
    async (address) => {
      for (const all of [[address], ["8.8.8.8", address]]) {
        site.names.say("rebound.hook.test", all);
        const body = { url: "https://rebound.hook.test/x", streams: ["news.post"] };
        const refused = await site.as("POST /admin/webhooks", body);
        expect(statusAndBodyOf(refused)).toEqual([
          400,
          invalid("url", "names a host that is not public"),
        ]);
      }
    },
  );

  it("accepts a URL of an allowed origin, even with plain http and a private address", async () => {
    const url = "http://127.0.0.1:9099/hook";
    const made = await site.as("POST /admin/webhooks", { url, streams: ["news.post"] });
    expect(statusAndBodyOf(made)).toMatchObject([201, { webhook: { url } }]);
  });

  it("answers 503 if the host cannot be looked up", async () => {
    site.names.say("broken.hook.test", "fails");
    const body = { url: "https://broken.hook.test/x", streams: ["news.post"] };
    const refused = await site.as("POST /admin/webhooks", body);
    expect(statusAndBodyOf(refused)).toEqual([
      503,
      { error: "The webhook's host cannot be looked up at present" },
    ]);
    expect(refused.headers.get("retry-after")).toBe("5");
    expect(refused.headers.get("x-error-code")).toBe("webhook_host_unresolved");
  });

  it.each([
    [{ streams: [] }, "streams must contain at least 1 items"],
    [{ streams: ["vendor.sale"] }, expect.stringContaining("streams[0] must be one of")],
    [{ streams: ["news.post", "news.post"] }, "streams[1] contains a duplicate value"],
    [{ format: "slack" }, "format must be one of [standard, discord]"],
    [{ format: "discord" }, "url must be a webhook of Discord, https://discord.com/api/webhooks/…"],
  ])("refuses the fields %j", async (given, message) => {
    const { url } = site.address();
    const body = { url, streams: ["news.post"], ...given };
    const { status, body: said } = await site.as("POST /admin/webhooks", body);
    expect([status, said]).toMatchObject([400, { errors: [{ message }] }]);
  });
});

describe("PUT /admin/webhooks/:id", () => {
  it("changes the given fields and keeps the others", async () => {
    const { id, receiver } = await site.make();
    const off = await site.as(`PUT /admin/webhooks/${id}`, { enabled: false });
    expect(statusAndBodyOf(off)).toEqual([
      200,
      { webhook: webhook({ url: receiver.url, enabled: false }) },
    ]);
    const streams = { streams: ["champ.start"] };
    const changed = await site.as(`PUT /admin/webhooks/${id}`, { ...streams, url: receiver.url });
    const expected = webhook({ url: receiver.url, enabled: false, ...streams });
    expect(statusAndBodyOf(changed)).toEqual([200, { webhook: expected }]);
    expect(await activity("webhook.changed")).toEqual([{ targetType: "webhook", detail: streams }]);
    const elsewhere = site.address();
    const moved = await site.as(`PUT /admin/webhooks/${id}`, { url: elsewhere.url, enabled: true });
    expect(moved.body).toEqual({ webhook: webhook({ url: elsewhere.url, ...streams }) });
    const refused = await site.as(`PUT /admin/webhooks/${id}`, { url: "https://127.0.0.1/" });
    expect(refused.status).toBe(400);
    expect(await site.seen(id)).toMatchObject({ url: elsewhere.url });
  });

  it("replaces the secret on request, shows the new one once, and signs with both for a day", async () => {
    const { id, secret } = await site.make();
    const rotated = await site.as(`PUT /admin/webhooks/${id}`, { rotateSecret: true });
    expect(statusAndBodyOf(rotated)).toEqual([200, { webhook: webhook(), secret: secretForm }]);
    expect(rotated.body).not.toMatchObject({ secret });
    const { secret: next } = rotated.body as { secret: string };
    const shown = [await site.seen(id), (await site.as("GET /admin/webhooks")).body];
    for (const one of [secret, next]) expect(JSON.stringify(shown)).not.toContain(one);
    const left = await query<{ hours: number }>(
      site.server,
      `select ceil(extract(epoch from former_secret_until - clock_timestamp()) / 3600)::int as hours
       from webhooks where id = $1`,
      id,
    );
    expect(left).toEqual([{ hours: 24 }]);
    expect(await activity("webhook.changed")).toMatchObject([{ detail: { secretRotated: true } }]);
  });

  it("refuses to replace the secret of a Discord webhook, because its messages are not signed", async () => {
    const discord = await site.make(
      { format: "discord" },
      site.address("/api/v10/webhooks/124/another-t0ken"),
    );
    const refused = await site.as(`PUT /admin/webhooks/${discord.id}`, { rotateSecret: true });
    const rule = "is not allowed for Discord webhooks, because their messages are not signed";
    expect(statusAndBodyOf(refused)).toEqual([400, invalid("rotateSecret", rule)]);
  });

  it("does not change the format", async () => {
    const { id } = await site.make();
    await site.as(`PUT /admin/webhooks/${id}`, { format: "discord" });
    expect(await site.seen(id)).toEqual(webhook());
  });
});

describe("DELETE /admin/webhooks/:id", () => {
  it("removes the webhook with its deliveries, and answers 404 the second time", async () => {
    const { id, receiver } = await site.make();
    await site.as(`POST /admin/webhooks/${id}/test`);
    expect(statusAndBodyOf(await site.as(`DELETE /admin/webhooks/${id}`))).toEqual([200, { id }]);
    expect(statusAndBodyOf(await site.as(`DELETE /admin/webhooks/${id}`))).toEqual([
      404,
      { error: "Unknown webhook" },
    ]);
    expect(await site.server.context.models.WebhookDelivery.count()).toBe(0);
    expect(await activity("webhook.deleted")).toEqual([
      {
        targetType: "webhook",
        detail: { format: "standard", origin: new URL(receiver.url).origin },
      },
    ]);
  });
});

describe("a route of an unknown webhook", () => {
  it.each([
    ["PUT", "", {}],
    ["DELETE", "", undefined],
    ["POST", "/test", undefined],
    ["GET", "/deliveries", undefined],
    ["POST", "/deliveries/1/redeliver", undefined],
    ["POST", "/redeliver-failed", undefined],
  ] as const)("answers 404: %s %s", async (method, path, body) => {
    for (const id of [999_999, 2 ** 40]) {
      const answered = await site.as(`${method} /admin/webhooks/${id}${path}`, body);
      expect(statusAndBodyOf(answered)).toEqual([404, { error: "Unknown webhook" }]);
    }
  });
});

describe("a caller who is not an administrator", () => {
  it("is refused by every webhook route", async () => {
    const { id } = await site.make();
    const paths = [
      "GET /admin/webhooks",
      "POST /admin/webhooks",
      `PUT /admin/webhooks/${id}`,
      `DELETE /admin/webhooks/${id}`,
      `POST /admin/webhooks/${id}/test`,
      `GET /admin/webhooks/${id}/deliveries`,
      `POST /admin/webhooks/${id}/deliveries/1/redeliver`,
      `POST /admin/webhooks/${id}/redeliver-failed`,
    ];
    for (const role of roles.filter((one) => one !== "admin")) {
      const { headers } = await signIn(site.server, { role });
      const statuses = await Promise.all(
        paths.map(async (path) => (await callRoute(site.server, path, { headers })).status),
      );
      expect(statuses).toEqual(paths.map(() => 403));
    }
    const token = await site.as("POST /admin/tokens", {
      name: "Bot",
      role: "moderator",
      scopes: ["site:read", "site:write"],
    });
    const { secret } = token.body as { secret: string };
    const headers = { authorization: `Bearer ${secret}` };
    expect((await callRoute(site.server, "GET /admin/webhooks", { headers })).status).toBe(403);
    expect((await callRoute(site.server, "GET /admin/webhooks")).status).toBe(401);
    expect(await site.seen(id)).toEqual(webhook());
  });
});
