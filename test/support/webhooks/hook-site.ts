import { randomUUID } from "node:crypto";

import { storeAnnouncements, type Announcement } from "../../../shared/facts/publish-facts.ts";
import { inTransaction } from "../../../shared/platform/db/transaction.ts";
import { type SignedIn, signIn } from "../accounts/sign-in.ts";
import { waitUntil } from "../clock/wait.ts";
import { query } from "../database/query.ts";
import { type ApiAnswer, callRoute } from "../http/call.ts";
import { NameServer } from "../push/name-server.ts";
import { Receiver, trustCertificate } from "../receiver/receiver.ts";
import type { ReceivingHook } from "../receiver/receiving-hook.ts";
import { startTestServer, type TestServer, type TestServerOptions } from "../service/server.ts";

export interface MadeHook {
  readonly id: number;
  readonly secret: string;
  readonly receiver: ReceivingHook;
}

/** A site whose webhooks call the test's receiver, which has all names below `hook.test`. */
export interface HookSite {
  readonly server: TestServer;
  readonly receiver: Receiver;
  readonly names: NameServer;
  readonly environment: NodeJS.ProcessEnv;
  readonly admin: SignedIn;
  /** Sends a request as an administrator. */
  as(route: string, body?: unknown, at?: TestServer): Promise<ApiAnswer>;
  /** Returns the address of a webhook, with a path of its own. */
  address(path?: string): ReceivingHook;
  make(body?: object, receiver?: ReceivingHook): Promise<MadeHook>;
  /** Returns a webhook as administrators see it. */
  seen(id: number): Promise<Record<string, unknown> | undefined>;
  /** Returns the deliveries of a webhook, newest first. */
  log(id: number): Promise<Record<string, unknown>[]>;
  announce(stream: Announcement["stream"], extra?: Partial<Announcement>): Promise<void>;
  /** Resolves when all announcements are dispatched and no delivery is left to send. */
  settled(withinMs?: number): Promise<void>;
  stop(): Promise<void>;
}

let named = 0;

export async function startHookSite(options: TestServerOptions = {}): Promise<HookSite> {
  const [names, receiver] = await Promise.all([
    NameServer.start(),
    Receiver.start(["*.hook.test"]),
  ]);
  trustCertificate(receiver.certificate);
  const environment = {
    PUSH_DNS: names.address,
    PUSH_ALLOW_PRIVATE_FOR_TESTS: "true",
    WEBHOOK_RETRY: "50ms",
    ...options.environment,
  };
  const server = await startTestServer({ ...options, environment });
  const admin = await signIn(server, { role: "admin" });
  const as: HookSite["as"] = (route, body, at = server) =>
    callRoute(at, route, { headers: admin.headers, ...(body !== undefined && { body }) });
  const address: HookSite["address"] = (path) => {
    const name = `bot-${++named}.hook.test`;
    names.say(name, ["127.0.0.1"]);
    return receiver.hook(name, path);
  };
  return {
    server,
    receiver,
    names,
    environment,
    admin,
    as,
    address,
    make: async (body = {}, given = address()) => {
      const wanted = { url: given.url, streams: ["site.notice"], ...body };
      const answered = await as("POST /admin/webhooks", wanted);
      if (answered.status !== 201) throw new Error(`making one answered ${answered.text}`);
      const { webhook, secret } = answered.body as { webhook: { id: number }; secret: string };
      return { id: webhook.id, secret, receiver: given };
    },
    seen: async (id) => {
      const { body } = await as("GET /admin/webhooks");
      const { webhooks } = body as { webhooks: Record<string, unknown>[] };
      return webhooks.find((one) => one["id"] === id);
    },
    log: async (id) => {
      const { body } = await as(`GET /admin/webhooks/${id}/deliveries`);
      return (body as { deliveries: Record<string, unknown>[] }).deliveries;
    },
    announce: (stream, extra = {}) =>
      inTransaction(server.context.sequelize, async (transaction) => {
        const news = { stream, ref: "42", key: randomUUID(), ...extra };
        await storeAnnouncements([news], transaction, server.context);
      }),
    settled: (withinMs) => settled(server, withinMs),
    stop: async () => {
      await server.stop();
      await receiver.stop();
      names.stop();
    },
  };
}

async function settled(server: TestServer, withinMs?: number): Promise<void> {
  const unsettled = `
    select (select count(*) from pushes where dispatched_at is null)
      + (select count(*) from pgboss.job where name = 'webhook.dispatch' and state < 'completed')
      + (select count(*) from webhook_deliveries where state in ('waiting', 'trying')) as left`;
  const isOver = async () => (await query<{ left: number }>(server, unsettled))[0]?.left === 0;
  await waitUntil("every delivery has come to its end", isOver, withinMs);
}
