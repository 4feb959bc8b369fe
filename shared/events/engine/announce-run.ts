import type { Transaction } from "sequelize";

import type { EventDefinition } from "../../../models/events/event-definition.ts";
import { webAppUrls } from "../../content/addresses.ts";
import type { TriggerOccurrence } from "../../facts/emit-triggers.ts";
import type { EventTriggerId } from "../../facts/event-triggers.ts";
import { publishFacts } from "../../facts/publish-facts.ts";
import type { Context } from "../../platform/context.ts";
import { modelsOf } from "../../platform/db/transaction.ts";
import { announcedCondition } from "../announced/announced.ts";
import type { RunChange } from "../machine/run-change.ts";
import type { RunState } from "../machine/state.ts";
import type { RunMetadata } from "./lock-run.ts";

/** The source of the `event.*` triggers. Runs of every scope listen to this source. */
export const siteTriggerSource = "site";

/** The dependencies of functions that change a run. */
export type RunDependencies = Pick<Context, "queue" | "log" | "config">;

interface AnnounceOptions {
  readonly transaction: Transaction;
  readonly context: RunDependencies;
}

/** A change of a run that is announced publicly. */
interface RunMilestone {
  readonly id: EventTriggerId;
  /** The key of the phase that began. */
  readonly phase?: string;
}

/**
 * Announces to subscribers, webhooks and the gates of other runs that this run has started, entered a phase or
 * completed, if its event is public. Call it last in the transaction, because it locks the source of the trigger
 * events.
 */
export async function announceRun(
  before: RunState,
  change: RunChange,
  { isAnnounced, rehearsal, definitionId }: RunMetadata,
  { transaction, context }: AnnounceOptions,
): Promise<void> {
  if (!isAnnounced || rehearsal) return;
  const moments = findMilestones(before, change);
  if (moments.length === 0) return;
  const { id } = change.run;
  const ref = String(id);
  const announcements = moments.flatMap(({ id: stream }) =>
    stream === "event.phase.started" ? [] : [{ stream, ref, key: `run ${ref}` }],
  );
  const variables = await variablesOf(id, definitionId, { transaction, context });
  const happened = moments.map((moment) => toTriggerOccurrence(moment, ref, variables));
  const triggers = { source: siteTriggerSource, happened };
  await publishFacts({ announcements, triggers }, { within: transaction, context });
}

/** A run enters several phases in one change if they have no steps. */
function findMilestones(before: RunState, { run, log }: RunChange): RunMilestone[] {
  const started = before.status === "scheduled" && run.startedAt !== null;
  const completed = before.status !== run.status && run.status === "completed";
  const phases = log.flatMap(({ kind, phase }) =>
    kind === "phase" && phase ? [{ id: "event.phase.started", phase } as const] : [],
  );
  return [
    ...(started ? [{ id: "event.started" } as const] : []),
    ...phases,
    ...(completed ? [{ id: "event.completed" } as const] : []),
  ];
}

const toTriggerOccurrence = (
  { id, phase }: RunMilestone,
  ref: string,
  variables: Readonly<Record<string, unknown>>,
): TriggerOccurrence => ({
  trigger: id,
  eventKey: [id, ref, phase].join(" ").trim(),
  t: Date.now(),
  variables: { ...variables, phase },
});

async function variablesOf(
  runId: number,
  definitionId: number,
  { transaction, context }: AnnounceOptions,
): Promise<Readonly<Record<string, unknown>>> {
  const { slug, currentVersion }: EventDefinition = await modelsOf(
    transaction,
  ).EventDefinition.findByPk(definitionId, {
    attributes: ["slug"],
    include: [{ ...announcedCondition.version, attributes: ["title"] }],
    transaction,
    rejectOnEmpty: true,
  });
  const eventUrl = webAppUrls.run({ slug, runId }, context.config.PUBLIC_BASE_URL);
  return { runId, title: currentVersion?.title, slug, eventUrl };
}
