import { randomUUID } from "node:crypto";

import { literal } from "sequelize";

import { clockNow } from "../../../models/queries/clock.ts";
import { forEachUser, type FixtureContext, nth } from "./planting.ts";

/** Inserts public events. Each has a run with one step, in which the owner took part. */
export async function insertEventFixtures(planting: FixtureContext): Promise<void> {
  const { models, owner } = planting;
  const versions = await plantVersions(planting);
  const runs = await models.EventRun.bulkCreate(
    forEachUser(planting, (n, startedBy) => {
      const { id: versionId, definitionId } = nth(versions, n);
      const given = { definitionId, versionId, scope: "shard", startedBy };
      return { ...given, status: "completed" as const, scheduledFor: clockNow() };
    }),
  );
  const step = {
    phase: "p",
    phaseIndex: 0,
    seq: 0,
    key: "k",
    actionId: "a",
    actionVersion: 1,
    params: {},
    offsetSeconds: 0,
    onFailure: "continue" as const,
    confirm: false,
    budgetMs: 1,
    triesAllowed: 1,
    status: "running" as const,
    startedAt: clockNow(),
  };
  await models.EventStep.bulkCreate(
    runs.map(({ id: runId }) => ({ ...step, runId, idempotencyKey: randomUUID() })),
  );
  const { id: runId } = nth(runs, 1);
  await models.EventLogLine.bulkCreate(forEachUser(planting, () => ({ runId, kind: "started" })));
  await models.EventParticipation.bulkCreate(
    runs.map((run) => ({ runId: run.id, userId: owner, rewards: [] })),
  );
}

async function plantVersions(planting: FixtureContext) {
  const { EventDefinition, EventVersion } = planting.models;
  const title = "A title";
  const events = await EventDefinition.bulkCreate(
    forEachUser(planting, (n) => ({
      slug: `planted-${n}`,
      title,
      spec: {},
      state: "ready" as const,
    })),
  );
  const version = { title, summary: "", body: "", timezone: "UTC", graceSeconds: 60 };
  const versions = await EventVersion.bulkCreate(
    events.map(({ id: definitionId }) => ({
      ...version,
      definitionId,
      number: 1,
      spec: { listed: true, schedule: { kind: "manual" } },
      specSha256: Buffer.alloc(0),
    })),
  );
  const currentVersionId = literal(
    "(select id from event_versions where definition_id = event_definitions.id)",
  );
  await EventDefinition.update({ currentVersionId }, { where: {} });
  return versions;
}
