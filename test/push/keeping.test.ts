import { createECDH } from "node:crypto";

import { Op } from "sequelize";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { clockNowPlus } from "../../models/queries/clock.ts";
import { sweepPushes } from "../../shared/push/dispatch/drain.ts";
import { logIn, signIn } from "../support/accounts/sign-in.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { expireWorkerHeartbeats } from "../support/database/lost-worker.ts";
import { storedRows } from "../support/database/stored-rows.ts";
import { callRoute } from "../support/http/call.ts";
import {
  type Follower,
  pushEnvironment,
  type PushSite,
  startPushSite,
} from "../support/push/push-site.ts";
import { first, leaveUnanswered } from "../support/receiver/behaviour.ts";
import { describeInLongLane } from "../support/runner/lane.ts";
import { startProgram } from "../support/service/processes.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";
import { startTestWorker, type TestWorker } from "../support/service/worker.ts";

let site: PushSite;
let worker: TestWorker;

beforeAll(async () => {
  site = await startPushSite();
  worker = await startTestWorker(site.server, ["push"], { everySeconds: 0.5 });
});
afterAll(async () => {
  await worker.stop();
  await site.stop();
});

let count = 0;

/** Announces a site notice and waits until it is delivered. @returns its key */
async function notice(key = `notice ${++count}`): Promise<string> {
  await site.announce({ stream: "site.notice", ref: key, key });
  await site.settled();
  return key;
}

const refsOf = ({ device }: Follower): unknown[] =>
  device.payloads.map((payload) => (payload as { readonly ref: string }).ref);

describe("the VAPID key that signs push messages", () => {
  const streamsAt = async (at: TestServer, { user }: Follower): Promise<unknown> => {
    const answer = await callRoute(at, "GET /auth/me/notifications/streams", {
      headers: user.headers,
    });
    return (answer.body as Record<string, unknown>)["vapidPublicKey"];
  };
  const settingsAt = async (at: TestServer): Promise<unknown> =>
    ((await callRoute(at, "GET /public/settings")).body as Record<string, unknown>)[
      "vapidPublicKey"
    ];

  it("is the key that the site publishes, and changes when another key is configured", async () => {
    const follower = await site.follower(["site.notice"]);
    const curve = createECDH("prime256v1");
    curve.generateKeys();
    const environment = {
      ...pushEnvironment(site.receiver, site.names),
      // `getPrivateKey` leaves out leading zeros, so add them.
      VAPID_KEY: Buffer.concat([Buffer.alloc(32), curve.getPrivateKey()])
        .subarray(-32)
        .toString("base64url"),
    };
    const other = await startTestServer({ database: site.server.database, environment });
    for (const at of [site.server, other]) {
      const route = `POST /auth/me/devices/${follower.deviceId}/test`;
      await callRoute(at, route, { headers: follower.user.headers });
      const signedBy = follower.device.received.at(-1)?.publicKey;
      expect(await streamsAt(at, follower)).toBe(signedBy);
      expect(await settingsAt(at)).toBe(signedBy);
    }
    const keys = follower.device.received.map(({ publicKey }) => publicKey);
    expect(keys).toEqual([expect.any(String), curve.getPublicKey("base64url")]);
    expect(keys[0]).not.toBe(keys[1]);
    await other.stop();
  });
});

describe("an announcement", () => {
  it("is remembered for thirty days, so that the same announcement causes no second message", async () => {
    const follower = await site.follower(["site.notice"]);
    const { context } = site.server;
    const [kept, over] = [await notice(), await notice()];
    const age = (eventKey: string, ms: number) =>
      context.models.Push.update({ createdAt: clockNowPlus(-ms) }, { where: { eventKey } });
    const days = 30 * 86_400_000;
    await age(kept, days - 3_600_000);
    await age(over, days + 60_000);
    await sweepPushes(context);
    const left = await context.models.Push.findAll({ where: { eventKey: [kept, over] } });
    expect(left.map(({ eventKey }) => eventKey)).toEqual([kept]);
    await notice(kept);
    expect(refsOf(follower)).toEqual([kept, over]);
  });
});

describeInLongLane("a killed push worker", () => {
  it("loses the message that it was sending, and the next worker sends the next message", async () => {
    await worker.stop();
    const held = await site.follower(["site.notice"]);
    const environment = {
      ...pushEnvironment(site.receiver, site.names),
      NODE_TLS_REJECT_UNAUTHORIZED: "0",
    };
    const { database, context } = site.server;
    const program = await startProgram("worker", { database, environment, arguments: ["push"] });
    held.device.behave = first(leaveUnanswered);
    const [lost, next] = ["lost", "next"];
    try {
      await site.announce({ stream: "site.notice", ref: lost, key: lost });
      await waitUntil("it alone is being sent", async () => {
        const others = { state: { [Op.ne]: "done" }, deviceId: { [Op.ne]: held.deviceId } };
        const left = await Promise.all([
          context.models.Push.count({ where: { dispatchedAt: null } }),
          context.models.PushDelivery.count({ where: others }),
        ]);
        return held.device.received.length === 1 && left.every((one) => one === 0);
      });
    } finally {
      await program.kill();
    }
    await expireWorkerHeartbeats(site.server);
    const options = { everySeconds: 0.5, supervises: true };
    worker = await startTestWorker(site.server, ["push"], options);
    await sweepPushes(context);
    await site.announce({ stream: "site.notice", ref: next, key: next });
    await waitUntil("the next arrives", () => held.device.received.length === 2);
    expect(refsOf(held)).toEqual([lost, next]);
    const { deviceId } = held;
    const states = () =>
      storedRows(context.models.PushDelivery, ["state", "attempts"], { deviceId });
    await waitUntil("it is noted", async () => (await states())[1]?.state === "done");
    expect(await states()).toEqual([
      { state: "trying", attempts: 1 },
      { state: "done", attempts: 1 },
    ]);
    // Remove the device with the message that stays undelivered. Otherwise the wait for all messages would not
    // end.
    await context.models.PushDevice.destroy({ where: { id: held.deviceId } });
  });
});

describe("a user", () => {
  it("keeps their devices after signing out, in a browser or in the app, and still gets messages", async () => {
    const follower = await site.follower(["site.notice"]);
    const { username, password, headers } = follower.user;
    const signedIn = await callRoute(site.server, "POST /auth/mobile/login", {
      body: { username, password, device_name: "phone" },
    });
    const { token } = signedIn.body as { readonly token: string };
    const app = { authorization: `Bearer ${token}` };
    for (const session of [headers, app]) {
      expect((await callRoute(site.server, "POST /auth/logout", { headers: session })).status).toBe(
        200,
      );
      const list = await callRoute(site.server, "GET /auth/me/devices", { headers: session });
      expect(list.status).toBe(401);
    }
    const ref = await notice();
    expect(refsOf(follower)).toEqual([ref]);
    const again = { headers: { cookie: await logIn(site.server, follower.user) } };
    const { body } = await callRoute(site.server, "GET /auth/me/devices", again);
    expect(body).toMatchObject([{ id: follower.deviceId, failing: false }]);
  });

  it("keeps devices and streams while disabled, but gets messages only once enabled again", async () => {
    const admin = await signIn(site.server, { role: "admin" });
    const follower = await site.follower(["site.notice"]);
    const marker = await site.follower(["site.notice"]);
    const { userId } = follower.user;
    const set = async (disabled: boolean): Promise<void> => {
      const change = { headers: admin.headers, body: { disabled } };
      const answer = await callRoute(site.server, `PATCH /admin/users/${userId}`, change);
      expect(answer.status).toBe(200);
    };
    await set(true);
    const missed = await notice();
    expect([refsOf(follower), refsOf(marker)]).toEqual([[], [missed]]);
    const { PushDevice, PushSubscription } = site.server.context.models;
    const where = { userId };
    expect([await PushDevice.count({ where }), await PushSubscription.count({ where })]).toEqual([
      1, 1,
    ]);
    await set(false);
    const heard = await notice();
    expect(refsOf(follower)).toEqual([heard]);
  });
});
