import { storeAnnouncements, type Announcement } from "../../../shared/facts/publish-facts.ts";
import type { PushStream } from "../../../shared/facts/streams.ts";
import { inTransaction } from "../../../shared/platform/db/transaction.ts";
import { type SignedIn, signIn, type TestUserOptions } from "../accounts/sign-in.ts";
import { waitUntil } from "../clock/wait.ts";
import { type ApiAnswer, callRoute } from "../http/call.ts";
import { Receiver, trustCertificate } from "../receiver/receiver.ts";
import type { Agent, ReceivingDevice } from "../receiver/receiving-device.ts";
import { startTestServer, type TestServer, type TestServerOptions } from "../service/server.ts";
import { NameServer } from "./name-server.ts";

/**
 * A site that sends push messages to the test's receiver, which has all names below `push.test`.
 */
export interface PushSite {
  readonly server: TestServer;
  readonly receiver: Receiver;
  readonly names: NameServer;
  /** Creates a device whose relay has a path of its own. */
  device(agent?: Agent): ReceivingDevice;
  register(who: SignedIn, device: ReceivingDevice, at?: TestServer): Promise<number>;
  subscribe(who: SignedIn, ...streams: readonly PushStream[]): Promise<void>;
  /** Creates a user with a registered device and with subscriptions to these streams. */
  follower(
    streams: readonly PushStream[],
    options?: TestUserOptions & { readonly device?: ReceivingDevice },
  ): Promise<Follower>;
  announce(...announcements: readonly Announcement[]): Promise<void>;
  /** Resolves when all pushes are dispatched and no message is left to send. */
  settled(withinMs?: number): Promise<void>;
  stop(): Promise<void>;
}

export interface Follower {
  readonly user: SignedIn;
  readonly device: ReceivingDevice;
  readonly deviceId: number;
  /** Returns the device as its owner sees it, or undefined if it was removed. */
  readonly seen: () => Promise<Record<string, unknown> | undefined>;
}

let named = 0;

export const pushEnvironment = (receiver: Receiver, names: NameServer): NodeJS.ProcessEnv => ({
  PUSH_ALLOWED_ORIGINS: receiver.origin("*.push.test"),
  PUSH_DNS: names.address,
  PUSH_ALLOW_PRIVATE_FOR_TESTS: "true",
  PUSH_RETRY: "200ms",
});

export async function startPushSite(options: TestServerOptions = {}): Promise<PushSite> {
  const [names, receiver] = await Promise.all([
    NameServer.start(),
    Receiver.start(["*.push.test"]),
  ]);
  trustCertificate(receiver.certificate);
  const environment = { ...pushEnvironment(receiver, names), ...options.environment };
  const server = await startTestServer({ ...options, environment });
  const device = (agent?: Agent): ReceivingDevice => {
    const name = `relay-${++named}.push.test`;
    names.say(name, ["127.0.0.1"]);
    return receiver.device(name, agent);
  };
  const register: PushSite["register"] = async (who, given, at = server) => {
    const registration = { headers: who.headers, body: given.subscription };
    return idOf(await callRoute(at, "POST /auth/me/devices", registration));
  };
  const subscribe: PushSite["subscribe"] = async (who, ...streams) => {
    const choice = { headers: who.headers, body: { streams } };
    const { status } = await callRoute(server, "PUT /auth/me/notifications/subscriptions", choice);
    if (status !== 200) throw new Error(`subscribing answered ${status}`);
  };
  return {
    server,
    receiver,
    names,
    device,
    register,
    subscribe,
    follower: async (streams, { device: own = device(), ...who } = {}) => {
      const user = await signIn(server, who);
      await subscribe(user, ...streams);
      const deviceId = await register(user, own);
      return { user, device: own, deviceId, seen: () => seenBy(user, deviceId, server) };
    },
    announce: (...announcements) =>
      inTransaction(server.context.sequelize, async (transaction) => {
        await storeAnnouncements(announcements, transaction, server.context);
      }),
    settled: (withinMs) => settled(server, withinMs),
    stop: async () => {
      await server.stop();
      await receiver.stop();
      names.stop();
    },
  };
}

function idOf({ status, body }: ApiAnswer): number {
  if (status !== 200 && status !== 201) throw new Error(`registering answered ${status}`);
  return (body as { readonly id: number }).id;
}

async function seenBy(user: SignedIn, id: number, server: TestServer) {
  const { body } = await callRoute(server, "GET /auth/me/devices", { headers: user.headers });
  return (body as Record<string, unknown>[]).find((one) => one["id"] === id);
}

async function settled({ context }: TestServer, withinMs?: number): Promise<void> {
  const unsettled = `
    select (select count(*) from pushes where dispatched_at is null) as pushes,
      (select count(*) from push_deliveries where state <> 'done') as deliveries`;
  await waitUntil(
    "every push has come to its end",
    async () => {
      const [[row]] = (await context.sequelize.query(unsettled)) as [
        { readonly pushes: number; readonly deliveries: number }[],
        unknown,
      ];
      return row?.pushes === 0 && row.deliveries === 0;
    },
    withinMs,
  );
}
