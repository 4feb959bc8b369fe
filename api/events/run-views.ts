import type { EventLogLine } from "../../models/events/event-log-line.ts";
import type { EventStep } from "../../models/events/event-step.ts";
import { runRevision, stepRevision } from "../../shared/events/controls/revisions.ts";
import { isParked } from "../../shared/events/machine/state.ts";
import type { ListedRun } from "../../shared/events/runs/read-runs.ts";
import type { RunDetail } from "../../shared/events/runs/run-detail.ts";

/**
 * @openapi
 * components:
 *   schemas:
 *     EventRun:
 *       type: object
 *       additionalProperties: false
 *       required: [id, definitionId, definitionTitle, definitionSlug, versionId, version, scope, status, health, cleanupStatus, currentPhase, scheduledFor, timezone, concurrencyKey, params, rehearsal, startedBy, startedByUsername, startedAt, endedAt, lastError, createdAt, waitingSteps, revision]
 *       properties:
 *         id: { type: integer }
 *         definitionId: { type: integer }
 *         definitionTitle: { type: string, example: The champion evening }
 *         definitionSlug: { type: string, example: the-champion-evening }
 *         versionId: { type: integer }
 *         version: { type: integer, description: Number of the version. }
 *         scope: { $ref: '#/components/schemas/EventScope' }
 *         status: { $ref: '#/components/schemas/EventRunStatus' }
 *         health: { $ref: '#/components/schemas/EventRunHealth' }
 *         cleanupStatus: { type: string, enum: [none], description: Always `none`. }
 *         currentPhase:
 *           type: string
 *           nullable: true
 *           description: >-
 *             Key of the current phase. Null before the run has started; the last phase after it
 *             has ended.
 *         scheduledFor:
 *           type: string
 *           format: date-time
 *           nullable: true
 *           description: >-
 *             Null for a run that was started without a time; it starts as soon as it can.
 *         timezone: { type: string, description: IANA time zone of the event., example: Europe/Berlin }
 *         concurrencyKey:
 *           type: string
 *           nullable: true
 *           description: >-
 *             At most one run with the same key is under way at a time. Rehearsals do not count.
 *         params:
 *           type: object
 *           additionalProperties: true
 *           description: Values of the parameters, including defaults.
 *           example: { boss: Barracoon }
 *         rehearsal:
 *           type: boolean
 *           description: True for a rehearsal, whose actions have no effect.
 *         startedBy:
 *           type: integer
 *           nullable: true
 *           description: >-
 *             Id of the user with whose rights the run acts: the user who created the run or, if a
 *             schedule created it, the user who published the version. Null after the account is
 *             deleted; the steps of the run are refused then.
 *         startedByUsername: { type: string, nullable: true }
 *         startedAt: { type: string, format: date-time, nullable: true }
 *         endedAt: { type: string, format: date-time, nullable: true }
 *         lastError: { type: string, nullable: true, description: Why the run failed or was missed. }
 *         createdAt: { type: string, format: date-time }
 *         waitingSteps: { type: integer, description: Number of steps that wait for a person (`parked`). }
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
 *     EventStep:
 *       type: object
 *       additionalProperties: false
 *       required: [id, runId, phase, seq, actionId, params, actionVersion, status, parked, dueAt, attempts, onFailure, idempotencyKey, lastError, startedAt, finishedAt, revision]
 *       properties:
 *         id: { type: integer }
 *         runId: { type: integer }
 *         phase: { type: string, description: Key of the phase., example: gather }
 *         seq: { type: integer, description: 'Position in the phase, starting with 1.' }
 *         actionId: { type: string, example: shard.broadcast }
 *         params:
 *           type: object
 *           additionalProperties: true
 *           description: >-
 *             Parameters of the action. Templates are filled in before the first attempt.
 *           example: { text: Barracoon stirs! }
 *         actionVersion: { type: integer, description: Version of the action when the run started. }
 *         status: { $ref: '#/components/schemas/EventStepStatus' }
 *         parked:
 *           type: boolean
 *           description: >-
 *             Whether the step waits for a person. The status of a parked step is `running`.
 *         dueAt:
 *           type: string
 *           format: date-time
 *           nullable: true
 *           description: >-
 *             Earliest time at which the step may start. Null until the steps before it have ended.
 *         attempts: { type: integer, description: Number of attempts so far. A retry does not reset it. }
 *         onFailure: { $ref: '#/components/schemas/EventOnFailure' }
 *         idempotencyKey:
 *           type: string
 *           description: Sent with each attempt, so that the game runs the action only once.
 *           example: 'evt:0b9d6f5e-7c0e-4a43-9a0d-2f8f1f0a5a11:7:31'
 *         lastError: { type: string, nullable: true, description: Why the last attempt failed. }
 *         startedAt: { type: string, format: date-time, nullable: true, description: Start of the first attempt. }
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
  parked: isParked(step),
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
 *         run: { $ref: '#/components/schemas/EventRun' }
 *         steps:
 *           type: array
 *           description: >-
 *             All steps, in the order in which they run. Empty before the run has started.
 *           items: { $ref: '#/components/schemas/EventStep' }
 *         counts:
 *           type: object
 *           description: Number of steps by status. A status that no step has is absent.
 *           additionalProperties: { type: integer }
 *           example: { succeeded: 2, ready: 1 }
 *         gates:
 *           type: array
 *           description: >-
 *             A sentence that says what the current phase waits for. Empty unless the run is under
 *             way.
 *           items: { type: string, example: 'waiting for 1 more of `champ.end` where outcome is defeated' }
 *         budget:
 *           type: array
 *           description: Spending of the run, for each dimension with a cap.
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
 *           description: 'Action whose cap applies: the lowest cap among the actions of the run.'
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
 *           description: All kinds that a line can have.
 *           items: { $ref: '#/components/schemas/EventLogKind' }
 *     EventLogLine:
 *       type: object
 *       additionalProperties: false
 *       required: [id, stepId, kind, phase, detail, at]
 *       properties:
 *         id: { type: integer }
 *         stepId: { type: integer, nullable: true, description: Null for a line about the run itself. }
 *         kind: { $ref: '#/components/schemas/EventLogKind' }
 *         phase: { type: string, nullable: true, description: Key of the phase; null before the first phase. }
 *         detail:
 *           type: object
 *           additionalProperties: true
 *           description: Details of the line. The fields depend on `kind`.
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
