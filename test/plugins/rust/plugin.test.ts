import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { inTransaction } from "../../../shared/platform/db/transaction.ts";
import { grantKits } from "../../../shared/survival/rewards/entitlements.ts";
import { sourceNameOf } from "../../../shared/survival/server-locks.ts";
import { type SignedIn, signIn } from "../../support/accounts/sign-in.ts";
import { waitUntil } from "../../support/clock/wait.ts";
import { query } from "../../support/database/query.ts";
import { storedRows } from "../../support/database/stored-rows.ts";
import { type ApiAnswer, callRoute } from "../../support/http/call.ts";
import { startTestServer, type TestServer } from "../../support/service/server.ts";
import { startTestWorker, type TestWorker } from "../../support/service/worker.ts";
import { startSurvivalIngest } from "../../support/survival/survival-ingest.ts";
import { compileGame, newFolder, removeFolder, RustGame, SiteForwarder } from "./rust-game.ts";

const anna = "76561198000000001";
const bert = "76561198000000002";
const clara = "76561198000000003";
const firstSave = 1_764_158_400_000;
const secondSave = firstSave + 14 * 86_400_000;

let folder: string;
let program: string;
let server: TestServer;
let ingest: { stop(): Promise<void> };
let worker: TestWorker;
let forwarder: SiteForwarder;
let admin: SignedIn;
let player: SignedIn;
let game: RustGame;
let id: number;
let setup: string;

const startGame = (saveId = firstSave): RustGame =>
  new RustGame({ program, folder: path.join(folder, "server"), saveId, minuteMs: 3_000 });

beforeAll(async () => {
  folder = newFolder();
  program = compileGame(folder);
  server = await startTestServer({ environment: { SURVIVAL_DEBOUNCE: "0s" } });
  ingest = await startSurvivalIngest(server.context);
  worker = await startTestWorker(server, ["events", "imports"], { everySeconds: 0.5 });
  forwarder = new SiteForwarder(server.url);
  await forwarder.open();
  admin = await signIn(server, { role: "admin" });
  player = await signIn(server, { role: "player" });
  game = startGame();
});
afterAll(async () => {
  await game.kill();
  await forwarder.close();
  await worker.stop();
  await ingest.stop();
  await server.stop();
  removeFolder(folder);
});

const as = (route: string, body?: object, { headers } = admin): Promise<ApiAnswer> =>
  callRoute(server, route, { headers, ...(body && { body }) });

async function read<T>(route: string, user = admin): Promise<T> {
  const { status, body, text } = await as(`GET ${route}`, undefined, user);
  if (status !== 200) throw new Error(text);
  return body as T;
}

type Payload = Readonly<Record<string, unknown>>;

/** Returns the payloads of the stored events of a kind, in the order of the game. */
async function payloadsOf(kind: string): Promise<Payload[]> {
  const found = await storedRows(server.context.models.SurvivalEvent, ["payload"], { kind });
  return found.map(({ payload }) => payload as Payload);
}

/** Waits until the site has stored this number of events of a kind. @returns their payloads */
async function stored(kind: string, count = 1): Promise<Payload[]> {
  await waitUntil(
    `${count} ${kind} are stored`,
    async () => (await payloadsOf(kind)).length >= count,
  );
  const found = await payloadsOf(kind);
  expect(found).toHaveLength(count);
  return found;
}

interface PublicServer {
  readonly online: boolean;
  readonly players: number | null;
  readonly framework: string;
}

const publicServer = async () => {
  const at = `/public/survival/servers/${id}`;
  return (await read<{ server: PublicServer }>(at)).server;
};
const isOnline = async () => (await publicServer()).online;

const onlineNames = async () => {
  const { players } = await read<{ players: { name: string }[] }>(
    `/public/survival/servers/${id}/online`,
  );
  return players.map(({ name }) => name).toSorted();
};

/** Sends a moderation command. @returns "done" or the error code */
async function moderate(verb: "kick" | "ban" | "unban", body: object): Promise<string | null> {
  const { status, headers } = await as(`POST /admin/survival/servers/${id}/${verb}`, body);
  return status === 200 ? "done" : headers.get("x-error-code");
}

interface Ban {
  readonly steamId: string;
  readonly expiresAt: string | null;
}

const bans = async (): Promise<readonly Ban[]> =>
  (await read<{ bans: Ban[] }>(`/admin/survival/servers/${id}/bans`)).bans;

// These tests depend on their order: each continues with the game of the test before.
describe("the Rust plugin, linked to a running site", () => {
  it("is online on the site after the setup command", async () => {
    const made = await as("POST /admin/survival/servers", {
      name: "Emberfall",
      kind: "plugin",
      enabled: true,
      listed: true,
    });
    expect(made.status).toBe(201);
    ({ id } = (made.body as { server: { id: number } }).server);
    const key = await as(`POST /admin/survival/servers/${id}/plugin-key`, {});
    expect(key.status).toBe(201);
    setup = `guildhall.setup ${forwarder.url}/api/v1/plugin ${(key.body as { key: string }).key}`;
    await game.says("Not set up. Create a key on the site");
    await game.play("console", "guildhall.setup somewhere wrong");
    await game.says("reply: The key must begin with ghk_");
    await game.play("console", setup);
    await game.says("Linked to 127.0.0.1");
    await waitUntil("the server is online", isOnline);
    expect(await publicServer()).toMatchObject({ framework: "oxide", players: 0 });
    await game.play("status");
    await game.says("No action is needed.");
  });

  it("reports joins and leaves, and the list of online players", async () => {
    await game.play("join", anna, "Anna");
    await game.play("join", bert, "Bert");
    await game.play("join", clara, "Clara");
    await game.play("leave", clara, "disconnect");
    await waitUntil("two players are online", async () => (await onlineNames()).length === 2);
    expect(await onlineNames()).toEqual(["Anna", "Bert"]);
    const [left] = await stored("player.left");
    expect(left).toMatchObject({ steamId: clara, reason: "disconnect" });
    expect(await stored("player.joined", 3)).toHaveLength(3);
  });

  it("reports chat of the global channel only", async () => {
    await game.play("chat", anna, "Team", "we raid at nine");
    await game.play("chat", anna, "Clan", "and bring rockets");
    await game.play("chat", anna, "Global", 'gg "quoted" \\ ünï');
    const told = await stored("player.chat");
    expect(told).toMatchObject([
      { steamId: anna, name: "Anna", channel: "global", message: 'gg "quoted" \\ ünï' },
    ]);
  });

  it("reports deaths with their killers, and counts them", async () => {
    await game.play("kill", anna, bert, "rifle.ak", "headshot");
    await game.play("killed-by", bert, "bear");
    await game.play("killed-by", bert, "none");
    await game.play("npc", anna, "forest-boss");
    const deaths = await stored("player.died", 3);
    expect(deaths[0]).toMatchObject({
      victim: { steamId: bert },
      killer: { kind: "player", steamId: anna, name: "Anna" },
      weapon: "rifle.ak",
      distance: 82.5,
      headshot: true,
      sleeping: false,
    });
    expect(deaths.slice(1).map(({ killer }) => (killer as { kind: string }).kind)).toEqual([
      "animal",
      "environment",
    ]);
    const [npc] = await stored("survival.npc.died");
    expect(npc).toMatchObject({ profile: "forest-boss", killer: { steamId: anna } });
    await game.play("gather", anna, "500");
    await game.play("reload-plugin");
    const leader = async (stat: string) => {
      interface Board {
        readonly entries: readonly { readonly steamId: string; readonly value: number }[];
      }
      const at = `/public/survival/servers/${id}/leaderboard?stat=${stat}`;
      const [first] = (await read<Board>(at)).entries;
      return first && [first.steamId, first.value];
    };
    await waitUntil(
      "the statistics are stored, after a reload of the plugin",
      async () => (await leader("woodGathered")) !== undefined,
    );
    expect(await leader("woodGathered")).toEqual([anna, 500]);
    for (const stat of ["playersKilled", "headshots", "npcKills"]) {
      expect(await leader(stat)).toEqual([anna, 1]);
    }
  });

  it("reports players' reports about others to staff", async () => {
    await game.play("report", anna, bert, "Bert", "cheating", "walks through walls");
    expect(await stored("player.reported")).toMatchObject([
      { reporter: { steamId: anna }, target: { steamId: bert }, subject: "cheating" },
    ]);
  });

  it("links a Steam account with a code that is valid once", async () => {
    await game.play("say", bert, "/link");
    const said = await game.says(`told ${bert}: Your code: `);
    const code = /Your code: (\w+)\./.exec(said)?.[1] ?? "";
    await waitUntil("the site accepts the code", async () => {
      const { status } = await as("POST /player/survival/link", { code }, player);
      return status < 300;
    });
    const { links } = await read<{ links: { steamId: string }[] }>("/player/survival/link", player);
    expect(links).toMatchObject([{ steamId: bert }]);
    expect((await as("POST /player/survival/link", { code }, admin)).status).toBe(400);
  });

  it("sends the map's picture and monuments, and renders the picture once for each world", async () => {
    interface Map {
      readonly image: { readonly hash: string } | null;
      readonly monuments: readonly object[];
    }
    const at = `/public/survival/servers/${id}/map`;
    await waitUntil("the site has the picture", async () => (await read<Map>(at)).image !== null);
    const map = await read<Map>(at);
    expect(map.monuments).toMatchObject([{ label: "The Dome" }]);
    const picture = await as(`GET ${at}/image?hash=${map.image?.hash}`);
    expect([picture.status, picture.headers.get("content-type")]).toEqual([200, "image/jpeg"]);
    // After the reload, the plugin read the picture from its file and did not render it again.
    expect(game.with("rendered ")).toHaveLength(1);
  });

  it("applies the permissions of the site, and reports changes in the game as drift", async () => {
    const base = "/admin/survival/permissions";
    await game.play("permission", "kits.vip");
    await game.play("permission", "vanish.use");
    const vip = { name: "vip", title: "VIP", rank: 3, permissions: ["kits.vip"] };
    expect((await as(`POST ${base}/groups`, vip)).status).toBe(201);
    const membership = { kind: "membership", steamId: anna, value: "vip" };
    expect((await as(`POST ${base}/grants`, membership)).status).toBe(201);
    await waitUntil("the game has the group and the member", async () => {
      await game.play("user", anna);
      await game.play("groups");
      const users = game.with(`user ${anna}:`).at(-1) ?? "";
      const groups = game.with("group vip:").at(-1) ?? "";
      return users.endsWith("default,vip") && groups === "group vip: VIP | kits.vip";
    });
    await game.play("grant", bert, "vanish.use");
    interface Report {
      readonly drift: { readonly extra: readonly object[]; readonly missing: readonly object[] };
    }
    const report = () => read<Report>(`${base}/inventory/${id}`);
    await waitUntil("the drift is reported", async () => (await report()).drift.extra.length > 0);
    expect((await report()).drift).toMatchObject({
      extra: [{ subjectKind: "user", subject: bert, kind: "permission", value: "vanish.use" }],
      missing: [],
    });
  });

  it("offers features that need a mod only while the mod is loaded", async () => {
    const kits = async () => {
      const [state] = await storedRows(server.context.models.SurvivalServerState, ["hello"]);
      const { capabilities } = (state?.hello ?? {}) as { capabilities?: readonly string[] };
      return capabilities?.includes("kits") ?? false;
    };
    expect(await kits()).toBe(false);
    for (const name of ["Kits", "ZoneManager", "BetterChat", "Clans"]) await game.play("mod", name);
    await waitUntil("the mods are known", kits);
    expect((await stored("plugin.loaded", 4)).map(({ name }) => name)).toEqual([
      "Kits",
      "ZoneManager",
      "BetterChat",
      "Clans",
    ]);
    await game.play(
      "log",
      "Error while compiling Vanish: Vanish.cs(7,9): error CS1002: ; expected",
    );
    expect(await stored("plugin.failed")).toMatchObject([
      { name: "Vanish", errors: [{ line: 7, column: 9 }] },
    ]);
    await waitUntil("the clan is known", async () => {
      const { clans } = await read<{ clans: { name: string }[] }>(
        `/public/survival/servers/${id}/clans`,
      );
      return clans.some(({ name }) => name === "WLV");
    });
  });

  it("gives a kit to a player once, and reports that the player took it", async () => {
    await inTransaction(server.context.sequelize, (transaction) =>
      grantKits(
        {
          serverId: id,
          steamIds: [bert],
          kit: "starter",
          uses: 1,
          expiresAt: null,
          runId: null,
          stepId: null,
          key: "test:kit",
        },
        transaction,
        server.context,
      ),
    );
    await game.says(`told ${bert}: You may take the kit "starter".`);
    await game.play("say", bert, "/claim starter");
    await game.play("say", bert, "/claim starter");
    await game.says(`told ${bert}: There is no such kit for you.`);
    expect(game.with(`kit ${bert}: starter`)).toHaveLength(1);
    await waitUntil("the kit is redeemed on the site", async () => {
      const { kits } = await read<{ kits: { state: string }[] }>("/player/survival/kits", player);
      return kits[0]?.state === "redeemed";
    });
  });

  it("opens and closes a zone", async () => {
    const preset = {
      key: "arena",
      name: "Arena",
      shape: { kind: "sphere", radius: 75 },
      flags: ["NoBuild"],
    };
    expect((await as("POST /admin/survival/zones/presets", preset)).status).toBe(201);
    const opened = await as("POST /admin/survival/zones/open", {
      serverId: id,
      presetKey: "arena",
      at: { x: 10, y: 2, z: -20 },
      durationSec: 600,
    });
    expect(opened.status).toBeLessThan(300);
    const { leaseId } = (opened.body as { lease: { leaseId: string } }).lease;
    const zone = await game.says(`zone site-${leaseId}: `);
    expect(zone).toBe(`zone site-${leaseId}: name Arena radius 75 NoBuild true @ 10 -20`);
    expect((await as(`POST /admin/survival/zones/leases/${leaseId}/close`)).status).toBe(200);
    await game.says(`no zone site-${leaseId}`);
  });

  it("shows an announcement to the players, as text without markup", async () => {
    const message = 'The <b>gate</b> opens; "now"';
    const sent = await as("POST /admin/survival/announce", { serverIds: [id], message });
    expect(sent.body).toMatchObject({ results: [{ serverId: id, status: "sent" }] });
    const sentLine = await game.says(`sent ${anna}: chat.add`);
    expect(sentLine).toContain('The ‹b›gate‹/b› opens; "now"');
    expect(game.with("sent ")).toHaveLength(2);
  });

  it("writes a configuration, and restores the file if the plugin does not load", async () => {
    const file = path.join(folder, "server/config/Kits.json");
    const before = '{ "Use UI": true }';
    writeFileSync(file, before);
    const at = `/admin/survival/config/${id}`;
    const listed = await read<{ files: { plugin: string; editable: boolean }[] }>(at);
    expect(listed.files).toMatchObject([
      { plugin: "Guildhall", editable: false },
      { plugin: "Kits", editable: true },
    ]);
    const write = async (text: string, base: string) => {
      const baseHash = createHash("sha256").update(base).digest("hex");
      const { status, body } = await as(`PUT ${at}/files/Kits`, { text, baseHash });
      expect(status).toBe(202);
      const { writeId } = body as { writeId: string };
      const view = async () =>
        (
          await read<{ write: { state: string; outcome: string | null } }>(
            `${at}/writes/${writeId}`,
          )
        ).write;
      await waitUntil("the write has an outcome", async () => (await view()).outcome !== null);
      return (await view()).outcome;
    };
    const after = '{ "Use UI": false }';
    expect(await write(after, before)).toBe("ok");
    expect(readFileSync(file, "utf8")).toBe(after);
    expect(await write('{ "Use UI": "broken" }', after)).toBe("rolled-back");
    expect(readFileSync(file, "utf8")).toBe(after);
    const stale = { text: "{}", baseHash: createHash("sha256").update("old").digest("hex") };
    expect((await as(`PUT ${at}/files/Kits`, stale)).status).toBe(409);
    expect((await as(`PUT ${at}/files/Guildhall`, stale)).status).toBeGreaterThan(399);
  });

  it("kicks, bans and unbans, and lists the bans", async () => {
    expect(await moderate("kick", { steamId: clara, reason: "afk" })).toBe("unknown_to_shard");
    expect(await moderate("ban", { steamId: bert, reason: "walls", durationSec: 3_600 })).toBe(
      "done",
    );
    await game.says(`kicked ${bert}: walls`);
    expect(await moderate("ban", { steamId: bert, reason: "again" })).toBe("player_already_banned");
    expect(await bans()).toEqual([
      { steamId: bert, name: "Bert", reason: "walls", expiresAt: expect.any(String) },
    ]);
    expect(await moderate("unban", { steamId: bert })).toBe("done");
    expect(await moderate("unban", { steamId: bert })).toBe("unknown_to_shard");
    expect(await bans()).toEqual([]);
    expect(await moderate("kick", { steamId: anna, reason: 'a "quoted"\nreason' })).toBe("done");
    await game.says(`kicked ${anna}: a "quoted" reason`);
    await waitUntil("nobody is online", async () => (await onlineNames()).length === 0);
  });

  it("keeps events while the link is disabled on the site, and sends them afterwards", async () => {
    await game.play("join", anna, "Anna");
    await waitUntil("Anna is online", async () => (await onlineNames()).length === 1);
    const disabled = await as(`PUT /admin/survival/servers/${id}`, { enabled: false });
    expect(disabled.status).toBe(200);
    await game.play("chat", anna, "Global", "is anybody there");
    await game.says("The link is disabled on the site.");
    await game.play("flood", anna, "100");
    expect((await as(`PUT /admin/survival/servers/${id}`, { enabled: true })).status).toBe(200);
    const count = async () => (await payloadsOf("player.chat")).length;
    await waitUntil("the kept messages are stored", async () => (await count()) === 102);
  });

  it("continues after a crash and a wipe of the game, and repeats no event", async () => {
    await game.kill();
    game = startGame();
    await game.says("Linked to 127.0.0.1");
    await waitUntil("nobody is online", async () => (await onlineNames()).length === 0);
    expect(await payloadsOf("world.wiped")).toEqual([]);
    await game.kill();
    game = startGame(secondSave);
    await game.says("Linked to 127.0.0.1");
    expect(await stored("world.wiped")).toMatchObject([
      { saveId: secondSave, previousSaveId: firstSave, blueprints: "unknown" },
    ]);
    await waitUntil("the site lists both worlds", async () => {
      const { wipes } = await read<{ wipes: object[] }>(`/public/survival/servers/${id}/wipes`);
      return wipes.length === 2;
    });
    await game.says("rendered ");
    expect(game.with("rendered ")).toHaveLength(1);
  });

  it("keeps 20,000 events while the site is unreachable, and reports dropped events as a gap", async () => {
    const countGaps = async () => {
      const [row] = await query<{ gaps: string }>(
        server,
        "select gaps from ingest_sources where source = $1",
        sourceNameOf(id),
      );
      return Number(row?.gaps);
    };
    await game.play("join", bert, "Bert");
    await waitUntil("Bert is online", async () => (await onlineNames()).length === 1);
    const before = await countGaps();
    await forwarder.close();
    await game.says("No answer from 127.0.0.1");
    await game.play("chat", bert, "Global", "this message is lost");
    await game.play("flood", bert, "20000");
    await game.play("leave", bert, "disconnect");
    await forwarder.open();
    await waitUntil("the gap is counted", async () => (await countGaps()) > before);
    await waitUntil("nobody is online", async () => (await onlineNames()).length === 0);
    const last = await payloadsOf("player.chat");
    expect(last.at(-1)).toMatchObject({ message: "line 19999" });
    expect(last.filter(({ message }) => message === "this message is lost")).toEqual([]);
  });

  it("keeps running after an error in a hook", async () => {
    await game.play("throw");
    await game.play("join", anna, "Anna");
    await waitUntil("Anna is online", async () => (await onlineNames()).length === 1);
    expect(game.with('An error in "plugin loaded"')).toHaveLength(1);
    await game.play("shutdown");
    await waitUntil("the server is offline", async () => !(await isOnline()));
  });
});
