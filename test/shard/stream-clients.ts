import { afterAll, afterEach, beforeAll } from "vitest";

import type { Rung } from "../../shared/platform/access/roles.ts";
import { inTransaction } from "../../shared/platform/db/transaction.ts";
import {
  type VisibilityOverrides,
  writeVisibilityOverrides,
} from "../../shared/shard/visibility/visibility.ts";
import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { buildShardLink } from "../support/factories/shard.ts";
import {
  type Block,
  type OpenOptions,
  openStream,
  type StreamClient,
} from "../support/http/event-stream.ts";
import {
  startTestServer,
  type TestServer,
  type TestServerOptions,
} from "../support/service/server.ts";
import { type EventToStore, storeEvents } from "../support/shard/shard-events.ts";

export const paths = {
  public: "/api/v1/public/shard/stream",
  admin: "/api/v1/admin/shardlink/stream",
} as const;
export type Path = keyof typeof paths;

const open: StreamClient[] = [];

/** Opens a stream. `closeStreamsAfterEach` closes it after the test. */
export const follow = (
  server: Pick<TestServer, "url">,
  stream: Path,
  options: OpenOptions & { readonly query?: string } = {},
): Promise<StreamClient> =>
  followStreamAt(server, `${paths[stream]}${options.query ?? ""}`, options);

/** Opens the stream with this path. `closeStreamsAfterEach` closes it after the test. */
export async function followStreamAt(
  server: Pick<TestServer, "url">,
  path: string,
  options: OpenOptions = {},
): Promise<StreamClient> {
  const client = await openStream(`${server.url}${path}`, options);
  open.push(client);
  return client;
}

/** Opens a stream and waits for its hello. From then on the client receives all new events. */
export async function followLiveStream(...args: Parameters<typeof follow>): Promise<StreamClient> {
  const client = await follow(...args);
  await client.waitFor(({ event }) => event === "hello");
  return client;
}

export const buildBroadcast = (text: string, more: Partial<EventToStore> = {}): EventToStore => ({
  kind: "world.broadcast",
  payload: { text, hue: 1 },
  ...more,
});

/** An event of a kind that the public stream does not contain. */
export const staffOnly: EventToStore = {
  kind: "admin.audit",
  reach: "staff",
  payload: { verb: "go" },
};

/**
 * Stores a public event and waits until the client has it. All earlier events have arrived then.
 */
export async function flushStream(
  server: Pick<TestServer, "context">,
  client: StreamClient,
): Promise<Block> {
  const [marker] = await storeEvents(server, [
    { kind: "server.stopping", payload: { reason: "marker" } },
  ]);
  return client.waitFor(({ id }) => id === marker);
}

/** Returns all events after `hello`. Heartbeats are left out. */
export const eventsOf = ({ blocks }: StreamClient): Block[] =>
  blocks.filter(({ data, event }) => data !== undefined && event !== "hello");

interface EventData {
  readonly payload: { readonly text?: string; readonly reason?: string };
}

/** Returns the texts of broadcasts. An event of `flush` appears as `marker`. */
export const textsOf = (client: StreamClient): unknown[] =>
  eventsOf(client).map(({ data }) => {
    const { text, reason } = (data as EventData).payload;
    return text ?? reason;
  });

export async function setVisibility(
  server: TestServer,
  overrides: VisibilityOverrides,
): Promise<void> {
  const { sequelize, models, visibility } = server.context;
  const before = visibility.current;
  await inTransaction(sequelize, (transaction) =>
    writeVisibilityOverrides(models, overrides, transaction),
  );
  await waitUntil("the visibility is in force", () => visibility.current !== before);
}

export async function linkGameAccount(server: TestServer, { userId }: SignedIn): Promise<void> {
  await buildShardLink(server, { account: `account-${userId}`, userId });
}

/** Creates a caller with this access level. @returns the headers of its requests */
export async function createCallerHeaders(
  server: TestServer,
  rung: Rung,
): Promise<Record<string, string>> {
  if (rung === "anonymous") return {};
  const role = rung === "admin" ? "admin" : rung === "staff" ? "moderator" : "player";
  const user = await signIn(server, { role });
  if (rung === "player") await linkGameAccount(server, user);
  return { ...user.headers };
}

export async function readMetric(server: TestServer, line: RegExp): Promise<number> {
  const text = await server.registry.metrics();
  return Number(line.exec(text)?.[1] ?? 0);
}

const others: TestServer[] = [];

/** Starts a server. `closeStreamsAfterEach` stops it after the test. */
export async function startAnother(options: TestServerOptions = {}): Promise<TestServer> {
  const server = await startTestServer(options);
  others.push(server);
  return server;
}

/** Closes the streams and stops the servers of each test of the file. */
export const closeStreamsAfterEach = (): void =>
  afterEach(async () => {
    for (const client of open.splice(0)) client.close();
    await Promise.all(others.splice(0).map((server) => server.stop()));
  });

/** Starts a server for all tests of a `describe` block. */
export function useServer(options: TestServerOptions = {}): { readonly current: TestServer } {
  const held: { current: TestServer | undefined } = { current: undefined };
  beforeAll(async () => {
    held.current = await startTestServer(options);
  });
  afterAll(() => held.current?.stop());
  return held as { current: TestServer };
}
