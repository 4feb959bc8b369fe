import { randomUUID } from "node:crypto";

import type { Attributes, CreationAttributes } from "sequelize";

import type { EventDefinition } from "../../../models/events/event-definition.ts";
import type { EventRun } from "../../../models/events/event-run.ts";
import type { EventStep } from "../../../models/events/event-step.ts";
import type { EventVersion } from "../../../models/events/event-version.ts";
import { clockNow } from "../../../models/queries/clock.ts";
import type { DatabaseHolder } from "../database/query.ts";

/** Inserts a published event with this slug. By default it has one version, which is empty. */
export async function buildEvent(
  { context }: DatabaseHolder,
  given: Partial<CreationAttributes<EventDefinition>> & Pick<EventDefinition, "slug">,
  published: Partial<CreationAttributes<EventVersion>> = {},
): Promise<EventDefinition> {
  const { EventDefinition: Definition, EventVersion: Version } = context.models;
  const event = await Definition.create({ title: given.slug, state: "ready", spec: {}, ...given });
  const { id: currentVersionId } = await Version.create({
    definitionId: event.id,
    number: 1,
    title: event.title,
    summary: "",
    body: "",
    timezone: "UTC",
    graceSeconds: 60,
    spec: event.spec,
    specSha256: Buffer.alloc(32),
    ...published,
  });
  return event.update({ currentVersionId });
}

/** Inserts a run. By default it is running, and its scope is the site. */
export const buildRun = (
  { context }: DatabaseHolder,
  { id: definitionId, currentVersionId }: EventDefinition,
  given: Partial<CreationAttributes<EventRun>> = {},
): Promise<EventRun> =>
  context.models.EventRun.create({
    definitionId,
    versionId: currentVersionId ?? 0,
    scope: "site",
    status: "running",
    startedAt: clockNow(),
    ...given,
  });

export const runOf = ({ context }: DatabaseHolder, id: number): Promise<EventRun> =>
  context.models.EventRun.findByPk(id, { rejectOnEmpty: true });

export const runsOfEvent = (
  { context }: DatabaseHolder,
  definitionId: number,
): Promise<EventRun[]> =>
  context.models.EventRun.findAll({ where: { definitionId }, order: ["scheduledFor", "id"] });

/** Changes only the row of a run. A change by the service would have further effects. */
export const changeRun = async (
  { context }: DatabaseHolder,
  id: number,
  changes: Partial<Attributes<EventRun>>,
): Promise<void> => void (await context.models.EventRun.update(changes, { where: { id } }));

/** Inserts a step. By default it is the first step of its run and has no attempts. */
export const buildStep = (
  { context }: DatabaseHolder,
  given: Partial<CreationAttributes<EventStep>> & Pick<EventStep, "runId">,
): Promise<EventStep> =>
  context.models.EventStep.create({
    phase: "one",
    phaseIndex: 0,
    seq: 1,
    key: "call",
    actionId: "core.confirm",
    actionVersion: 1,
    params: {},
    offsetSeconds: 0,
    onFailure: "park",
    confirm: false,
    budgetMs: 60_000,
    triesAllowed: 5,
    idempotencyKey: randomUUID(),
    ...given,
  });

export const stepRow = ({ context }: DatabaseHolder, id: number): Promise<EventStep> =>
  context.models.EventStep.findByPk(id, { rejectOnEmpty: true, raw: true });

/** Changes only the row of a step. A change by the service would have further effects. */
export const changeStep = async (
  { context }: DatabaseHolder,
  id: number,
  changes: Partial<Attributes<EventStep>>,
): Promise<void> => void (await context.models.EventStep.update(changes, { where: { id } }));

export const changeStepsOf = async (
  { context }: DatabaseHolder,
  runId: number,
  changes: Partial<Attributes<EventStep>>,
): Promise<void> => void (await context.models.EventStep.update(changes, { where: { runId } }));
