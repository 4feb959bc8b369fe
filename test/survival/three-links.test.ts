import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { sourceNameOf } from "../../shared/survival/server-locks.ts";
import { startConsole } from "../simulator/console/console-simulator.ts";
import { startSurvivalSimulator } from "../simulator/survival/simulator.ts";
import { smallWorld } from "../simulator/survival/world/sizes.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { callRoute } from "../support/http/call.ts";
import { callAsPlugin } from "../support/plugin/plugin-link.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";
import { startSurvivalIngest } from "../support/survival/survival-ingest.ts";
import { type CallerName, callers, signInCallers } from "./stream-servers.ts";

interface Player {
  readonly steamId: string;
  readonly name: string;
}

/** A simulated game and the id of its server on the site. */
interface LinkedGame {
  readonly serverId: number;
  readonly join: (player: Player) => void;
  readonly leave: (player: Player) => void;
  readonly chat: (player: Player, message: string) => void;
  readonly kill: (victim: Player, killer: Player) => void;
  /** Starts the game again without players, with the same world or with a new one. */
  readonly restart: (how: { readonly wipe: boolean }) => Promise<void>;
  readonly stop: () => Promise<unknown>;
}

let server: TestServer;
let ingest: { stop(): Promise<void> };
let headers: Awaited<ReturnType<typeof signInCallers>>;
let games: readonly LinkedGame[] = [];

const anna: Player = { steamId: "76561198000000001", name: "Anna" };
const bert: Player = { steamId: "76561198000000002", name: "Bert" };

beforeAll(async () => {
  server = await startTestServer({ environment: { SURVIVAL_DEBOUNCE: "0s" } });
  headers = await signInCallers(server);
  ingest = await startSurvivalIngest(server.context);
  games = [
    await startModdedGame("sidecar"),
    await startModdedGame("plugin"),
    await startConsoleGame(),
  ];
});
afterAll(async () => {
  await Promise.all(games.map((game) => game.stop()));
  await ingest?.stop();
  await server?.stop();
});

/** Links a game as an administrator does. @returns the id of its server */
async function link(kind: string, fields: object): Promise<number> {
  const body = { name: kind, kind, enabled: true, listed: true, ...fields };
  const made = await callRoute(server, "POST /admin/survival/servers", {
    headers: headers.admin,
    body,
  });
  if (made.status !== 201) throw new Error(made.text);
  return (made.body as { server: { id: number } }).server.id;
}

/** Starts a game whose mod calls the site, or whose sidecar the site calls. */
async function startModdedGame(kind: "sidecar" | "plugin"): Promise<LinkedGame> {
  const simulator = await startSurvivalSimulator({
    world: { ...smallWorld, online: 0 },
    ticking: false,
  });
  const { baseUrl, wsUrl, token, world, game } = simulator;
  for (const { steamId, name } of [anna, bert]) {
    const [known] = world.players.values();
    if (!known) throw new Error("the simulated world has no players");
    world.players.set(steamId, { ...known, steamId, name, connectedAt: null });
  }
  const serverId = await link(kind, kind === "sidecar" ? { baseUrl, wsUrl, token } : {});
  if (kind === "plugin") {
    const site = { source: sourceNameOf(serverId), game: "rust", protocol: 13 } as const;
    await callAsPlugin({ baseUrl, wsUrl, token }, site, server.context);
  }
  const tellPlayers = () => game.emit("server.status", game.statusFacts());
  return {
    serverId,
    join: ({ steamId }) => {
      simulator.turn({ turn: "join", steamId });
      tellPlayers();
    },
    leave: ({ steamId }) => {
      simulator.turn({ turn: "leave", steamId });
      tellPlayers();
    },
    chat: ({ steamId }, message) => simulator.turn({ turn: "chat", steamId, message }),
    kill: (victim, killer) => {
      simulator.turn({ turn: "die", steamId: victim.steamId, by: killer.steamId });
    },
    restart: async ({ wipe }) => {
      if (wipe) simulator.turn({ turn: "wipe" });
      else game.load(world.save);
      tellPlayers();
    },
    stop: () => simulator.stop(),
  };
}

/** Starts a game without mods, to whose console the site connects. */
async function startConsoleGame(): Promise<LinkedGame> {
  const game = await startConsole();
  const { port: rconPort, password: rconPassword } = game;
  const serverId = await link("webrcon", { rconHost: "127.0.0.1", rconPort, rconPassword });
  return {
    serverId,
    join: ({ steamId, name }) => game.join(steamId, name),
    leave: ({ steamId }) => game.leave(steamId),
    chat: ({ steamId }, message) => game.chat(steamId, message),
    kill: (victim, killer) =>
      game.log(`${victim.name}[${victim.steamId}] was killed by ${killer.name}[${killer.steamId}]`),
    restart: async (how) => {
      await game.close();
      game.world.restart(how);
      await game.open();
    },
    stop: () => game.close(),
  };
}

interface View {
  readonly server: { readonly online: boolean; readonly players: number | null };
  readonly online: { readonly hidden: boolean; readonly count: number; readonly names: string[] };
  readonly feed: readonly string[];
  readonly worlds: readonly { readonly peak: number; readonly isOver: boolean }[];
}

/** Reads the data of a server that a caller sees, without ids and times. */
async function viewOf({ serverId }: LinkedGame, caller: CallerName): Promise<View> {
  const read = async <Body>(path: string): Promise<Body> => {
    const route = `GET /public/survival/servers/${serverId}${path}`;
    return (await callRoute(server, route, { headers: headers[caller] })).body as Body;
  };
  const { server: shown } = await read<Pick<View, "server">>("");
  const present = await read<{ players: Player[]; hidden: boolean; count: number }>("/online");
  const { events } = await read<{ events: { text: string }[] }>("/feed");
  const { wipes } = await read<{ wipes: { peak: number; endedAt: string | null }[] }>("/wipes");
  return {
    server: { online: shown.online, players: shown.players },
    online: {
      hidden: present.hidden,
      count: present.count,
      names: present.players.map(({ name }) => name).toSorted(),
    },
    feed: events.map(({ text }) => text).toReversed(),
    worlds: wipes.map(({ peak, endedAt }) => ({ peak, isOver: endedAt !== null })),
  };
}

/** Waits until `holds` returns true for an administrator's view of each game. */
async function untilEachShows(what: string, holds: (view: View) => boolean): Promise<void> {
  for (const game of games) {
    let view: View | undefined;
    await waitUntil(
      () => `${what}; server ${game.serverId} shows ${JSON.stringify(view)}`,
      async () => {
        view = await viewOf(game, "admin");
        return holds(view);
      },
    );
  }
}

/** Requires that each caller sees equal data of all three games. @returns the views by caller */
async function requireSameViews(): Promise<Readonly<Record<CallerName, View>>> {
  const views: [CallerName, View][] = [];
  for (const caller of callers) {
    const [first, ...others] = await Promise.all(games.map((game) => viewOf(game, caller)));
    if (!first) throw new Error("there is no game");
    for (const other of others) expect([caller, other]).toEqual([caller, first]);
    views.push([caller, first]);
  }
  return Object.fromEntries(views) as Record<CallerName, View>;
}

describe("a sidecar, a plugin and a console on one site", () => {
  it("show each audience the same players, the same feed and the same world", async () => {
    await untilEachShows("the server is online", ({ server: { online } }) => online);
    for (const game of games) game.join(anna);
    await untilEachShows("Anna has joined", ({ feed }) => feed.length === 1);
    for (const game of games) game.join(bert);
    await untilEachShows(
      "two players are online",
      ({ online, server: shown }) => online.count === 2 && shown.players === 2,
    );
    for (const game of games) {
      game.chat(anna, "gg");
      game.kill(bert, anna);
    }
    await untilEachShows("four events", ({ feed }) => feed.length === 4);
    const views = await requireSameViews();
    expect(views.admin).toEqual({
      server: { online: true, players: 2 },
      online: { hidden: false, count: 2, names: ["Anna", "Bert"] },
      feed: ["Anna joined.", "Bert joined.", "Anna: gg", "Bert was killed by Anna."],
      worlds: [{ peak: 2, isOver: false }],
    });
    expect(views.anonymous.online).toEqual({ hidden: true, count: 2, names: [] });
  });

  it("keep the figures of the world while players leave and the game restarts", async () => {
    for (const game of games) game.leave(bert);
    await untilEachShows("Bert has left", ({ online }) => online.count === 1);
    for (const game of games) await game.restart({ wipe: false });
    await untilEachShows("nobody is online", ({ server: { players } }) => players === 0);
    const { admin } = await requireSameViews();
    expect(admin.worlds).toEqual([{ peak: 2, isOver: false }]);
    expect(admin.feed).toContain("Bert was killed by Anna.");
  });

  it("end the world at a wipe, keep its figures, and begin a new one", async () => {
    for (const game of games) await game.restart({ wipe: true });
    await untilEachShows("the second world", ({ worlds }) => worlds.length === 2);
    for (const game of games) game.join(anna);
    await untilEachShows("one player", ({ server: { players } }) => players === 1);
    const { admin } = await requireSameViews();
    expect(admin.worlds).toEqual([
      { peak: 1, isOver: false },
      { peak: 2, isOver: true },
    ]);
  });
});
