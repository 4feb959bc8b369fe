import { Op } from "sequelize";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { SurvivalServer } from "../../models/survival/survival-server.ts";
import { inTransaction } from "../../shared/platform/db/transaction.ts";
import type { SurvivalNotification } from "../../shared/survival/kinds/notification.ts";
import {
  kitNotification,
  permissionNotification,
} from "../../shared/survival/notifications/makers.ts";
import { sendNotifications } from "../../shared/survival/notifications/send.ts";
import { sourceNameOf } from "../../shared/survival/server-locks.ts";
import type { SurvivalSimulator } from "../simulator/survival/simulator.ts";
import { createSurvivalSimulatorPool } from "../simulator/survival/starting.ts";
import { signIn } from "../support/accounts/sign-in.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { storedRows } from "../support/database/stored-rows.ts";
import { buildSurvivalServer } from "../support/factories/survival.ts";
import { changeUser } from "../support/factories/users.ts";
import { callRoute } from "../support/http/call.ts";
import { linksByPlugin } from "../support/plugin/plugin-link.ts";
import { type Follower, type PushSite, startPushSite } from "../support/push/push-site.ts";
import { startTestWorker, type TestWorker } from "../support/service/worker.ts";
import { linkSurvivalServer } from "../support/survival/linked-survival.ts";
import { storeSurvivalFrames, survivalFrame } from "../support/survival/survival-ingest.ts";
import { changeSurvivalVisibility } from "../support/survival/survival-visibility.ts";
import { startSurvivalWatch } from "../support/survival/survival-watch.ts";

const simulators = createSurvivalSimulatorPool();

let site: PushSite;
let worker: TestWorker;
let ingest: Awaited<ReturnType<typeof startSurvivalWatch>>;
let simulator: SurvivalSimulator;
let oak: SurvivalServer;
/** A player and a moderator, each with a device. */
let member: Follower;
let moderator: Follower;

beforeAll(async () => {
  site = await startPushSite({ environment: { SURVIVAL_OFFLINE_GRACE: "3s" } });
  worker = await startTestWorker(site.server, ["push"], { everySeconds: 0.5 });
  member = await site.follower(["survival.server", "survival.wipe", "survival.account"]);
  moderator = await site.follower(["survival.staff"], { role: "moderator" });
  simulator = await simulators.start({ clock: Date.now });
  oak = await linkSurvivalServer(site.server, simulator, { name: "Oak" });
  ingest = await startSurvivalWatch(site.server.context, online);
});
afterAll(async () => {
  await ingest.stop();
  await simulators.stopAll();
  await worker.stop();
  await site.stop();
});

const isOnline = async () => {
  const { body } = await callRoute(site.server, `GET /public/survival/servers/${oak.id}`);
  return (body as { server: { online: boolean } }).server.online;
};
const online = () => waitUntil("the server is online", isOnline);

let fallen = 0;

/**
 * Kills a boss and waits for its message, which goes to everybody. All earlier messages have
 * arrived then.
 */
async function marker(): Promise<void> {
  const before = member.device.received.length;
  fallen += 1;
  simulator.emit("survival.npc.died", {
    netId: String(9_000 + fallen),
    profile: "marker",
    boss: true,
    killer: { steamId: steamIdAt(0), name: "Anna" },
  });
  await waitUntil("the marker came", () =>
    member.device.payloads.slice(before).some((one) => isServer(one)),
  );
  await site.settled();
}

const isServer = (payload: unknown) => (payload as { stream: string }).stream === "survival.server";

const steamIdAt = (at: number): string => [...simulator.world.players.keys()][at] ?? "";

interface GateEventFields {
  readonly trigger: string;
  readonly eventKey: string;
  readonly variables: Record<string, unknown>;
}

/** Returns the events after this number for which runs can wait. Events of `marker` are left out. */
async function gateEventsSince(number: number): Promise<GateEventFields[]> {
  const { EventNews } = site.server.context.models;
  const all = await storedRows(EventNews, ["trigger", "eventKey", "variables"], {
    source: sourceNameOf(oak.id),
    number: { [Op.gt]: number },
  });
  return all.filter(({ variables }) => variables["profile"] !== "marker");
}

async function lastTold(): Promise<number> {
  const { EventNews } = site.server.context.models;
  return (await EventNews.findOne({ order: [["number", "desc"]] }))?.number ?? 0;
}

/** Returns the effects of `happens`: the events for which runs can wait, and the push messages. */
async function meanwhile(happens: () => Promise<void> | void) {
  const from = await lastTold();
  const [everybody, staff] = [member.device.received.length, moderator.device.received.length];
  await happens();
  await marker();
  return {
    told: await gateEventsSince(from),
    // Only count the messages: they may arrive in any order, and one of them belongs to the marker.
    everybody: member.device.payloads.slice(everybody).length - 1,
    wipes: member.device.payloads.slice(everybody).filter((one) => !isServer(one)),
    staff: moderator.device.payloads.slice(staff),
  };
}

const mapUrl = () => `/api/v1/public/survival/servers/${oak.id}/map`;
const here = () => ({ serverId: oak.id, serverName: "Oak" });
const nothing = { told: [], everybody: 0, wipes: [], staff: [] };
const ofServer = () => ({ stream: "survival.server", ref: `server:${oak.id}` });
const ofStaff = () => ({ stream: "survival.staff", ref: `server:${oak.id}` });

describe("a message about a survival server", () => {
  it("is not sent when ingest sees the server for the first time", async () => {
    expect(await meanwhile(() => undefined)).toEqual(nothing);
  });

  it("is sent to everybody for a dead boss, but only to triggers of event runs for another dead NPC", async () => {
    const grid = "P14";
    const died = { profile: "guard", boss: false, killer: null, grid, alive: 2, runId: 7 };
    const { told, everybody } = await meanwhile(() => {
      simulator.emit("survival.npc.died", { netId: "1", name: "Guard", ...died });
    });
    const { killer: _, ...variables } = died;
    expect(told).toEqual([
      {
        trigger: "survival.npc.died",
        eventKey: expect.stringMatching(/^key npcdied:/),
        variables: { ...here(), name: "Guard", news: "Guard died.", ...variables },
      },
    ]);
    expect(everybody).toBe(0);
    expect(member.device.payloads.at(-1)).toEqual(ofServer());
  });

  it("names no player unless everyone may see who is online", async () => {
    const [victim, by] = [steamIdAt(0), steamIdAt(1)];
    const happens = () => {
      simulator.turn({ turn: "die", steamId: victim, by, weapon: "rifle.ak", distance: 12 });
    };
    const plain = { ...here(), killerKind: "player", weapon: "rifle.ak", distance: 12 };
    const { told } = await meanwhile(happens);
    expect(told.map(({ trigger, variables }) => [trigger, variables])).toEqual([
      ["survival.player.died", { ...plain, news: "A player died." }],
    ]);
    await changeSurvivalVisibility(site.server, { presence: "anonymous" });
    const named = await meanwhile(happens);
    expect(named.told[0]?.variables).toEqual({
      ...plain,
      news: expect.stringMatching(/^.+ was killed by .+\.$/),
      victimName: expect.any(String),
      killerName: expect.any(String),
    });
    await changeSurvivalVisibility(site.server, { presence: null });
  });

  it("is sent only to triggers of event runs if the health of an NPC falls below a percentage step", async () => {
    const health = { health: 40, maxHealth: 100, percent: 40, step: 50 };
    const { told, everybody } = await meanwhile(() => {
      simulator.emit("survival.npc.health", { netId: "5", profile: "boss", ...health });
    });
    expect(told.map(({ variables }) => variables)).toEqual([
      { ...here(), profile: "boss", percent: 40, step: 50 },
    ]);
    expect(everybody).toBe(0);
  });

  it("is sent only to staff if the server is unlisted", async () => {
    await oak.update({ listed: false });
    const from = await lastTold();
    const before = moderator.device.received.length;
    simulator.emit("survival.npc.died", { netId: "77", profile: "x", boss: true, killer: null });
    simulator.turn({ turn: "unloadPlugin", name: "Kits" });
    await waitUntil("staff are told", () => moderator.device.received.length > before);
    expect(await gateEventsSince(from)).toEqual([]);
    await oak.update({ listed: true });
    expect(await meanwhile(() => undefined)).toEqual(nothing);
  });
});

describe("the leader in kills", () => {
  const tally = (at: number, playersKilled: number) => () => {
    simulator.turn({ turn: "tally", steamId: steamIdAt(at), stats: { playersKilled } });
  };

  it("is announced when a player overtakes all others, and not again while the lead grows", async () => {
    expect((await meanwhile(tally(0, 1_050))).everybody).toBe(1);
    expect(await meanwhile(tally(0, 1_051))).toEqual(nothing);
    expect(await meanwhile(tally(1, 1_051))).toEqual(nothing);
    expect(await meanwhile(tally(0, 1_052))).toEqual(nothing);
    const { told, everybody } = await meanwhile(tally(1, 1_053));
    expect(told).toEqual([
      {
        trigger: "survival.leader.kills",
        eventKey: `leader:${simulator.world.save.saveId}:${steamIdAt(1)}:1053`,
        variables: {
          ...here(),
          steamId: steamIdAt(1),
          playerName: expect.any(String),
          kills: 1_053,
          previousName: expect.any(String),
          news: expect.stringMatching(/^.+ leads with 1053 kills\.$/),
        },
      },
    ]);
    expect(everybody).toBe(1);
  });
});

/** Inserts a configuration write whose outcome is due in this many seconds. */
const buildWrite = (writeId: string, seconds: number) =>
  site.server.context.models.SurvivalConfigWrite.create({
    writeId,
    serverId: oak.id,
    plugin: "Kits",
    file: "Kits.json",
    settleBy: new Date(Date.now() + seconds * 1_000),
    beforeHash: "before",
    writtenHash: "written",
    requestHash: "request",
  });

describe("staff", () => {
  it("are notified once of each unloaded plugin, configuration outcome and expired lease", async () => {
    const outcome = { writeId: "w-1", plugin: "Kits", ok: false, phase: "load", rolledBack: true };
    const at = Date.now();
    await buildWrite("w-1", 60);
    const { told, everybody, staff } = await meanwhile(() => {
      simulator.turn({ turn: "loadPlugin", name: "Kits" });
      simulator.turn({ turn: "unloadPlugin", name: "Kits" });
      simulator.emit("config.outcome", outcome);
      simulator.emit("world.expired", { what: "zone", ref: "lease-1", reason: "boot", at });
      simulator.emit("lease.expired", { leaseId: "lease-1", what: "zone", ref: "site-lease-1" });
    });
    expect(told.map(({ trigger, variables }) => [trigger, variables])).toEqual([
      [
        "survival.plugin.unloaded",
        { ...here(), plugin: "Kits", version: expect.any(String), helper: true },
      ],
      [
        "survival.config.outcome",
        { ...here(), writeId: "w-1", plugin: "Kits", outcome: "rolled-back" },
      ],
      ["survival.world.expired", { ...here(), what: "zone", ref: "lease-1", reason: "boot" }],
    ]);
    expect(everybody).toBe(0);
    expect(staff).toEqual([ofStaff(), ofStaff(), ofStaff()]);
  });

  it("are notified once of each end of an object whose name is used again", async () => {
    const ended = (what: string, at: number) =>
      simulator.emit("world.expired", { what, ref: "5", reason: "wipe", at });
    const at = Date.now();
    const { told, staff } = await meanwhile(() => {
      ended("kit", at);
      ended("kit", at);
      ended("kit", at + 1);
      ended("placement", at);
      ended("placement", at + 1);
      ended("participation", at);
      ended("participation", at + 1);
    });
    const of = (what: string) => ({ ...here(), what, ref: "5", reason: "wipe" });
    expect(told.map(({ variables }) => variables)).toEqual(
      ["kit", "kit", "placement", "placement", "participation"].map(of),
    );
    expect(staff).toEqual([ofStaff(), ofStaff(), ofStaff(), ofStaff(), ofStaff()]);
  });

  it("are notified of a lost configuration write, and not of an outcome that arrives later", async () => {
    // The time limit passed five hours ago, as if ingest had not run for hours.
    const write = await buildWrite("w-3", -5 * 3_600);
    const { told, staff } = await meanwhile(async () => {
      const from = await lastTold();
      await waitUntil("it is told", async () => (await gateEventsSince(from)).length > 0);
      simulator.emit("config.outcome", { writeId: "w-3", plugin: "Kits", ok: true, phase: "load" });
      simulator.emit("config.outcome", { writeId: "w-0", plugin: "Kits", ok: true, phase: "load" });
    });
    expect(told).toEqual([
      {
        trigger: "survival.config.outcome",
        eventKey: `config:${write.writeId}`,
        variables: { ...here(), writeId: "w-3", plugin: "Kits", outcome: "lost" },
      },
    ]);
    expect(staff).toEqual([ofStaff()]);
  });

  it("can subscribe to the staff stream unless they are editors, and lose it with their role", async () => {
    const choose = async (role: "player" | "editor" | "moderator") => {
      const { headers } = await signIn(site.server, { role });
      const body = { streams: ["survival.staff"] };
      const chosen = await callRoute(site.server, "PUT /auth/me/notifications/subscriptions", {
        headers,
        body,
      });
      const { body: all } = await callRoute(site.server, "GET /auth/me/notifications/streams", {
        headers,
      });
      const { streams } = all as { streams: { id: string }[] };
      return [chosen.status, streams.some(({ id }) => id === "survival.staff")];
    };
    expect(await choose("player")).toEqual([400, false]);
    expect(await choose("editor")).toEqual([400, false]);
    expect(await choose("moderator")).toEqual([200, true]);
    const before = await site.follower(["survival.staff"], { role: "admin" });
    await changeUser(site.server, before.user.userId, { role: "player" });
    await buildWrite("w-2", 60);
    const { staff } = await meanwhile(() => {
      simulator.emit("config.outcome", { writeId: "w-2", plugin: "Kits", ok: true, phase: "load" });
    });
    expect(staff).toEqual([ofStaff()]);
    expect(before.device.payloads).toEqual([]);
  });
});

describe("a wipe", () => {
  it("is announced with the data of the new world, but a return to a former world is not announced", async () => {
    const before = simulator.world.save.saveId;
    const wiped = await meanwhile(async () => {
      simulator.turn({ turn: "wipe", blueprints: "wiped", forced: true });
      await waitUntil("the world is known", async () => (await wipes()) === 2);
      await online();
    });
    const { saveId } = simulator.world.save;
    expect(wiped.told).toEqual([
      {
        trigger: "survival.server.wiped",
        eventKey: `wipe:${saveId}`,
        variables: {
          ...here(),
          mapUrl: mapUrl(),
          wipeId: expect.any(Number),
          kind: "full",
          forced: true,
          worldSize: expect.any(Number),
          seed: expect.any(String),
        },
      },
    ]);
    expect(wiped.wipes).toEqual([{ stream: "survival.wipe", ref: `server:${oak.id}` }]);
    const restored = await meanwhile(async () => {
      simulator.turn({ turn: "restore", saveId: before });
      await waitUntil("the older world stands", async () => (await standing()) === before);
      simulator.turn({ turn: "restore", saveId });
      await waitUntil("the newer world stands", async () => (await standing()) === saveId);
      await online();
    });
    expect(restored).toEqual(nothing);
  });

  const wipes = () =>
    site.server.context.models.SurvivalWipe.count({ where: { serverId: oak.id } });
  const standing = async () =>
    (await site.server.context.models.SurvivalServerState.findByPk(oak.id))?.saveId;

  it("is announced once if it is less than an hour away, even after a restart of ingest", async () => {
    const { told, wipes: pushed } = await meanwhile(async () => {
      const from = await lastTold();
      await oak.update({ wipeRule: "once", wipeAt: new Date(Date.now() + 59 * 60_000) });
      await waitUntil("it is told", async () => (await gateEventsSince(from)).length > 0);
    });
    const nextWipe = oak.wipeAt?.toISOString();
    const upcoming = { nextWipe, hoursLeft: 1, rule: "once" };
    expect(told).toEqual([
      {
        trigger: "survival.wipe.upcoming",
        eventKey: `upcoming:${oak.wipeAt?.valueOf()}:1`,
        variables: { ...here(), ...upcoming, mapUrl: mapUrl() },
      },
    ]);
    expect(pushed).toHaveLength(1);
    await restartIngest();
    expect(await meanwhile(() => undefined)).toEqual(nothing);
  });
});

async function restartIngest(): Promise<void> {
  await ingest.stop();
  ingest = await startSurvivalWatch(site.server.context, online);
}

describe("a server that goes offline and returns", () => {
  it("is announced after the grace period, with the reason and the downtime", async () => {
    // If a plugin's game ends, the site sees only that the plugin does not call any more.
    const reason = linksByPlugin ? "link" : "game";
    const gone = await meanwhileAway(() => simulator.faults.trigger("away"));
    expect(gone).toMatchObject([
      {
        trigger: "survival.server.offline",
        eventKey: expect.stringMatching(/^offline:\d+$/),
        variables: { ...here(), state: "offline", reason, lastSeenAt: expect.any(String) },
      },
    ]);
    const back = await meanwhileAway(() => simulator.faults.trigger("back"));
    expect(back).toMatchObject([
      {
        trigger: "survival.server.online",
        eventKey: expect.stringMatching(/^online:\d+$/),
        variables: {
          ...here(),
          state: "online",
          players: expect.any(Number),
          downSec: expect.any(Number),
        },
      },
    ]);
    await marker();
    await site.settled();
  });

  /** Returns the next events for which runs can wait. Does not use `marker`, because the game does not run. */
  async function meanwhileAway(happens: () => void): Promise<GateEventFields[]> {
    const from = await lastTold();
    const pushed = member.device.received.length;
    happens();
    await waitUntil("it is told", async () => (await gateEventsSince(from)).length > 0);
    await waitUntil("it is pushed", () => member.device.received.length > pushed);
    return gateEventsSince(from);
  }

  it("is not announced after a restart of ingest, and no message is sent twice", async () => {
    await ingest.stop();
    // Change the leader of a leaderboard while ingest is stopped.
    simulator.turn({ turn: "tally", steamId: steamIdAt(3), stats: { playersKilled: 9_000 } });
    expect(await meanwhile(restartIngest)).toEqual(nothing);
    const pushed = member.device.received.length;
    simulator.faults.trigger("recreate");
    await online();
    await marker();
    expect(member.device.received.length - pushed).toBe(1);
  });
});

describe("a message about one player", () => {
  const tell = (...notices: SurvivalNotification[]) =>
    inTransaction(site.server.context.sequelize, (transaction) =>
      sendNotifications(notices, transaction, site.server.context),
    );

  it("is sent once to the linked user and to no other user, and to triggers of event runs without the name", async () => {
    const { userId } = member.user;
    const other = await site.follower(["survival.account"]);
    const now = new Date();
    const unlisted = await buildSurvivalServer(site.server, { listed: false });
    const permission = permissionNotification(
      {
        grantId: 4,
        change: "granted",
        userId,
        kind: "permission",
        expiresAt: null,
        scopeAll: false,
        serverIds: [oak.id, unlisted.id],
      },
      now,
    );
    const facts = { kit: "starter", uses: 2, expiresAt: now, runId: 9 };
    const kit = kitNotification({ entitlementId: 8, serverId: oak.id, userId, ...facts }, now);
    const unlinked = kitNotification({ entitlementId: 9, serverId: oak.id, ...facts }, now);
    const before = member.device.received.length;
    const from = await lastTold();
    await tell(permission, kit, unlinked);
    await tell(permission, kit);
    await site.settled();
    // Look only at messages about accounts: a message about a server may still arrive.
    const messages = (
      member.device.payloads.slice(before) as { stream: string; ref: string }[]
    ).filter(({ stream }) => stream === "survival.account");
    expect(messages.toSorted((one, next) => (one.ref < next.ref ? -1 : 1))).toEqual([
      { stream: "survival.account", ref: "kit:8" },
      { stream: "survival.account", ref: "permission:4" },
    ]);
    expect(other.device.payloads).toEqual([]);
    expect(await gateEventsSince(from)).toMatchObject([
      {
        eventKey: "kit:8",
        variables: {
          ...here(),
          ...facts,
          news: "Kit starter can be taken on Oak, 2 times.",
          expiresAt: now.toISOString(),
        },
      },
      { eventKey: "kit:9" },
    ]);
    expect(
      await storedRows(site.server.context.models.EventNews, ["variables"], { source: "survival" }),
    ).toEqual([
      {
        variables: {
          kind: "permission",
          change: "granted",
          news: "A permission was granted.",
          servers: ["Oak"],
        },
      },
    ]);
  });
});

describe("a frame that arrives a second time", () => {
  it("is announced once, because its event key is already known", async () => {
    const frame = survivalFrame(
      "survival.npc.died",
      { netId: "500", profile: "ogre", boss: true, killer: null },
      { eventKey: "npcdied:1:500", t: Date.now() },
    );
    const elm = await linkSurvivalServer(site.server, simulator, { name: "Elm", enabled: false });
    await storeSurvivalFrames(site.server.context, elm.id, [frame]);
    await storeSurvivalFrames(site.server.context, elm.id, [{ ...frame, seq: frame.seq + 5_000 }]);
    await storeSurvivalFrames(site.server.context, elm.id, [
      survivalFrame(
        "survival.npc.died",
        { netId: "501", profile: "ogre", boss: true, killer: null },
        // The event is too old for a push message, but runs still get it.
        { eventKey: "npcdied:1:501", t: Date.now() - 16 * 60_000, replay: true },
      ),
    ]);
    const { EventNews } = site.server.context.models;
    expect(await EventNews.count({ where: { source: sourceNameOf(elm.id) } })).toBe(2);
    await site.settled();
    const ref = `server:${elm.id}`;
    expect(
      member.device.payloads.filter((one) => (one as { ref: string }).ref === ref),
    ).toHaveLength(1);
  });
});

describe("the catalog of events", () => {
  it("lists the fourteen triggers of the survival servers", async () => {
    const { headers } = await signIn(site.server, { role: "editor" });
    const { body } = await callRoute(site.server, "GET /admin/events/catalog", { headers });
    const { triggers } = body as { triggers: { id: string; owner: string }[] };
    expect(triggers.filter(({ owner }) => owner === "survival").map(({ id }) => id)).toEqual([
      "survival.server.online",
      "survival.server.offline",
      "survival.server.wiped",
      "survival.wipe.upcoming",
      "survival.leader.kills",
      "survival.npc.died",
      "survival.npc.health",
      "survival.player.died",
      "survival.permission.changed",
      "survival.kit.entitled",
      "survival.plugin.unloaded",
      "survival.config.outcome",
      "survival.player.reported",
      "survival.world.expired",
    ]);
  });
});
