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
 *         version: { type: integer, description: Its number. }
 *         scope: { $ref: '#/components/schemas/EventScope' }
 *         status: { $ref: '#/components/schemas/EventRunStatus' }
 *         health: { $ref: '#/components/schemas/EventRunHealth' }
 *         cleanupStatus: { type: string, enum: [none] }
 *         currentPhase: { type: string, nullable: true, description: The key of the phase. }
 *         scheduledFor: { type: string, format: date-time, nullable: true, description: Null for one that starts as soon as it can. }
 *         timezone: { type: string, example: Europe/Berlin }
 *         concurrencyKey: { type: string, nullable: true }
 *         params: { type: object, additionalProperties: true, example: { boss: Barracoon } }
 *         rehearsal: { type: boolean, description: Everything but the effects. }
 *         startedBy: { type: integer, nullable: true, description: With whose rights it acts. }
 *         startedByUsername: { type: string, nullable: true }
 *         startedAt: { type: string, format: date-time, nullable: true }
 *         endedAt: { type: string, format: date-time, nullable: true }
 *         lastError: { type: string, nullable: true }
 *         createdAt: { type: string, format: date-time }
 *         waitingSteps: { type: integer, description: Steps that wait for a person. }
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
 *         phase: { type: string, description: The key of the phase., example: gather }
 *         seq: { type: integer, description: From 1 in its phase. }
 *         actionId: { type: string, example: shard.broadcast }
 *         params: { type: object, additionalProperties: true, example: { text: Barracoon stirs! } }
 *         actionVersion: { type: integer }
 *         status: { $ref: '#/components/schemas/EventStepStatus' }
 *         parked: { type: boolean, description: "Running, held by no worker and waiting for a person." }
 *         dueAt: { type: string, format: date-time, nullable: true }
 *         attempts: { type: integer }
 *         onFailure: { $ref: '#/components/schemas/EventOnFailure' }
 *         idempotencyKey: { type: string, example: 'evt:0b9d6f5e-7c0e-4a43-9a0d-2f8f1f0a5a11:7:31' }
 *         lastError: { type: string, nullable: true }
 *         startedAt: { type: string, format: date-time, nullable: true }
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
 *         steps: { type: array, items: { $ref: '#/components/schemas/EventStep' } }
 *         counts:
 *           type: object
 *           description: How many steps have each status that occurs.
 *           additionalProperties: { type: integer }
 *           example: { succeeded: 2, ready: 1 }
 *         gates:
 *           type: array
 *           items: { type: string, example: 'waiting for 1 more of `champ.end` where outcome is defeated' }
 *         budget: { type: array, items: { $ref: '#/components/schemas/EventBudget' } }
 *     EventBudget:
 *       type: object
 *       additionalProperties: false
 *       required: [dimension, cap, spent, actionId]
 *       properties:
 *         dimension: { type: string, example: broadcasts }
 *         cap: { type: integer }
 *         spent: { type: integer }
 *         actionId: { type: string, description: Whose cap it is., example: shard.broadcast }
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
 *         kinds: { type: array, items: { $ref: '#/components/schemas/EventLogKind' } }
 *     EventLogLine:
 *       type: object
 *       additionalProperties: false
 *       required: [id, stepId, kind, phase, detail, at]
 *       properties:
 *         id: { type: integer }
 *         stepId: { type: integer, nullable: true }
 *         kind: { $ref: '#/components/schemas/EventLogKind' }
 *         phase: { type: string, nullable: true, description: The key of the phase. }
 *         detail: { type: object, additionalProperties: true, example: { by: schedule } }
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
