import type { Role } from "../../models/auth/user.ts";
import type { Config } from "../../shared/config/config.ts";
import { mayWant, streamNames, streamOf } from "../../shared/push/catalogue/streams.ts";
import type { Outcome } from "../../shared/push/relay/faults.ts";
import { vapidPublicKey } from "../../shared/push/relay/vapid.ts";

/**
 * @openapi
 * components:
 *   schemas:
 *     NotificationStreams:
 *       type: object
 *       additionalProperties: false
 *       required: [streams, vapidPublicKey]
 *       properties:
 *         streams:
 *           type: array
 *           items:
 *             type: object
 *             additionalProperties: false
 *             required: [id, label, kind]
 *             properties:
 *               id: { type: string, example: champ.start }
 *               label: { type: string, example: A champion spawn begins }
 *               kind: { type: string, enum: [public, personal, staff] }
 *         vapidPublicKey:
 *           type: string
 *           nullable: true
 *           description: >-
 *             What `pushManager.subscribe()` takes as `applicationServerKey`; null while push is
 *             off.
 */
export const viewStreams = (config: Config, role: Role) => ({
  streams: streamNames
    .filter((id) => mayWant(id, role))
    .map((id) => {
      const { label, kind } = streamOf(id);
      return { id, label, kind };
    }),
  vapidPublicKey: vapidPublicKey(config),
});

/**
 * @openapi
 * components:
 *   schemas:
 *     NotificationSubscriptions:
 *       type: object
 *       additionalProperties: false
 *       required: [streams]
 *       properties:
 *         streams: { type: array, items: { type: string, example: champ.start } }
 */
export const viewSubscriptions = (streams: readonly string[]) => ({ streams });

/**
 * @openapi
 * components:
 *   schemas:
 *     PushTest:
 *       type: object
 *       additionalProperties: false
 *       required: [delivered, status]
 *       properties:
 *         delivered: { type: boolean, description: The relay took the message. }
 *         status: { type: integer, nullable: true, description: What the relay answered; null without an answer. }
 */
export const viewTest = ({ status, fault }: Outcome) => ({ delivered: fault === null, status });
