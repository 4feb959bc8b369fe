import { randomUUID } from "node:crypto";

import { clockNow } from "../../models/queries/clock.ts";
import { placementRow } from "../support/factories/survival-npcs.ts";
import { type InsertTarget, steamIdOf } from "./inserted.ts";

/** Inserts rows about events and runs that refer to the user. */
export async function insertEventRows({ id, label, models }: InsertTarget): Promise<void> {
  await models.EventActionSetting.create({
    actionId: `action of user ${id}`,
    enabled: true,
    updatedBy: id,
  });
  const text = { title: "x", summary: "", body: "", timezone: "UTC", graceSeconds: 60, spec: {} };
  const slug = `slug-of-user-${id}`;
  const definition = await models.EventDefinition.create({ ...text, slug });
  const version = await models.EventVersion.create({
    ...text,
    definitionId: definition.id,
    number: 1,
    specSha256: Buffer.alloc(1),
    publishedBy: id,
    verifiedBy: id,
  });
  const of = { definitionId: definition.id, versionId: version.id };
  const run = await models.EventRun.create({ ...of, scope: "site", startedBy: id });
  const rewards = [{ kit: `${label} kit`, count: 1 }];
  await models.EventParticipation.create({ runId: run.id, userId: id, rewards });
}

/** Inserts rows about survival servers that refer to the user. */
export async function insertSurvivalRows(planted: InsertTarget): Promise<void> {
  const { id, models } = planted;
  const slug = `server-of-user-${id}`;
  const server = await models.SurvivalServer.create({ slug, name: "x" });
  await plantWrites(planted, server.id);
  await plantReports(planted, server.id);
  await plantShared(planted);
  await plantNpcs(planted);
}

async function plantWrites({ id, models }: InsertTarget, serverId: number): Promise<void> {
  const now = clockNow();
  await models.SurvivalConfigWrite.create({
    writeId: `write of user ${id}`,
    serverId,
    plugin: "Kits",
    file: "Kits.json",
    createdBy: id,
    settleBy: now,
    beforeHash: "",
    writtenHash: "",
    requestHash: "",
  });
  const key = `preset-of-user-${id}`;
  const preset = { key, name: "x", document: {} as never, maxDurationSec: 60 };
  await models.SurvivalZonePreset.create({ ...preset, updatedBy: id });
  await models.SurvivalZoneLease.create({
    leaseId: randomUUID(),
    serverId,
    presetKey: "x",
    preset: {} as never,
    at: {} as never,
    durationSec: 60,
    leaseUntil: now,
    heldUntil: now,
    openedBy: id,
  });
  const frame = { serverId, epoch: "x", seq: 1, kind: "player.chat", t: 0, payload: {} };
  await models.SurvivalEvent.create({ ...frame, hiddenAt: now, hiddenBy: id });
}

async function plantReports({ id, label, models }: InsertTarget, serverId: number): Promise<void> {
  const digest = Buffer.alloc(32, `key of user ${id}`);
  await models.SurvivalReportKey.create({ serverId, digest, createdBy: id, lastUsedAt: null });
  const now = clockNow();
  const byUser = { reportedAt: now, seenAt: now, seenBy: id, closedAt: now, closedBy: id };
  const common = { serverId, via: "form", type: null, ...byUser } as const;
  const own = { steamId: steamIdOf(id), name: `${label} name` };
  const other = { steamId: "76561198111111111", name: `${label} victim` };
  const rows = [
    { reporter: own, target: other, subject: `${label} sent`, note: null },
    { reporter: other, target: own, subject: `${label} victim`, note: `${label} secret` },
  ];
  for (const { reporter, target, subject, note } of rows) {
    await models.SurvivalReport.create({
      ...common,
      reporterSteamId: reporter.steamId,
      reporterName: reporter.name,
      targetSteamId: target.steamId,
      targetName: target.name,
      subject,
      message: subject,
      note,
    });
  }
}

async function plantShared({ id, label, models }: InsertTarget): Promise<void> {
  const byUser = { updatedBy: id };
  await models.SurvivalVisibility.update(byUser, { where: {} });
  await models.SurvivalVoice.update(byUser, { where: {} });
  await models.SurvivalTitleText.create({ stat: `stat of user ${id}`, updatedBy: id });
  await models.SurvivalPermissionGroup.update(byUser, { where: {} });
  await models.SurvivalFactionTable.update(byUser, { where: {} });
  await models.SurvivalGrant.create({
    kind: "permission",
    steamId: steamIdOf(id),
    userId: id,
    value: `${label} node`,
    createdBy: id,
    revokedBy: id,
    serverIds: [],
  });
}

async function plantNpcs({ id, models }: InsertTarget): Promise<void> {
  const { SurvivalNpcProfile, SurvivalNpcRevision, SurvivalNpcPlacement } = models;
  const key = `profile-of-user-${id}`;
  const profile = await SurvivalNpcProfile.create({ key, document: {}, updatedBy: id });
  const revision = { profileId: profile.id, revision: 1, document: {}, origin: "site" } as const;
  await SurvivalNpcRevision.create({ ...revision, updatedBy: id });
  const slug = `npcs-of-user-${id}`;
  const server = await models.SurvivalServer.create({ slug, name: "A server" });
  const placement = placementRow({ serverId: server.id, name: "A place" });
  await SurvivalNpcPlacement.create({ ...placement, updatedBy: id });
}
