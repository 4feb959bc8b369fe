import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { anyTime } from "../support/clock/any-time.ts";
import { callRoute } from "../support/http/call.ts";
import { forbiddenAddresses } from "../support/push/forbidden-addresses.ts";
import { NameServer } from "../support/push/name-server.ts";
import { UserAgent } from "../support/push/user-agent.ts";
import { countStatuses, makeList } from "../support/races/race.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";

const origins = ["https://push.test", "https://relay.test:8443", "https://*.notify.test"];
const publicAddress = "8.8.8.8";

let names: NameServer;
let environment: NodeJS.ProcessEnv;
let server: TestServer;
let someone: SignedIn;

beforeAll(async () => {
  names = await NameServer.start();
  for (const name of ["push.test", "relay.test", "am3.notify.test"]) {
    names.say(name, [publicAddress]);
  }
  environment = { PUSH_ALLOWED_ORIGINS: origins.join(","), PUSH_DNS: names.address };
  server = await startTestServer({ environment });
});
beforeEach(async () => {
  someone = await signIn(server);
});
afterAll(async () => {
  await server.stop();
  names.stop();
});

const { keys } = new UserAgent();
const endpoint = "https://push.test/send/abc";

const register = (body: object, who = someone, at = server) =>
  callRoute(at, "POST /auth/me/devices", {
    headers: who.headers,
    body: { endpoint, keys, ...body },
  });

const listed = async (who = someone) =>
  (await callRoute(server, "GET /auth/me/devices", { headers: who.headers })).body as {
    readonly id: number;
  }[];

const invalid = (...faults: readonly [path: string, rule: string][]) => ({
  error: "Validation failed",
  errors: faults.map(([path, rule]) => ({ path, message: `${path} ${rule}` })),
});

const device = (extra: object = {}) => ({
  id: expect.any(Number),
  device_name: null,
  origin: "https://push.test",
  created_at: anyTime,
  last_success_at: null,
  last_error: null,
  failing: false,
  ...extra,
});

describe("POST /auth/me/devices", () => {
  it("registers a browser's subscription, and shows neither its keys nor the whole endpoint", async () => {
    const answered = await register({
      expirationTime: null,
      platform: "web",
      device_name: "Living room",
    });
    expect([answered.status, answered.body]).toEqual([201, device({ device_name: "Living room" })]);
    expect(await listed()).toEqual([answered.body]);
    expect(answered.headers.get("cache-control")).toBe("private, no-store");
  });

  it("updates keys and name of a known endpoint and answers 200, however the endpoint is written", async () => {
    const { body: first } = await register({ device_name: "old" });
    const other = new UserAgent();
    const again = await register({
      endpoint: "HTTPS://PUSH.test:443/send/x/../abc",
      keys: other.keys,
    });
    expect([again.status, again.body]).toEqual([200, { ...(first as object), device_name: null }]);
    const [row] = await server.context.models.PushDevice.findAll({
      where: { userId: someone.userId },
    });
    expect(row).toMatchObject({ endpoint, ...other.keys });
    expect(await listed()).toHaveLength(1);
  });

  it("accepts keys in any form of base64, padded or not", async () => {
    const standard = {
      p256dh: Buffer.from(keys.p256dh, "base64url").toString("base64"),
      auth: Buffer.from(keys.auth, "base64url").toString("base64"),
    };
    expect((await register({ keys: standard })).status).toBe(201);
    const [row] = await server.context.models.PushDevice.findAll({
      where: { userId: someone.userId },
    });
    expect(row).toMatchObject(keys);
  });

  it("registers one endpoint of two users as two devices, one for each user", async () => {
    const other = await signIn(server);
    expect([(await register({})).status, (await register({}, other)).status]).toEqual([201, 201]);
    expect([await listed(), await listed(other)]).toEqual([[device()], [device()]]);
  });

  it.each(["https://relay.test:8443/x", "https://am3.notify.test/w/?token=a%2B"])(
    "accepts %s, which has an allowed origin",
    async (allowed) => {
      const { origin } = new URL(allowed);
      const { status, body } = await register({ endpoint: allowed });
      expect([status, body]).toEqual([201, device({ origin })]);
    },
  );

  const notUrl = "must be a URL of at most 2048 characters";
  const notHttps = "must be an https URL";
  const notAllowed = (host: string) =>
    `is at ${host}, a push relay that this site does not allow: PUSH_EXTRA_ORIGINS adds relays`;
  const notOutside = "must name a public host, not an address";
  const tooMuch = "must not contain a user, password or fragment";

  it.each([
    ["push.test/send", notUrl],
    ["https:///", notUrl],
    [`https://push.test/${"ü".repeat(600)}`, notUrl],
    ["http://push.test/send", notHttps],
    ["ftp://push.test/send", notHttps],
    ["data:text/plain,x", notHttps],
    ["https://someone@push.test/", tooMuch],
    ["https://:secret@push.test/", tooMuch],
    ["https://push.test/#part", tooMuch],
    ["https://push.test/#", tooMuch],
    ["https://push.test./", notOutside],
    ["https://localhost/", notOutside],
    ["https://relay.local/", notOutside],
    ["https://relay.internal/", notOutside],
    ["https://127.0.0.1/", notOutside],
    ["https://2130706433/", notOutside],
    ["https://0x7f.1/", notOutside],
    ["https://0177.0.0.1/", notOutside],
    ["https://127.1/", notOutside],
    ["https://[::1]/", notOutside],
    ["https://[::ffff:127.0.0.1]/", notOutside],
    ["https://[64:ff9b::7f00:1]/", notOutside],
    ["https://１２７.0.0.1/", notOutside],
    ["https://push.test:444/", notAllowed("push.test:444")],
    ["https://relay.test/", notAllowed("relay.test")],
    ["https://notify.test/", notAllowed("notify.test")],
    ["https://a.b.notify.test/", notAllowed("a.b.notify.test")],
    ["https://am3.notify.test.evil.example/", notAllowed("am3.notify.test.evil.example")],
    ["https://push.test.evil.example/", notAllowed("push.test.evil.example")],
    ["https://evilpush.test/", notAllowed("evilpush.test")],
    ["https://evil.example\\@push.test/", notAllowed("evil.example")],
  ])("refuses the endpoint %s", async (refused, rule) => {
    const { status, body } = await register({ endpoint: refused });
    expect([status, body]).toEqual([400, invalid(["endpoint", rule])]);
    expect(await listed()).toEqual([]);
  });

  it("names every invalid field in one answer", async () => {
    const bad = { p256dh: keys.auth, auth: "AA" };
    const { status, body } = await register({ endpoint: "http://push.test/", keys: bad });
    expect([status, body]).toEqual([
      400,
      invalid(
        ["endpoint", notHttps],
        ["keys.p256dh", "must be a public key of P-256 in base64url"],
        ["keys.auth", "must be 16 bytes in base64url"],
      ),
    ]);
  });

  it("refuses a public key that is not a point of the curve", async () => {
    const off = Buffer.from(keys.p256dh, "base64url");
    off.writeUInt8((off[64] ?? 0) ^ 1, 64);
    const { status, body } = await register({
      keys: { ...keys, p256dh: off.toString("base64url") },
    });
    expect([status, body]).toEqual([
      400,
      invalid(["keys.p256dh", "must be a public key of P-256 in base64url"]),
    ]);
  });

  it.each([
    [{ endpoint: 7 }, "endpoint must be a string"],
    [{ endpoint: "" }, "endpoint is not allowed to be empty"],
    [{ keys: "none" }, "keys must be of type object"],
    [{ keys: { auth: keys.auth } }, "keys.p256dh is required"],
    [
      { device_name: "x".repeat(101) },
      "device_name length must be less than or equal to 100 characters long",
    ],
  ])("refuses malformed fields: %j", async (given, message) => {
    const { status, body } = await register(given);
    expect([status, body]).toMatchObject([400, { errors: [{ message }] }]);
  });

  it.each(forbiddenAddresses)(
    "refuses a relay whose name resolves to %s, alone or together with a public address",
    async (address) => {
      const refusal = invalid(["endpoint", "names a host that is not public"]);
      for (const all of [[address], [publicAddress, address], [address, "2606:4700::1111"]]) {
        names.say("am3.notify.test", all);
        const { status, body } = await register({ endpoint: "https://am3.notify.test/x" });
        expect([status, body]).toEqual([400, refusal]);
      }
      names.say("am3.notify.test", [publicAddress]);
      expect(await listed()).toEqual([]);
    },
  );

  it.each(["11.0.0.1", "100.128.0.1", "172.32.0.1", "198.20.0.1", "2001:200::1", "2620:fe::fe"])(
    "accepts a relay whose name resolves to %s, just outside a forbidden range",
    async (address) => {
      names.say("am3.notify.test", [address]);
      const { status } = await register({ endpoint: "https://am3.notify.test/x" });
      names.say("am3.notify.test", [publicAddress]);
      expect(status).toBe(201);
    },
  );

  it("answers 400 for a name without an address, and 503 if the name server does not answer", async () => {
    const gone = await register({ endpoint: "https://gone.notify.test/x" });
    expect([gone.status, gone.body]).toEqual([
      400,
      invalid(["endpoint", "names a host that does not exist"]),
    ]);
    names.say("broken.notify.test", "fails");
    const broken = await register({ endpoint: "https://broken.notify.test/x" });
    expect([broken.status, broken.body]).toEqual([
      503,
      { error: "The push relay cannot be looked up at present" },
    ]);
    expect(broken.headers.get("retry-after")).toBe("5");
    expect(broken.headers.get("x-error-code")).toBe("push_relay_unresolved");
  });

  describe("POST /auth/me/devices with the default relays of browsers", () => {
    const relays = [
      "https://fcm.googleapis.com/fcm/send/a:b",
      "https://fcm.googleapis.com/wp/a:b",
      "https://jmt17.google.com/fcm/send/a:b",
      "https://updates.push.services.mozilla.com/wpush/v2/a",
      "https://web.push.apple.com/QA",
      "https://eu.push.apple.com/QA",
      "https://wns2-par02p.notify.windows.com/w/?token=a%2B",
      "https://db3.notify.windows.com/?token=a",
    ];
    const others = [
      "push.apple.com",
      "notify.windows.com",
      "android.googleapis.com",
      "updates-autopush.stage.mozaws.net",
      "permanently-removed.invalid",
      "ntfy.sh",
    ];
    let plain: TestServer;

    beforeAll(async () => {
      for (const relay of relays) names.say(new URL(relay).hostname, [publicAddress]);
      const { PUSH_DNS } = environment;
      plain = await startTestServer({ database: server.database, environment: { PUSH_DNS } });
    });
    afterAll(() => plain.stop());

    it.each(relays)("accepts the endpoint %s", async (relay) => {
      const { status, body } = await register({ endpoint: relay }, someone, plain);
      expect([status, body]).toEqual([201, device({ origin: new URL(relay).origin })]);
    });

    it.each(others)("refuses %s, and names the host and the setting", async (host) => {
      const { status, body } = await register({ endpoint: `https://${host}/x` }, someone, plain);
      expect([status, body]).toEqual([400, invalid(["endpoint", notAllowed(host)])]);
    });
  });

  describe("POST /auth/me/devices with relays that the operator added", () => {
    let extended: TestServer;

    beforeAll(async () => {
      const added = ["https://ntfy.test:8443", "https://ntfy.internal", "https://*.ntfy.test"];
      names.say("ntfy.test", ["10.0.0.5"]);
      names.say("ntfy.internal", ["127.0.0.1"]);
      names.say("one.ntfy.test", [publicAddress]);
      names.say("*.ntfy.test", ["10.0.0.5"]);
      names.say("inside.ntfy.test", ["10.0.0.5"]);
      extended = await startTestServer({
        database: server.database,
        environment: { ...environment, PUSH_EXTRA_ORIGINS: added.join(", ") },
      });
    });
    afterAll(() => extended.stop());

    it.each([
      "https://ntfy.test:8443/upA1?up=1",
      "https://ntfy.internal/upA1?up=1",
      "https://one.ntfy.test/upA1?up=1",
      "https://push.test/send/abc",
    ])("accepts the endpoint %s", async (added) => {
      const { status, body } = await register({ endpoint: added }, someone, extended);
      expect([status, body]).toEqual([201, device({ origin: new URL(added).origin })]);
    });

    it.each([
      ["https://inside.ntfy.test/upA1", "names a host that is not public"],
      ["https://*.ntfy.test/upA1", "names a host that is not public"],
      ["http://ntfy.test:8443/upA1", notHttps],
      ["https://ntfy.test:8444/upA1", notAllowed("ntfy.test:8444")],
      ["https://ntfy.test/upA1", notAllowed("ntfy.test")],
      ["https://ntfy.internal./upA1", notOutside],
      ["https://other.internal/upA1", notOutside],
      ["https://10.0.0.5:8443/upA1", notOutside],
      ["https://someone@ntfy.test:8443/upA1", tooMuch],
    ])("refuses the endpoint %s", async (refused, rule) => {
      const { status, body } = await register({ endpoint: refused }, someone, extended);
      expect([status, body]).toEqual([400, invalid(["endpoint", rule])]);
    });

    it("refuses a browser's relay whose name resolves to a private address", async () => {
      names.say("push.test", ["10.0.0.5"]);
      const { status, body } = await register({}, someone, extended);
      names.say("push.test", [publicAddress]);
      expect([status, body]).toEqual([
        400,
        invalid(["endpoint", "names a host that is not public"]),
      ]);
    });
  });

  it("refuses every device while push is off", async () => {
    const off = await startTestServer({
      database: server.database,
      environment: {
        ...environment,
        PUSH_ALLOWED_ORIGINS: "",
        PUSH_EXTRA_ORIGINS: "https://push.test",
      },
    });
    try {
      const { status, body } = await register({}, someone, off);
      expect([status, body]).toEqual([400, { error: "Push messages are off" }]);
      const catalogue = await callRoute(off, "GET /auth/me/notifications/streams", {
        headers: someone.headers,
      });
      expect(catalogue.body).toMatchObject({ vapidPublicKey: null });
    } finally {
      await off.stop();
    }
  });
});

describe("DELETE /auth/me/devices/:id", () => {
  it("removes a device once, and gives the same answer for another user's device and an unknown one", async () => {
    const other = await signIn(server);
    await Promise.all([register({}), register({}, other)]);
    const [own] = await listed();
    const [foreign] = await listed(other);
    const remove = async (id: number | string | undefined) => {
      const answered = await callRoute(server, `DELETE /auth/me/devices/${id}`, {
        headers: someone.headers,
      });
      return [answered.status, answered.body];
    };
    expect(await remove(foreign?.id)).toEqual([200, { deleted: false }]);
    expect(await remove(own?.id)).toEqual([200, { deleted: true }]);
    expect(await remove(own?.id)).toEqual([200, { deleted: false }]);
    expect(await remove(Number.MAX_SAFE_INTEGER)).toEqual([200, { deleted: false }]);
    expect((await remove("x"))[0]).toBe(400);
    expect([await listed(), await listed(other)]).toEqual([[], [device()]]);
  });
});

describe("GET /auth/me/notifications/streams", () => {
  it("lists public and personal streams, and the key that devices subscribe with", async () => {
    const { status, body } = await callRoute(server, "GET /auth/me/notifications/streams", {
      headers: someone.headers,
    });
    expect([status, body]).toEqual([
      200,
      {
        streams: [
          { id: "news.post", label: "News", kind: "public" },
          { id: "server.status", label: "The server starts or stops", kind: "public" },
          { id: "idoc.warning", label: "A house is in danger of collapsing", kind: "public" },
          { id: "champ.start", label: "A champion spawn begins", kind: "public" },
          { id: "governor.election", label: "Elections of governors", kind: "public" },
          { id: "site.notice", label: "Notices of the staff", kind: "public" },
          { id: "event.started", label: "An event begins", kind: "public" },
          { id: "event.completed", label: "An event ends", kind: "public" },
          { id: "vendor.sale", label: "One of your vendors sold something", kind: "personal" },
          {
            id: "house.idoc",
            label: "A house of yours is in danger of collapsing",
            kind: "personal",
          },
          { id: "account.login", label: "A game account of yours signed in", kind: "personal" },
          {
            id: "appeal.update",
            label: "An appeal of yours has a new message or a decision",
            kind: "personal",
          },
          {
            id: "market.match",
            label: "An item on the market matches one of your saved searches",
            kind: "personal",
          },
          {
            id: "survival.server",
            label:
              "A survival server goes online or offline, a boss dies, or a player takes the lead in kills",
            kind: "public",
          },
          {
            id: "survival.wipe",
            label: "A survival server was wiped or will be soon",
            kind: "public",
          },
          {
            id: "survival.account",
            label: "Your permissions and kits on the survival servers",
            kind: "personal",
          },
        ],
        vapidPublicKey: expect.stringMatching(/^B[\w-]{86}$/),
      },
    ]);
  });
});

describe("/auth/me/notifications/subscriptions", () => {
  const subscriptions = (method: "GET" | "PUT", body?: object) =>
    callRoute(server, `${method} /auth/me/notifications/subscriptions`, {
      headers: someone.headers,
      ...(body && { body }),
    });

  it("starts empty, and answers each stream once in the catalog's order", async () => {
    expect((await subscriptions("GET")).body).toEqual({ streams: [] });
    const wanted = ["vendor.sale", "news.post", "vendor.sale"];
    const { status, body } = await subscriptions("PUT", { streams: wanted });
    expect([status, body]).toEqual([200, { streams: ["news.post", "vendor.sale"] }]);
    expect((await subscriptions("GET")).body).toEqual(body);
    expect((await subscriptions("PUT", { streams: [] })).body).toEqual({ streams: [] });
    expect((await subscriptions("GET")).body).toEqual({ streams: [] });
  });

  it("changes nothing if one of the streams is unknown", async () => {
    await subscriptions("PUT", { streams: ["news.post"] });
    for (const [streams, at] of [
      [["champ.start", "News.post"], 1],
      [["__proto__"], 0],
      [["test"], 0],
    ] as const) {
      const { status, body } = await subscriptions("PUT", { streams });
      expect([status, body]).toEqual([
        400,
        invalid([`streams.${at}`, "is not the name of a stream"]),
      ]);
    }
    expect((await subscriptions("PUT", {})).status).toBe(400);
    expect((await subscriptions("PUT", { streams: "news.post" })).status).toBe(400);
    expect((await subscriptions("GET")).body).toEqual({ streams: ["news.post"] });
  });

  it("applies ten simultaneous requests one after another", async () => {
    const choices = [["news.post"], ["champ.start", "account.login"]];
    const answers = await Promise.all(
      makeList(10, (at) => subscriptions("PUT", { streams: choices[at % 2] })),
    );
    expect(
      countStatuses(answers.map(({ status, body }) => ({ status, body, cookies: [] }))),
    ).toEqual({
      200: 10,
    });
    const { streams } = (await subscriptions("GET")).body as { readonly streams: string[] };
    expect(choices).toContainEqual(streams);
  });
});
