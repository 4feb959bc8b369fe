/**
 * Queues, jobs and processes as admins see them.
 *
 * @openapi
 * components:
 *   schemas:
 *     QueueReport:
 *       type: object
 *       additionalProperties: false
 *       properties:
 *         queues: { type: array, items: { $ref: '#/components/schemas/QueueHealth' } }
 *         workers: { type: array, items: { $ref: '#/components/schemas/SeenProcess' } }
 *         jobs: { type: array, items: { $ref: '#/components/schemas/Job' } }
 *     QueueHealth:
 *       type: object
 *       additionalProperties: false
 *       required: [name, group, depth, active, failed, oldestSeconds, completedLastHour, failedLastHour, workers, schedule]
 *       properties:
 *         name: { type: string, example: shard.prune-events }
 *         group: { type: string, example: upkeep }
 *         depth: { type: integer, description: Jobs that wait. }
 *         active: { type: integer }
 *         failed: { type: integer }
 *         oldestSeconds: { type: integer, nullable: true, description: Seconds the oldest job that could run now has waited. }
 *         completedLastHour: { type: integer }
 *         failedLastHour: { type: integer }
 *         workers: { type: integer, description: Processes that work its group. }
 *         schedule: { type: string, nullable: true, description: 'Cron expression, UTC.' }
 *     SeenProcess:
 *       type: object
 *       additionalProperties: false
 *       required: [id, kind, queueGroups, host, pid, version, startedAt, seenAt]
 *       properties:
 *         id: { type: string, format: uuid }
 *         kind: { type: string, enum: [web, ingest, worker] }
 *         queueGroups: { type: array, items: { type: string } }
 *         host: { type: string }
 *         pid: { type: integer }
 *         version: { type: string }
 *         startedAt: { type: string, format: date-time }
 *         seenAt: { type: string, format: date-time }
 *     JobProgress:
 *       type: object
 *       nullable: true
 *       additionalProperties: false
 *       required: [phase, done, total, startedAt, updatedAt]
 *       properties:
 *         phase: { type: string }
 *         done: { type: integer }
 *         total: { type: integer, nullable: true }
 *         startedAt: { type: string, format: date-time }
 *         updatedAt: { type: string, format: date-time }
 *     AcceptedJob:
 *       type: object
 *       additionalProperties: false
 *       required: [jobId]
 *       properties:
 *         jobId: { type: string, format: uuid }
 *     Job:
 *       type: object
 *       additionalProperties: false
 *       required: [id, queue, state, data, output, attempts, retryLimit, createdAt, startedAt, completedAt, progress]
 *       properties:
 *         id: { type: string, format: uuid }
 *         queue: { type: string }
 *         state: { type: string, enum: [created, retry, active, completed, cancelled, failed] }
 *         data: { type: object, nullable: true, additionalProperties: true, description: 'Null where it is personal.' }
 *         output: { type: object, nullable: true, additionalProperties: true }
 *         attempts: { type: integer }
 *         retryLimit: { type: integer }
 *         createdAt: { type: string, format: date-time }
 *         startedAt: { type: string, format: date-time, nullable: true }
 *         completedAt: { type: string, format: date-time, nullable: true }
 *         progress: { $ref: '#/components/schemas/JobProgress' }
 */
