import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { routes } from "../../api/routes.ts";
import { readFrame } from "../../shared/platform/bridge/frame.ts";
import type { StreamFrame } from "../../shared/platform/bridge/frames.ts";
import { survivalFrameKinds } from "../../shared/survival/kinds/kinds.ts";
import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { unlimited } from "../support/accounts/unlimited.ts";
import { storedRows } from "../support/database/stored-rows.ts";
import { buildSurvivalServer } from "../support/factories/survival.ts";
import { callRoute } from "../support/http/call.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";
import { storeSurvivalFrames } from "../support/survival/survival-ingest.ts";

let server: TestServer;
let admin: SignedIn;
let hostile: number;
let peaceful: number;

beforeAll(async () => {
  server = await startTestServer({ environment: unlimited });
  admin = await signIn(server, { role: "admin" });
  hostile = (await buildSurvivalServer(server, { enabled: true })).id;
  peaceful = (await buildSurvivalServer(server, { enabled: true })).id;
});
afterAll(() => server.stop());

/** The part of a Joi description that is needed to build a payload. */
interface Described {
  readonly type?: string;
  readonly keys?: Readonly<Record<string, Described>>;
  readonly items?: readonly Described[];
  readonly allow?: readonly unknown[];
  readonly flags?: { readonly only?: boolean };
  readonly matches?: readonly { readonly schema: Described }[];
}

const saveId = Date.UTC(2026, 0, 1, 19);
const steamId = "76561198000000001";
const named: Readonly<Record<string, unknown>> = {
  saveId,
  steamId,
  imageHash: "0".repeat(64),
  hash: "0".repeat(64),
  grid: "A1",
  netId: "1",
  clanId: "1",
  created: "1",
  score: "1",
};

/** Returns a valid payload for a schema. */
function sampleOf({ type, keys, items, allow, flags, matches }: Described): unknown {
  if (flags?.only) return allow?.find((value) => value !== null);
  const [match] = matches ?? [];
  if (match) return sampleOf(match.schema);
  if (type === "object") {
    const fields = Object.entries(keys ?? {});
    return Object.fromEntries(fields.map(([key, field]) => [key, named[key] ?? sampleOf(field)]));
  }
  if (type === "array") return items?.map((item) => sampleOf(item));
  return { number: 1, boolean: true, string: steamId }[type ?? ""];
}

type Path = readonly (string | number)[];

/** Returns the paths of all parts of a payload. The first path is that of the whole payload. */
const pathsIn = (value: unknown, path: Path = []): Path[] => [
  path,
  ...(typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([key, inner]) => pathsIn(inner, [...path, key]))
    : []),
];

/** Returns the JSON text of a payload in which one part is replaced by a text. */
function textWith(value: unknown, [step, ...rest]: Path, text: string): string {
  if (step === undefined) return text;
  const parts = Object.entries(value as object).map(([key, inner]) => {
    const said = key === step ? textWith(inner, rest, text) : JSON.stringify(inner);
    return Array.isArray(value) ? said : `${JSON.stringify(key)}:${said}`;
  });
  return Array.isArray(value) ? `[${parts.join()}]` : `{${parts.join()}}`;
}

const oddities: readonly string[] = [
  "null true -1 0 -0 0.5 1e22 1e308 1e999 -1e999 2147483647 2147483648 253402300800000".split(" "),
  '8640000000000000 9007199254740993 "99999999999999999999" "-99999999999999999999"'.split(" "),
  '"18446744073709551615" "76561197960265728" "" "a\\u0000b" "\\ud800" "\\u202e\\u200b"'.split(" "),
  '"__proto__" "constructor" "toString" {"__proto__":{"steamId":"1"}} [] {} [[[[]]]]'.split(" "),
  [`${"[".repeat(40)}${"]".repeat(40)}`, JSON.stringify("x".repeat(9_000))],
].flat();
const times = ["0", "1", "253402300800000", "9007199254740992", String(saveId)];

const epoch = "6f1c3c5e-0000-4000-8000-0000000000dd";
let lastSeq = 0;

function textOf(kind: string, payload: string, t = String(saveId + lastSeq)): string {
  lastSeq += 1;
  const envelope = { type: "event", epoch, seq: lastSeq, bootId: "boot", saveId, kind };
  return `${JSON.stringify(envelope).slice(0, -1)},"t":${t},"payload":${payload}}`;
}

const hear = (serverId: number, texts: readonly string[]) => {
  const frames = texts.map((text) => readFrame(text) as StreamFrame);
  return storeSurvivalFrames(server.context, serverId, frames);
};

const chat = (message: string) =>
  textOf("player.chat", JSON.stringify({ channel: "global", steamId, name: "Anna", message }));

describe("a survival server that sends invalid frames", () => {
  it.each(Object.keys(survivalFrameKinds))(
    "is still read after invalid values in every field of %s and invalid times",
    async (kind) => {
      const { payload } = survivalFrameKinds[kind as keyof typeof survivalFrameKinds];
      const sample = sampleOf(payload.describe());
      expect(payload.validate(sample).error).toBeUndefined();
      const fits = JSON.stringify(sample);
      const odd = pathsIn(sample).flatMap((path) =>
        oddities.map((text) => textOf(kind, textWith(sample, path, text))),
      );
      const texts = [...odd, ...times.map((t) => textOf(kind, fits, t)), textOf(kind, fits)];
      expect(await hear(hostile, texts)).toEqual({ epoch, seq: lastSeq });
    },
  );

  it("is still read after unknown kinds, broken envelopes and oversized frames", async () => {
    const kinds = "constructor hasownproperty valueof server.hello. __proto__ toString".split(" ");
    const texts = [...kinds, "x".repeat(64), "x".repeat(65), ""].map((kind) =>
      textOf(kind, '{"steamId":"76561198000000001"}'),
    );
    const large = textOf("player.online", `{"players":["${"x".repeat(300_000)}"]}`);
    const many = textOf("player.online", `{"players":[${Array(9_000).fill('{"a":{}}').join()}]}`);
    const open = textOf("player.chat", "{").slice(0, -1);
    await hear(hostile, [...texts, large, many, open, "[]", "7", '"event"', "null", "{}", ""]);
    expect(await hear(hostile, [chat("still here")])).toEqual({ epoch, seq: lastSeq });
    const { SurvivalEvent } = server.context.models;
    const stored = await storedRows(SurvivalEvent, ["payload"], { serverId: hostile });
    expect(stored.at(-1)?.payload["message"]).toBe("still here");
  });

  it("sends large undeclared fields, and only the declared fields of its frames are stored", async () => {
    const { id } = await buildSurvivalServer(server, { enabled: true });
    const more = (payload: object, newer: string) =>
      `${JSON.stringify(payload).slice(0, -1)},"newer":${newer}}`;
    const far = `[${Array(40_000).fill("1e308").join()}]`;
    const world = { saveCreatedAt: saveId };
    const hello = { serverName: "H", worldReady: true, world, helpers: [], capabilities: [] };
    const status = { state: "online", players: 1, maxPlayers: 2 };
    const map = { saveId, worldSize: 4_000, monuments: [{ label: "a", x: 1e20, z: 1 }] };
    const joined = { steamId, name: "Anna", connectedAt: 1 };
    const damage = (at: number) => ({ steamId: `765611980000${10_000 + at}`, damage: 1 });
    const contributors = Array.from({ length: 600 }, (_, at) => damage(at));
    const died = { netId: "1", profile: "boar", contributors };
    await hear(id, [
      textOf("server.hello", more(hello, far)),
      textOf("server.status", more(status, far)),
      textOf("map.info", more(map, far).replace("100000000000000000000", "1e308")),
      textOf("player.joined", more(joined, far)),
      textOf("player.joined", more(joined, "[1e308,-1e308,1e-308,1.5]")),
      textOf("survival.npc.died", JSON.stringify(died)),
    ]);
    const { SurvivalServerState, SurvivalEvent } = server.context.models;
    const states = ["hello", "status", "map"] as const;
    expect(await storedRows(SurvivalServerState, states, { serverId: id })).toEqual([
      { hello, status, map },
    ]);
    expect(await storedRows(SurvivalEvent, ["payload"], { serverId: id })).toEqual([
      { payload: joined },
      { payload: { ...joined, newer: [1e20, -1e20, 0, 1.5] } },
      { payload: { ...died, contributors: contributors.slice(0, 500) } },
    ]);
  });

  it("does not affect another server", async () => {
    expect(await hear(peaceful, [chat("all is well")])).toEqual({ epoch, seq: lastSeq });
    const { headers } = admin;
    const feed = `GET /public/survival/servers/${peaceful}/feed`;
    expect((await callRoute(server, feed, { headers })).body).toMatchObject({
      events: [{ payload: { message: "all is well" } }],
    });
  });

  /** Returns the status of a stream. Does not read its body, because a stream does not end. */
  const streamStatus = async (asked: string, headers: Readonly<Record<string, string>>) => {
    const given = await fetch(`${server.url}/api/v1${asked}`, { headers });
    await given.body?.cancel();
    return given.status;
  };

  /** Returns the status of an answer whose body agrees with the description of its route. */
  const answerStatus = async (asked: string, headers: Readonly<Record<string, string>>) =>
    (await callRoute(server, `GET ${asked}`, { headers })).status;

  const names: Readonly<Record<string, string>> = { steamId, plugin: "Kits" };
  const pages = routes
    .filter(({ method, path }) => method === "get" && path.includes("/survival/"))
    .map(({ path }) => path.replace("/api/v1", ""));

  it.each(pages)("causes no server error at the route %s", async (path) => {
    const asked = path.replaceAll(/:(\w+)/g, (_all, name: string) => names[name] ?? `${hostile}`);
    const statusOf = asked.endsWith("/stream") ? streamStatus : answerStatus;
    for (const headers of [{}, admin.headers]) {
      const status = await statusOf(asked, headers);
      // Some requests name an unknown server or object, so refusals are allowed.
      expect([200, 400, 401, 404, 502, 503]).toContain(status);
    }
  });
});
