import { beforeAll, beforeEach, describe, expect, it } from "vitest";

import { feedKinds } from "../../shared/survival/feed/feed-text.ts";
import { survivalFrameKinds } from "../../shared/survival/kinds/kinds.ts";
import { closeStreamsAfterEach, readMetric, useServer } from "../shard/stream-clients.ts";
import { signIn } from "../support/accounts/sign-in.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { changeUser } from "../support/factories/users.ts";
import { callRoute } from "../support/http/call.ts";
import type { Block, StreamClient } from "../support/http/event-stream.ts";
import { storeSurvivalFrames, survivalFrame } from "../support/survival/survival-ingest.ts";
import {
  buildOnlineServer,
  type CallerName,
  callers,
  exampleFrame,
  feedOf,
  flushFeed,
  followServer,
  followServerLive,
  readPublicRoute,
  signInCallers,
  stateOf,
} from "./stream-servers.ts";

closeStreamsAfterEach();

const server = useServer({ environment: { SSE_MAX_PER_IP: "1000", SSE_RECHECK: "1s" } });
let headersOf: Awaited<ReturnType<typeof signInCallers>>;
let id: number;

beforeAll(async () => {
  headersOf = await signInCallers(server.current);
});
beforeEach(async () => {
  await change("PUT /admin/survival/visibility", { presence: null, layers: null, liveMap: null });
  id = await buildOnlineServer(server.current);
});

async function change(route: string, body: object = {}): Promise<void> {
  const headers = headersOf.admin;
  const { status, text } = await callRoute(server.current, route, { headers, body });
  if (status >= 300) throw new Error(text);
}

const store = (...frames: Parameters<typeof storeSurvivalFrames>[2]) =>
  storeSurvivalFrames(server.current.context, id, frames);

const kindsOf = (client: StreamClient): string[] =>
  feedOf(client).map(({ data }) => (data as { kind: string }).kind);

const sorted = (kinds: readonly string[]): string[] => kinds.toSorted((a, b) => (a < b ? -1 : 1));

const untilState = (client: StreamClient, event: string, holds: (data: unknown) => boolean) =>
  client.waitFor((block) => block.event === event && holds(block.data));

const isHidden = (hidden: boolean) => (data: unknown) =>
  (data as { hidden?: boolean } | null)?.hidden === hidden;

async function farewell(client: StreamClient): Promise<Block | undefined> {
  await client.ended;
  return client.blocks.at(-1);
}

const bye = (reason: string) => ({ event: "bye", retry: expect.any(Number), data: { reason } });

const publicKinds = ["world.wiped", "survival.npc.died"];

/** The kinds of stored events that no stream sends, because only staff may see them. */
const otherKinds = Object.entries(survivalFrameKinds)
  .filter(([kind, { isEvent }]) => isEvent && !feedKinds.some((known) => known === kind))
  .map(([kind]) => kind);

describe("GET /public/survival/servers/:id/stream", () => {
  it.each(callers)("sends %s each event as the feed shows it, and no other kind", async (name) => {
    const headers = headersOf[name];
    const client = await followServerLive(server.current, id, { headers });
    const first = feedOf(client).length;
    expect(otherKinds).toContain("player.reported");
    await store(...[...otherKinds, ...feedKinds].map(exampleFrame));
    await flushFeed(server.current, id, client);
    const page = (await readPublicRoute(server.current, id, "/feed?limit=100", headers)) as {
      events: { id: number; kind: string; payload: object }[];
    };
    expect(first).toBe(0);
    expect(feedOf(client)).toEqual(
      page.events.toReversed().map((event) => ({ id: event.id, data: event })),
    );
    const kinds = name === "anonymous" ? publicKinds : [...feedKinds];
    expect(sorted(kindsOf(client).slice(0, -1))).toEqual(sorted(kinds));
    const places = JSON.stringify(feedOf(client)).match(/"(?:x|y|z|grid)":/g) ?? [];
    expect(places.length > 0).toBe(["editor", "moderator", "admin"].includes(name));
  });

  it.each(callers)("sends %s the states as the other routes show them", async (name) => {
    const headers = headersOf[name];
    const client = await followServerLive(server.current, id, { headers });
    const { lastSeenAt, ...shown } = stateOf(client, "server") as Record<string, unknown>;
    const read = await readPublicRoute(server.current, id, "", headers);
    expect(read).toEqual({ server: { ...shown, lastSeenAt: expect.any(String) } });
    expect(lastSeenAt).toEqual(expect.any(String));
    for (const [event, path] of [
      ["online", "/online"],
      ["wipes", "/wipes?limit=1"],
      ["live", "/map/live"],
    ] as const) {
      expect(stateOf(client, event)).toEqual(
        await readPublicRoute(server.current, id, path, headers),
      );
    }
    const online = stateOf(client, "online") as { count: number; players: object[] };
    expect([online.count, online.players.length]).toEqual([2, name === "anonymous" ? 0 : 2]);
  });

  it("sends the players and their number again after each join and leave", async () => {
    const headers = headersOf.logged_in;
    const client = await followServerLive(server.current, id, { headers });
    const anyone = await followServerLive(server.current, id);
    const eve = { steamId: "76561198000000901", name: "Eve", connectedAt: 1_764_200_000_000 };
    await store(survivalFrame("player.joined", eve));
    const counts = (count: number) => (data: unknown) =>
      (data as { count: number }).count === count;
    const joined = await untilState(client, "online", counts(3));
    expect(JSON.stringify(joined)).toContain("Eve");
    expect(JSON.stringify(await untilState(anyone, "online", counts(3)))).not.toContain("Eve");
    await store(survivalFrame("player.left", eve));
    await waitUntil("the player has left", () => counts(2)(stateOf(client, "online")));
    expect(kindsOf(client)).toEqual(["player.joined", "player.left"]);
    expect(kindsOf(anyone)).toEqual([]);
  });

  it("sends the new world and the new state of the server after a wipe", async () => {
    const client = await followServerLive(server.current, id);
    const saveId = Date.UTC(2027, 0, 7, 19);
    await store(survivalFrame("world.wiped", { saveId, blueprints: "wiped", size: 3_000 }));
    const isNew = (data: unknown) =>
      (data as { wipes: { saveId: number }[] }).wipes[0]?.saveId === saveId;
    const { data } = await untilState(client, "wipes", isNew);
    expect(data).toEqual(await readPublicRoute(server.current, id, "/wipes?limit=1"));
    const lastWipe = new Date(saveId).toISOString();
    await untilState(client, "server", (shown) => Object(shown).lastWipe === lastWipe);
    expect(kindsOf(client)).toEqual(["world.wiped"]);
  });

  it("sends live positions to staff, and only game events to others", async () => {
    const clients = new Map<CallerName, StreamClient>();
    for (const name of ["anonymous", "player", "moderator"] as const) {
      const headers = headersOf[name];
      clients.set(name, await followServerLive(server.current, id, { headers }));
    }
    await store(exampleFrame("map.live"));
    for (const [name, client] of clients) {
      const { data } = await untilState(client, "live", (live) => Object(live).at !== null);
      const layers = Object.keys((data as { layers: object }).layers);
      expect(layers).toEqual(name === "moderator" ? ["events", "players", "bases"] : ["events"]);
      const read = () => readPublicRoute(server.current, id, "/map/live", headersOf[name]);
      // The map route caches its answer for anonymous callers for a second.
      await waitUntil("the answer is new", async () => Object(await read()).at === Object(data).at);
      expect(data).toEqual(await read());
    }
  });

  it("sends the ids of hidden chat messages, and does not send the messages to clients that reconnect", async () => {
    const headers = headersOf.logged_in;
    const client = await followServerLive(server.current, id, { headers });
    const { id: before } = await flushFeed(server.current, id, client);
    await store(exampleFrame("player.chat"));
    await flushFeed(server.current, id, client);
    const chat = feedOf(client).find(({ data }) => Object(data).kind === "player.chat")?.id ?? 0;
    await change(`PUT /admin/survival/servers/${id}/events/${chat}`, { hidden: true });
    await untilState(client, "hidden", (data) => Object(data).ids.includes(chat));
    const again = await followServer(server.current, id, { headers, lastEventId: before });
    await flushFeed(server.current, id, again);
    expect(kindsOf(again)).toEqual(["survival.npc.died", "survival.npc.died"]);
    const anyone = await followServerLive(server.current, id);
    await flushFeed(server.current, id, anyone);
    expect(stateOf(anyone, "hidden")).toBeUndefined();
  });
});

describe("a chat message that staff hide", () => {
  it("is not sent to a client that reconnects after nobody followed the server", async () => {
    const headers = headersOf.logged_in;
    const client = await followServerLive(server.current, id, { headers });
    const { id: before } = await flushFeed(server.current, id, client);
    await store(exampleFrame("player.chat"));
    await flushFeed(server.current, id, client);
    const chat = feedOf(client).find(({ data }) => Object(data).kind === "player.chat")?.id ?? 0;
    client.close();
    const clients = /^guildhall_sse_clients\{stream="survival",rung="logged_in"\} (\d+)$/m;
    await waitUntil(
      "nobody follows the server",
      async () => (await readMetric(server.current, clients)) === 0,
    );
    await change(`PUT /admin/survival/servers/${id}/events/${chat}`, { hidden: true });
    const again = await followServer(server.current, id, { headers, lastEventId: before });
    await flushFeed(server.current, id, again);
    expect(kindsOf(again)).toEqual(["survival.npc.died", "survival.npc.died"]);
    await untilState(again, "hidden", (data) => Object(data).ids.includes(chat));
  });
});

describe("an open stream of a survival server", () => {
  it("shows or hides the online players when the audience of `presence` changes", async () => {
    const client = await followServerLive(server.current, id);
    await change("PUT /admin/survival/visibility", { presence: "anonymous" });
    await untilState(client, "online", isHidden(false));
    await store(exampleFrame("player.chat"));
    await client.waitFor(({ data }) => Object(data).kind === "player.chat");
    await change("PUT /admin/survival/visibility", { presence: "staff" });
    await waitUntil("the players are hidden", () => isHidden(true)(stateOf(client, "online")));
    await store(exampleFrame("player.died"), exampleFrame("survival.npc.died"));
    await flushFeed(server.current, id, client);
    expect(kindsOf(client)).toEqual(["player.chat", "survival.npc.died", "survival.npc.died"]);
    expect(JSON.stringify(feedOf(client).slice(1))).not.toContain("killer");
  });

  it("shows or hides positions when the live map's audience changes or the live map is turned off", async () => {
    const client = await followServerLive(server.current, id);
    await change("PUT /admin/survival/visibility", { liveMap: { audience: "player" } });
    await untilState(client, "live", isHidden(true));
    await change("PUT /admin/survival/visibility", { liveMap: { card: false } });
    await untilState(client, "live", (data) => Object(data).audience === "staff");
    expect(stateOf(client, "live")).toMatchObject({ hidden: true, layers: {} });
  });

  it("reports the server as offline when it is disabled, and stays open", async () => {
    const client = await followServerLive(server.current, id);
    expect(stateOf(client, "server")).toMatchObject({ online: true });
    await change(`PUT /admin/survival/servers/${id}`, { enabled: false });
    await untilState(client, "server", (data) => Object(data).online === false);
    await untilState(client, "online", (data) => Object(data).count === 0);
    expect(client.blocks.some(({ event }) => event === "bye")).toBe(false);
  });

  it.each([
    ["deleted", () => change(`DELETE /admin/survival/servers/${id}?purge=true`)],
    ["unlisted", () => change(`PUT /admin/survival/servers/${id}`, { listed: false })],
  ] as const)("ends when the server is %s, and cannot be opened after that", async (_, end) => {
    const client = await followServerLive(server.current, id);
    const staff = await followServerLive(server.current, id, { headers: headersOf.admin });
    await end();
    for (const each of [client, staff]) expect(await farewell(each)).toEqual(bye("gone"));
    const route = `GET /public/survival/servers/${id}/stream`;
    const { status } = await callRoute(server.current, route, { mayFail: true });
    expect(status).toBe(404);
  });

  it("ends when its session is signed out, and when the user loses the role", async () => {
    const one = await signIn(server.current);
    const other = await signIn(server.current, { role: "moderator" });
    const left = await followServerLive(server.current, id, { headers: { ...one.headers } });
    await callRoute(server.current, "POST /auth/logout", { headers: one.headers });
    expect(await farewell(left)).toEqual(bye("revoked"));
    const headers = { ...other.headers };
    const staff = await followServerLive(server.current, id, { headers });
    await changeUser(server.current, other.userId, { role: "player" });
    expect(await farewell(staff)).toEqual(bye("revoked"));
  });
});
