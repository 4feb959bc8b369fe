import { clockNowPlus } from "../../models/queries/clock.ts";
import { findSurvivalKind } from "../../shared/survival/kinds/kinds.ts";
import { followStreamAt } from "../shard/stream-clients.ts";
import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import {
  buildSteamLink,
  buildSurvivalServer,
  changeSurvivalSource,
} from "../support/factories/survival.ts";
import { callRoute } from "../support/http/call.ts";
import type { Block, OpenOptions, StreamClient } from "../support/http/event-stream.ts";
import type { TestServer } from "../support/service/server.ts";
import { storeSurvivalFrames, survivalFrame } from "../support/survival/survival-ingest.ts";

/** The callers of the tests. Editor and moderator have the same access level. */
export const callers = [
  "anonymous",
  "logged_in",
  "player",
  "editor",
  "moderator",
  "admin",
] as const;
export type CallerName = (typeof callers)[number];

type Headers = Readonly<Record<string, string>>;

/** Signs in one user for each kind of caller. @returns the headers of their requests */
export async function signInCallers(
  server: TestServer,
): Promise<Readonly<Record<CallerName, Headers>>> {
  const headersOf = async (role: "player" | "editor" | "moderator" | "admin") =>
    (await signIn(server, { role })).headers;
  const player: SignedIn = await signIn(server);
  await buildSteamLink(server, { steamId: "76561198000000801", userId: player.userId });
  return {
    anonymous: {},
    logged_in: await headersOf("player"),
    player: player.headers,
    editor: await headersOf("editor"),
    moderator: await headersOf("moderator"),
    admin: await headersOf("admin"),
  };
}

/** Creates a survival server that appears online, with two players. */
export async function buildOnlineServer(server: TestServer): Promise<number> {
  const { id } = await buildSurvivalServer(server, {
    enabled: true,
    baseUrl: "http://game.test",
    wsUrl: "ws://game.test",
    tokenSealed: "sealed",
  });
  await storeSurvivalFrames(server.context, id, [
    { type: "plugin", connected: true, bootId: "boot" },
    ...["server.hello", "server.status", "player.online"].map(exampleFrame),
  ]);
  const beatAt = clockNowPlus(3_600_000);
  const connected = { state: "connected", pluginConnected: true, owner: "test", beatAt } as const;
  await changeSurvivalSource(server, id, connected);
  return id;
}

/** Returns a frame with the example payload from the documentation of its kind. */
export const exampleFrame = (kind: string) =>
  survivalFrame(kind, findSurvivalKind(kind)?.example ?? {});

/** Opens the stream of a survival server. */
export const followServer = (
  server: Pick<TestServer, "url">,
  id: number,
  options: OpenOptions = {},
): Promise<StreamClient> =>
  followStreamAt(server, `/api/v1/public/survival/servers/${id}/stream`, options);

/** Opens the stream of a survival server, and waits until the states have arrived. */
export async function followServerLive(
  ...args: Parameters<typeof followServer>
): Promise<StreamClient> {
  const client = await followServer(...args);
  for (const event of ["server", "online", "wipes", "live"]) {
    await client.waitFor((block) => block.event === event);
  }
  return client;
}

/** Returns the events of the feed that a client has received. */
export const feedOf = ({ blocks }: StreamClient): Block[] =>
  blocks.filter(({ data, event }) => data !== undefined && event === undefined);

let markers = 0;

/** Stores an event that everyone may see, and waits until the client has it. @returns its block */
export async function flushFeed(on: TestServer, id: number, client: StreamClient): Promise<Block> {
  const profile = `marker-${++markers}`;
  const payload = { netId: String(markers), profile, alive: 0 };
  await storeSurvivalFrames(on.context, id, [survivalFrame("survival.npc.died", payload)]);
  return client.waitFor(({ data }) => isMarker(data, profile));
}

const isMarker = (data: unknown, profile: string): boolean =>
  (data as { payload?: { profile?: string } } | undefined)?.payload?.profile === profile;

/** Returns the newest state of a type that a client has received. */
export const stateOf = ({ blocks }: StreamClient, event: string): unknown =>
  blocks.findLast((block) => block.event === event)?.data;

/** Reads a public route of a server. */
export async function readPublicRoute(
  server: TestServer,
  id: number,
  path: string,
  headers: Headers = {},
): Promise<unknown> {
  const asked = `GET /public/survival/servers/${id}${path}`;
  return (await callRoute(server, asked, { headers, mayFail: true })).body;
}
