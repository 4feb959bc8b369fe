import { describe, expect, it } from "vitest";

import { signIn } from "../support/accounts/sign-in.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { blockOf, storeEvents } from "../support/shard/shard-events.ts";
import { samples } from "./samples.ts";
import {
  buildBroadcast,
  createCallerHeaders,
  closeStreamsAfterEach,
  eventsOf,
  flushStream,
  followLiveStream,
  linkGameAccount,
  paths,
  setVisibility,
  startAnother,
  staffOnly,
  textsOf,
  useServer,
} from "./stream-clients.ts";

closeStreamsAfterEach();

describe("GET /public/shard/stream", () => {
  const server = useServer({ environment: { SSE_MAX_PER_IP: "1000" } });

  it("opens with a retry delay, a comment and hello, uncached and unbuffered", async () => {
    const [before] = await storeEvents(server.current, [buildBroadcast("before")]);
    await waitUntil("the event is read", async () => {
      const client = await followLiveStream(server.current, "public");
      return client.lastEventId === before;
    });
    const client = await followLiveStream(server.current, "public");
    expect(client.status).toBe(200);
    expect(client.headers).toMatchObject({
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store, no-transform",
      "x-accel-buffering": "no",
    });
    expect(client.headers["content-encoding"]).toBeUndefined();
    expect(client.blocks).toEqual([
      { retry: expect.any(Number), comment: "welcome" },
      { id: before, event: "hello", data: { level: "anonymous", lastEventId: before } },
    ]);
    expect(client.blocks[0]?.retry).toBeGreaterThanOrEqual(3_000);
    expect(client.blocks[0]?.retry).toBeLessThanOrEqual(5_000);
  });

  it("answers HEAD with the headers only", async () => {
    const response = await fetch(server.current.url + paths.public, { method: "HEAD" });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    expect(await response.text()).toBe("");
  });

  it("sends a stored event under its id, with its public fields only", async () => {
    const client = await followLiveStream(server.current, "public");
    const payload = { text: "The gates open at dusk.", hue: 1_154, actor: { acct: "gm" } };
    const [id] = await storeEvents(server.current, [{ kind: "world.broadcast", payload }]);
    await client.waitFor((block) => block.id === id);
    expect(eventsOf(client)).toEqual([
      blockOf(id, "world.broadcast", { text: "The gates open at dusk.", hue: 1_154 }),
    ]);
  });

  it("leaves out staff events, events not meant for streams, and unknown kinds", async () => {
    const client = await followLiveStream(server.current, "public");
    await storeEvents(server.current, [
      staffOnly,
      buildBroadcast("in staff chat", { reach: "staff" }),
      buildBroadcast("unchanged", { reach: "none" }),
      { kind: "newer.plugin", payload: { text: "?" } },
    ]);
    await flushStream(server.current, client);
    expect(textsOf(client)).toEqual(["marker"]);
  });

  it.each([
    ["anonymous", { deaths: false, members: false, places: false }],
    ["logged_in", { deaths: true, members: true, places: false }],
    ["player", { deaths: true, members: true, places: false }],
    ["staff", { deaths: true, members: true, places: true }],
    ["admin", { deaths: true, members: true, places: true }],
  ] as const)(
    "shows %s the data that this access level may see, and names the level",
    async (rung, sees) => {
      const headers = await createCallerHeaders(server.current, rung);
      const client = await followLiveStream(server.current, "public", { headers });
      const [deathId, guildId] = await storeEvents(server.current, [
        { kind: "player.death", payload: samples["player.death"] },
        { kind: "guild.joined", payload: samples["guild.joined"] },
      ]);
      await flushStream(server.current, client);
      const hello = client.blocks.find(({ event }) => event === "hello");
      expect(hello?.data).toMatchObject({ level: rung });
      const { location, corpse: _, ...death } = samples["player.death"];
      const { serial, name, ...guild } = samples["guild.joined"];
      const deathBlock = blockOf(deathId, "player.death", {
        ...death,
        ...(sees.places && { location }),
      });
      const guildBlock = blockOf(guildId, "guild.joined", {
        ...guild,
        ...(sees.members && { serial, name }),
      });
      expect(eventsOf(client).slice(0, -1)).toEqual(
        sees.deaths ? [deathBlock, guildBlock] : [guildBlock],
      );
    },
  );

  it("keeps the access level that the caller had when the stream opened", async () => {
    const user = await signIn(server.current);
    await setVisibility(server.current, { announcements: { audience: "player" } });
    const client = await followLiveStream(server.current, "public", {
      headers: { ...user.headers },
    });
    await linkGameAccount(server.current, user);
    await storeEvents(server.current, [buildBroadcast("for players")]);
    await flushStream(server.current, client);
    await setVisibility(server.current, {});
    expect(textsOf(client)).toEqual(["marker"]);
    const anew = await followLiveStream(server.current, "public", { headers: { ...user.headers } });
    expect(anew.blocks.at(-1)?.data).toMatchObject({ level: "player" });
  });

  it("applies a change of visibility to open streams", async () => {
    const client = await followLiveStream(server.current, "public");
    const overrides = [{}, { enabled: false }, { audience: "admin" }, { stream: false }] as const;
    for (const announcements of [...overrides, {}]) {
      await setVisibility(server.current, { announcements });
      await storeEvents(server.current, [buildBroadcast(JSON.stringify(announcements))]);
      await flushStream(server.current, client);
    }
    expect(textsOf(client)).toEqual(["{}", "marker", "marker", "marker", "marker", "{}", "marker"]);
  });

  it("removes a field from payloads when the access level in its rule is raised", async () => {
    const client = await followLiveStream(server.current, "public");
    const board = { kind: "presence.online", payload: samples["presence.online"] };
    await setVisibility(server.current, { presence: { fieldRules: { byRegion: "staff" } } });
    const [id] = await storeEvents(server.current, [board]);
    await client.waitFor((block) => block.id === id);
    await setVisibility(server.current, {});
    expect(eventsOf(client)).toEqual([
      blockOf(id, "presence.online", { count: 3, facets: { Malas: 2, Felucca: 1 } }),
    ]);
  });

  it("refuses a page of a foreign origin that sends a visitor's cookie", async () => {
    const headers = await createCallerHeaders(server.current, "logged_in");
    const foreign = { ...headers, origin: "https://evil.example" };
    const response = await fetch(server.current.url + paths.public, { headers: foreign });
    expect(response.status).toBe(403);
    expect(await response.json()).toEqual({ error: "Cross-site request refused" });
    const own = { ...headers, origin: "http://localhost:3000" };
    const client = await followLiveStream(server.current, "public", { headers: own });
    expect(client.headers["access-control-allow-origin"]).toBe("http://localhost:3000");
  });

  it("delivers an event whose notification was lost", async () => {
    const quick = await startAnother({
      database: server.current.database,
      streams: { pollMs: 20 },
    });
    const client = await followLiveStream(quick, "public");
    await flushStream(quick, client);
    const [id] = await storeEvents(quick, [buildBroadcast("unannounced")], false);
    await client.waitFor((block) => block.id === id);
    expect(textsOf(client)).toEqual(["marker", "unannounced"]);
  });

  it("delivers events that were stored while its LISTEN connection was lost", async () => {
    const waiting = await startAnother({
      database: server.current.database,
      streams: { pollMs: 3_600_000 },
    });
    const client = await followLiveStream(waiting, "public");
    await flushStream(waiting, client);
    const [id] = await storeEvents(waiting, [buildBroadcast("unheard")], false);
    await waiting.context.sequelize.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = 'guildhall listen' and datname = current_database()`,
    );
    await client.waitFor((block) => block.id === id);
    await flushStream(waiting, client);
    expect(textsOf(client)).toEqual(["marker", "unheard", "marker"]);
  });
});
