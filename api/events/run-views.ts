import type { EventLogLine } from "../../models/events/event-log-line.ts";
import type { EventStep } from "../../models/events/event-step.ts";
import { isStepParked } from "../../shared/events/machine/state.ts";
import { runRevision, stepRevision } from "../../shared/events/runs/control-run.ts";
import type { ListedRun } from "../../shared/events/runs/read-runs.ts";
import type { RunDetail } from "../../shared/events/runs/run-detail.ts";

/**
 * @openapi
 * components:
 *   schemas:
 *     Run:
 *       type: object
 *       additionalProperties: false
 *       required: [id, definitionId, definitionTitle, definitionSlug, versionId, version, scope, status, health, cleanupStatus, currentPhase, scheduledFor, timezone, concurrencyKey, params, rehearsal, startedBy, startedByUsername, startedAt, endedAt, lastError, createdAt, waitingSteps, revision]
 *       properties:
 *         id: { type: integer }
 *         definitionId: { type: integer }
 *         definitionTitle: { type: string, example: The champion evening }
 *         definitionSlug: { type: string, example: the-champion-evening }
 *         versionId: { type: integer }
 *         version: { type: integer, description: Number of the event's version that the run follows. }
 *         scope: { $ref: '#/components/schemas/EventScope' }
 *         status: { $ref: '#/components/schemas/EventRunStatus' }
 *         health: { $ref: '#/components/schemas/EventRunHealth' }
 *         cleanupStatus: { type: string, enum: [none], description: Always `none`. }
 *         currentPhase:
 *           type: string
 *           nullable: true
 *           description: >-
 *             Key of the current phase or, after the run has ended, of its last phase. Null before
 *             the run has started.
 *         scheduledFor:
 *           type: string
 *           format: date-time
 *           nullable: true
 *           description: >-
 *             Time for which the run is scheduled. Null for a run that was started without a time;
 *             such a run starts as soon as possible.
 *         timezone: { type: string, description: IANA time zone of the event's schedule., example: Europe/Berlin }
 *         concurrencyKey:
 *           type: string
 *           nullable: true
 *           description: >-
 *             Key that limits concurrency: of all runs with the same key, only one is under way at
 *             a time. Rehearsals do not count. Null for no limit.
 *         params:
 *           type: object
 *           additionalProperties: true
 *           description: Values of the event's parameters for this run, including default values.
 *           example: { boss: Barracoon }
 *         rehearsal:
 *           type: boolean
 *           description: >-
 *             Whether the run is a rehearsal: its steps run, but their actions have no effect.
 *         startedBy:
 *           type: integer
 *           nullable: true
 *           description: >-
 *             Id of the user with whose rights the run acts: the user who created the run or, if a
 *             schedule created it, the user who published the version. Null if the account of this
 *             user was deleted; in this case, the site refuses the steps of the run.
 *         startedByUsername: { type: string, nullable: true }
 *         startedAt: { type: string, format: date-time, nullable: true }
 *         endedAt: { type: string, format: date-time, nullable: true }
 *         lastError: { type: string, nullable: true, description: Why the run failed or was missed. Null if neither happened. }
 *         createdAt: { type: string, format: date-time }
 *         waitingSteps: { type: integer, description: 'Number of the run''s steps that wait for a person, that is, whose `parked` is true.' }
 *         revision: { $ref: '#/components/schemas/Revision' }
 */
export const viewRun = ({ run, waitingSteps }: ListedRun) => ({
  id: run.id,
  definitionId: run.definitionId,
  definitionTitle: run.version?.title,
  definitionSlug: run.definition?.slug,
  versionId: run.versionId,
  version: run.version?.number,
  scope: run.scope,
  status: run.status,
  health: run.health,
  cleanupStatus: run.cleanupStatus,
  currentPhase: run.currentPhase,
  scheduledFor: run.scheduledFor,
  timezone: run.version?.timezone,
  concurrencyKey: run.concurrencyKey,
  params: run.params,
  rehearsal: run.rehearsal,
  startedBy: run.startedBy,
  startedByUsername: run.starter?.username ?? null,
  startedAt: run.startedAt,
  endedAt: run.endedAt,
  lastError: run.lastError,
  createdAt: run.createdAt,
  waitingSteps,
  revision: runRevision(run),
});

/**
 * @openapi
 * components:
 *   schemas:
 *     Step:
 *       type: object
 *       additionalProperties: false
 *       required: [id, runId, phase, seq, actionId, params, actionVersion, status, parked, dueAt, attempts, onFailure, idempotencyKey, lastError, startedAt, finishedAt, revision]
 *       properties:
 *         id: { type: integer }
 *         runId: { type: integer }
 *         phase: { type: string, description: Key of the phase to which the step belongs., example: gather }
 *         seq: { type: integer, description: 'Position of the step in its phase, starting at 1.' }
 *         actionId: { type: string, example: shard.broadcast }
 *         params:
 *           type: object
 *           additionalProperties: true
 *           description: >-
 *             Values of the action's parameters. Before the first attempt, the service replaces
 *             templates such as `{{name}}` with their values.
 *           example: { text: Barracoon stirs! }
 *         actionVersion: { type: integer, description: Version that the action had when the run started. }
 *         status: { $ref: '#/components/schemas/EventStepStatus' }
 *         parked:
 *           type: boolean
 *           description: >-
 *             Whether the step waits for a person. While a step waits, its `status` is `running`.
 *         dueAt:
 *           type: string
 *           format: date-time
 *           nullable: true
 *           description: >-
 *             Earliest time at which the step may start. Null until all earlier steps of the phase
 *             have ended.
 *         attempts: { type: integer, description: Number of attempts so far. A retry by a person does not reset this number. }
 *         onFailure: { $ref: '#/components/schemas/EventOnFailure' }
 *         idempotencyKey:
 *           type: string
 *           description: >-
 *             Key that the service sends to the game with each attempt, so that the game runs the
 *             action only once.
 *           example: 'evt:0b9d6f5e-7c0e-4a43-9a0d-2f8f1f0a5a11:7:31'
 *         lastError: { type: string, nullable: true, description: Why the last attempt of the step failed. Null if no attempt has failed. }
 *         startedAt: { type: string, format: date-time, nullable: true, description: Start of the first attempt of the step. Null before the first attempt. }
 *         finishedAt: { type: string, format: date-time, nullable: true }
 *         revision: { $ref: '#/components/schemas/Revision' }
 */
export const viewStep = (step: EventStep) => ({
  id: step.id,
  runId: step.runId,
  phase: step.phase,
  seq: step.seq,
  actionId: step.actionId,
  params: step.params,
  actionVersion: step.actionVersion,
  status: step.status,
  parked: isStepParked(step),
  dueAt: step.dueAt,
  attempts: step.attempts,
  onFailure: step.onFailure,
  idempotencyKey: step.idempotencyKey,
  lastError: step.lastError,
  startedAt: step.startedAt,
  finishedAt: step.finishedAt,
  revision: stepRevision(step),
});

/**
 * @openapi
 * components:
 *   schemas:
 *     EventRunDetail:
 *       type: object
 *       additionalProperties: false
 *       required: [run, steps, counts, gates, budget]
 *       properties:
 *         run: { $ref: '#/components/schemas/Run' }
 *         steps:
 *           type: array
 *           description: >-
 *             All steps of the run, in the order in which they run. Empty before the run has
 *             started.
 *           items: { $ref: '#/components/schemas/Step' }
 *         counts:
 *           type: object
 *           description: Number of steps in each status. Statuses that no step has are absent.
 *           additionalProperties: { type: integer }
 *           example: { succeeded: 2, ready: 1 }
 *         gates:
 *           type: array
 *           description: >-
 *             Sentences for people that say what the current phase waits for. Empty unless the run
 *             is under way.
 *           items: { type: string, example: 'waiting for 1 more of `champ.end` where outcome is defeated' }
 *         budget:
 *           type: array
 *           description: What the run has spent of each dimension that has a cap.
 *           items: { $ref: '#/components/schemas/EventBudget' }
 *     EventBudget:
 *       type: object
 *       additionalProperties: false
 *       required: [dimension, cap, spent, actionId]
 *       properties:
 *         dimension: { type: string, example: broadcasts }
 *         cap: { type: integer }
 *         spent: { type: integer }
 *         actionId:
 *           type: string
 *           description: >-
 *             Action whose cap applies: of all actions of the run, the one with the lowest cap for
 *             this dimension.
 *           example: shard.broadcast
 */
export const viewRunDetail = (detail: RunDetail) => ({
  run: viewRun(detail),
  steps: detail.steps.map(viewStep),
  counts: detail.counts,
  gates: detail.gates,
  budget: detail.budget.map(({ dimension, cap, spent, actionId }) => ({
    dimension,
    cap,
    spent,
    actionId,
  })),
});

/**
 * @openapi
 * components:
 *   schemas:
 *     EventRunLog:
 *       type: object
 *       additionalProperties: false
 *       required: [log, kinds]
 *       properties:
 *         log: { type: array, items: { $ref: '#/components/schemas/EventLogLine' } }
 *         kinds:
 *           type: array
 *           description: All kinds that a line of a run log can have.
 *           items: { $ref: '#/components/schemas/EventLogKind' }
 *     EventLogLine:
 *       type: object
 *       additionalProperties: false
 *       required: [id, stepId, kind, phase, detail, at]
 *       properties:
 *         id: { type: integer }
 *         stepId: { type: integer, nullable: true, description: Id of the step that the line is about. Null for a line about the run itself. }
 *         kind: { $ref: '#/components/schemas/EventLogKind' }
 *         phase: { type: string, nullable: true, description: Key of the phase that the line is about. Null before the first phase. }
 *         detail:
 *           type: object
 *           additionalProperties: true
 *           description: Details of the line. The fields of the details depend on `kind`.
 *           example: { by: schedule }
 *         at: { type: string, format: date-time }
 */
export const viewLogLine = ({ id, stepId, kind, phase, detail, at }: EventLogLine) => ({
  id,
  stepId,
  kind,
  phase,
  detail,
  at,
});
