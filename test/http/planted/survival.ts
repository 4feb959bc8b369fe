import { randomUUID } from "node:crypto";

import { clockNow } from "../../../models/queries/clock.ts";
import type { SurvivalServer } from "../../../models/survival/survival-server.ts";
import type { SurvivalWipe } from "../../../models/survival/survival-wipe.ts";
import { buildSurvivalServer } from "../../support/factories/survival.ts";
import { forEachUser, type FixtureContext, nth } from "./planting.ts";

const steamIdOf = (n: number): string => String(76_561_198_000_000_000n + BigInt(n));
const name = "A name";

export async function insertSurvivalFixtures(planting: FixtureContext): Promise<void> {
  const { models } = planting;
  const busy = await plantServer("Planted", planting);
  const wipe = { serverId: busy.id, saveId: 1, startedAt: clockNow() };
  const { id: wipeId } = await models.SurvivalWipe.create(wipe);
  await plantTallies(() => wipeId, planting);
  const kill = { wipeId, profileKey: "boss", lastAt: clockNow() };
  await models.SurvivalNpcKill.bulkCreate(
    forEachUser(planting, (n) => ({ ...kill, steamId: steamIdOf(n), kills: n })),
  );
  await plantClans(busy, planting);
  await plantDeaths(busy, planting);
  await plantReports(busy, planting);
  await plantPermissions(busy, planting);
  await plantWiped(planting);
}

async function plantServer(title: string, planting: FixtureContext): Promise<SurvivalServer> {
  const { on, models } = planting;
  const slug = title.toLowerCase();
  const server = await buildSurvivalServer(on, { slug, name: title, enabled: false, listed: true });
  await models.SurvivalServerState.create({ serverId: server.id, saveId: 1 });
  await models.SurvivalSighting.bulkCreate(
    forEachUser(planting, (n) => ({ serverId: server.id, steamId: steamIdOf(n), name })),
  );
  return server;
}

async function plantTallies(
  wipeOf: (n: number) => number,
  planting: FixtureContext,
): Promise<void> {
  const { SurvivalScore, SurvivalTally } = planting.models;
  const rowOf = (n: number) => ({ wipeId: wipeOf(n), steamId: steamIdOf(n) });
  await SurvivalTally.bulkCreate(forEachUser(planting, (n) => ({ ...rowOf(n), name })));
  const stat = "playersKilled";
  await SurvivalScore.bulkCreate(forEachUser(planting, (n) => ({ ...rowOf(n), stat, value: n })));
}

async function plantClans(
  { id: serverId }: SurvivalServer,
  planting: FixtureContext,
): Promise<void> {
  const { SurvivalClan, SurvivalClanMember } = planting.models;
  const seen = { firstSeenAt: clockNow(), lastSeenAt: clockNow() };
  const clans = await SurvivalClan.bulkCreate(
    forEachUser(planting, (rank) => {
      const clan = { clanId: String(rank), created: "1", name: "A clan", rank };
      return { serverId, ...clan, ...seen };
    }),
  );
  await SurvivalClanMember.bulkCreate(
    forEachUser(planting, (n) => {
      const { id: clanRowId } = nth(clans, n);
      return { clanRowId, steamId: steamIdOf(n), name };
    }),
  );
}

async function plantDeaths(
  { id: serverId }: SurvivalServer,
  planting: FixtureContext,
): Promise<void> {
  const killer = { kind: "environment" };
  await planting.models.SurvivalEvent.bulkCreate(
    forEachUser(planting, (n) => {
      const victim = { steamId: steamIdOf(n), name };
      const payload = { x: 1, y: 1, z: 1, victim, killer };
      return { serverId, epoch: "e", seq: n, kind: "player.died", t: n, payload };
    }),
  );
}

async function plantReports(
  { id: serverId }: SurvivalServer,
  planting: FixtureContext,
): Promise<void> {
  const report = { serverId, via: "form" as const, reporterName: name, reportedAt: clockNow() };
  await planting.models.SurvivalReport.bulkCreate(
    forEachUser(planting, (n) => {
      return { ...report, reporterSteamId: steamIdOf(n), subject: "A report", message: String(n) };
    }),
  );
}

async function plantPermissions(
  { id: serverId }: SurvivalServer,
  planting: FixtureContext,
): Promise<void> {
  const { SurvivalGrant, SurvivalPermissionRow } = planting.models;
  const permission = { kind: "permission" as const, value: "planted" };
  const toAll = { ...permission, scopeAll: true, serverIds: [], expiresAt: clockNow() };
  await SurvivalGrant.bulkCreate(
    forEachUser(planting, (n, createdBy) => ({ ...toAll, steamId: steamIdOf(n), createdBy })),
  );
  const pushed = {
    ...permission,
    serverId,
    subjectKind: "user" as const,
    state: "pushed" as const,
  };
  await SurvivalPermissionRow.bulkCreate(
    forEachUser(planting, (n) => ({ ...pushed, subject: steamIdOf(n) })),
  );
}

/** Inserts a server with many wipes and many writes of its configuration. */
async function plantWiped(planting: FixtureContext): Promise<void> {
  const { models } = planting;
  const { id: serverId } = await plantServer("Wiped", planting);
  const startedAt = clockNow();
  const wipes: SurvivalWipe[] = await models.SurvivalWipe.bulkCreate(
    forEachUser(planting, (saveId) => ({ serverId, saveId, startedAt })),
  );
  await plantTallies((n) => nth(wipes, n).id, planting);
  const zone = { serverId, what: "zone" as const, state: "confirmed" as const };
  await models.SurvivalLedgerEntry.bulkCreate(
    forEachUser(planting, (n) => ({ ...zone, ref: String(n) })),
  );
  const write = {
    serverId,
    plugin: "Planted",
    file: "Planted.json",
    settleBy: clockNow(),
    state: "settled" as const,
    outcome: "ok" as const,
    settledAt: clockNow(),
    beforeHash: "",
    writtenHash: "",
    requestHash: "",
  };
  await models.SurvivalConfigWrite.bulkCreate(
    forEachUser(planting, (_, createdBy) => ({ ...write, writeId: randomUUID(), createdBy })),
  );
}
