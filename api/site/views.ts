/**
 * Records of the site.
 *
 * @openapi
 * components:
 *   schemas:
 *     PublicStatus:
 *       type: object
 *       additionalProperties: false
 *       required: [site_mode, status_message, changed_at, version, capabilities, shard, time]
 *       properties:
 *         site_mode: { type: string, enum: [live, maintenance, closed] }
 *         status_message: { type: string, nullable: true }
 *         changed_at: { type: string, format: date-time, nullable: true }
 *         version: { type: string }
 *         capabilities: { type: array, items: { type: string } }
 *         shard:
 *           type: object
 *           additionalProperties: false
 *           required: [enabled, status]
 *           properties:
 *             enabled: { type: boolean }
 *             status: { type: string, enum: [connected, reconnecting, disconnected, error] }
 *         time: { type: string, format: date-time }
 */
export {};
