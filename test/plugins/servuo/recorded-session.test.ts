import { readFileSync } from "node:fs";
import path from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { projectFolder } from "../../../jobs/commands/launch/script.ts";
import { kinds } from "../../../shared/shard/kinds/kinds.ts";
import { type SignedIn, signIn } from "../../support/accounts/sign-in.ts";
import { storedRows } from "../../support/database/stored-rows.ts";
import { callRoute } from "../../support/http/call.ts";
import { type Block, openStream, type StreamClient } from "../../support/http/event-stream.ts";
import { linkShardPlugin } from "../../support/plugin/linked-plugin.ts";
import { startTestServer, type TestServer } from "../../support/service/server.ts";
import { startTestIngest, type TestIngest } from "../../support/shard/ingest.ts";
import { type RecordedLine, SessionReplayer } from "./session-player.ts";

const linesOf = <Line>(name: string): Line[] =>
  readFileSync(path.join(projectFolder, "test/plugins/servuo", name), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);

/**
 * The calls of a plugin during ten minutes on ServUO 57.3, and the outcomes of the commands it got.
 * Players sign in, build, sell, fight and ask for help. A house collapses, and a champion spawn
 * ends.
 */
const session = linesOf<RecordedLine>("session.jsonl");

interface PublicLine {
  readonly kind: string;
  readonly payload: object;
  /** True if only signed-in users get this event. */
  readonly signedIn?: true;
}

/** The events that the public stream must contain after the session. */
const publicLines = linesOf<PublicLine>("session-public.jsonl");

let server: TestServer;
let ingest: TestIngest | undefined;
let admin: SignedIn;
let player: SignedIn;
let played: SessionReplayer;
let streams: Readonly<Record<"anonymous" | "signedIn" | "admin", StreamClient>>;

beforeAll(async () => {
  server = await startTestServer();
  admin = await signIn(server, { role: "admin" });
  player = await signIn(server);
  const plugin = await linkShardPlugin(server, admin);
  const body = { game_account_signup: true };
  await callRoute(server, "PUT /admin/settings", { headers: admin.headers, body });
  const stream = `${server.url}/api/v1/public/shard/stream`;
  streams = {
    anonymous: await openStream(stream),
    signedIn: await openStream(stream, player),
    admin: await openStream(`${server.url}/api/v1/admin/shardlink/stream`, admin),
  };
  ingest = await startTestIngest(server.context);
  played = new SessionReplayer({ server, plugin, admin, player }, session);
  await played.play();
  const isLast = ({ data }: Block) => kindOf(data) === "server.stopping";
  await Promise.all(Object.values(streams).map((client) => client.waitFor(isLast)));
});
afterAll(async () => {
  for (const client of Object.values(streams ?? {})) client.close();
  await ingest?.stop();
  await server.stop();
});

const kindOf = (data: unknown): string | undefined => (data as { kind?: string } | undefined)?.kind;

interface Streamed {
  readonly id: number;
  readonly kind: string;
  readonly t: number;
  readonly payload: object;
}

const eventsOf = ({ blocks }: StreamClient): Streamed[] =>
  blocks.map(({ data }) => data as Streamed).filter((data) => kindOf(data) !== undefined);

const read = async (route: string, by?: SignedIn): Promise<unknown> => {
  const { status, body } = await callRoute(server, `GET ${route}`, by && { headers: by.headers });
  expect(status).toBe(200);
  return body;
};

describe("a recorded session of the ServUO plugin", () => {
  it("gets the recorded answers and the recorded commands when it is replayed", () => {
    expect(played.differences).toEqual([]);
  });

  it("sends only events of known kinds, and no event is rejected", async () => {
    const unknown = played.sent.filter(({ kind }) => !Object.hasOwn(kinds, kind));
    expect(unknown).toEqual([]);
    const rejected = await storedRows(server.context.models.RejectedFrame, ["kind", "detail"]);
    expect(rejected).toEqual([]);
  });

  it("is stored event by event, as the plugin sent it", async () => {
    const stored = await storedRows(server.context.models.ShardEvent, ["kind", "payload"]);
    expect(stored).toEqual(played.sent.map(asStored));
  });

  it("produces the state of the shard that visitors read", async () => {
    expect(await read("/public/shard/status")).toEqual({
      enabled: true,
      status: "connected",
      pluginConnected: true,
      lastEventAt: expect.any(String),
      onlineCount: 2,
      economy: { accounts: 6, gold: 1_250_000, t: 1_795_973_493_604 },
    });
    expect(await read("/public/shard/presence")).toEqual({
      count: 2,
      facets: { Felucca: 1, Trammel: 1 },
      regions: { Britain: 2 },
    });
    expect(await read("/public/shard/online")).toEqual([{ serial: marisol, name: "Marisol" }]);
    expect(await read("/public/shard/houses")).toEqual([]);
    expect(await read("/public/shard/points")).toEqual([queensLoyalty]);
    expect(await read("/public/shard/ruleset")).toMatchObject({ expansion: "EJ", houseLimit: 1 });
  });

  it("produces the listings of a player's vendor", async () => {
    expect(await read("/public/shard/market?limit=3")).toEqual({
      listings: [
        { ...goods, serial: "0x40000AAD", itemId: 7154, hue: 0, amount: 60, cliloc: 1_027_154 },
        { ...goods, serial: "0x40000AAE", itemId: 7939, hue: 1153, amount: 1, cliloc: 1_027_939 },
        { ...goods, serial: "0x40000AAF", itemId: 5141, hue: 2219, amount: 1, cliloc: 1_053_099 },
      ],
      total: 9,
      limit: 3,
      offset: 0,
      vendors: 1,
      staleAt: expect.any(String),
    });
  });

  it("produces the data of the user who linked a game account", async () => {
    expect(await read("/player/shard/accounts", player)).toEqual([
      { account: "marisol", linkedAt: "2026-11-29T17:21:49.439Z" },
    ]);
    expect(await read("/player/shard/sales", player)).toEqual([
      {
        t: 1_795_973_164_601,
        itemType: "Katana",
        amount: 1,
        price: 999,
        commission: null,
        ownerAcct: "marisol",
      },
    ]);
    expect(await read(`/admin/users/${player.userId}/shard/standing`, admin)).toEqual({
      governorOf: ["Trinsic"],
      guildsLed: [{ guildId: 1, name: "Harbour Watch", abbr: "HW" }],
    });
    expect(await read("/admin/shard/houses", admin)).toEqual([heron]);
  });

  it("appears on the public stream, of which an anonymous visitor sees only a part", () => {
    const forAll = publicLines.filter(({ signedIn }) => !signedIn).map(withoutMembers);
    expect(eventsOf(streams.anonymous).map(bodyOf)).toEqual(forAll);
    expect(eventsOf(streams.signedIn).map(bodyOf)).toEqual(publicLines.map(bodyOf));
  });

  it("appears on the administrators' stream, except states that did not change", async () => {
    const stored = await storedRows(server.context.models.ShardEvent, ["id", "kind", "payload"]);
    const streamed = eventsOf(streams.admin);
    const ids = new Set(streamed.map(({ id }) => id));
    const [carried, silent] = [true, false].map((isCarried) =>
      stored.filter(({ id }) => ids.has(Number(id)) === isCarried),
    ) as [typeof stored, typeof stored];
    expect(streamed.map(bodyOf)).toEqual(carried.map(bodyOf));
    expect(countsOf(silent)).toEqual({ "presence.online": 10, "world.ruleset": 1 });
  });
});

const marisol = "0x00000075";

const queensLoyalty = {
  system: "QueensLoyalty",
  nameString: null,
  nameNumber: 1_095_163,
  maxPoints: 15_000,
  players: 1,
  showOnGump: true,
  t: 1_795_972_923_445,
  top: [{ rank: 1, serial: marisol, points: 800, name: "Marisol" }],
  updatedAt: expect.any(String),
};

const place = { map: "Trammel", x: 1520, y: 1750, z: 7, region: "Britain" };

/** The fields that all listings of the vendor share. */
const goods = {
  price: 999,
  name: null,
  displayName: null,
  child: false,
  vendor: {
    serial: "0x00000079",
    shopName: "Heron Wares",
    ownerSerial: marisol,
    ownerName: "Marisol",
    location: { ...place, house: "The Gilded Heron" },
    updatedAt: expect.any(String),
  },
};

const heron = {
  ...place,
  z: 0,
  serial: "0x40000A9F",
  stage: "Ageless",
  name: "The Gilded Heron",
  type: "SmallOldHouse",
  ownerSerial: marisol,
  ownerAcct: "marisol",
  price: 0,
  coOwners: 0,
  public: false,
  decayType: "AutoRefresh",
  builtOn: "2026-11-29T17:22:04.357Z",
  lastRefreshed: null,
  lastTraded: null,
  nextStageAt: null,
  isIdoc: false,
  updatedAt: expect.any(String),
};

/**
 * Returns an event as the site stores it. Markup is removed from names. The rows of a snapshot page
 * are stored in other tables, so the event contains their number.
 */
function asStored({ kind, payload }: Body): Body {
  const marked = '<b>a \\"bag\\"</b>';
  const text = JSON.stringify(payload).replaceAll(marked, marked.replaceAll(/<.*?>/g, ""));
  const stored = JSON.parse(text) as Body["payload"];
  const isPage = kind.endsWith(".snapshot.page");
  return { kind, payload: isPage ? { ...stored, rows: (stored["rows"] as []).length } : stored };
}

interface Body {
  readonly kind: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

const bodyOf = ({ kind, payload }: { kind: string; payload: object }) => ({ kind, payload });

/**
 * Returns the event as anonymous visitors get it. They see that the members of a guild changed, but
 * not which ones.
 */
function withoutMembers({ kind, payload }: PublicLine): { kind: string; payload: object } {
  if (kind !== "guild.joined" && kind !== "guild.left") return { kind, payload };
  const { serial: _serial, name: _name, ...rest } = payload as Body["payload"];
  return { kind, payload: rest };
}

function countsOf(events: readonly { kind: string }[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { kind } of events) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}
