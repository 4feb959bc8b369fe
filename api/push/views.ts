import type { Role } from "../../models/auth/user.ts";
import { canSubscribe, pushStreamNames, streamOf } from "../../shared/facts/streams.ts";
import type { Config } from "../../shared/platform/config/config.ts";
import type { PushOutcome } from "../../shared/push/relay/faults.ts";
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
 *               kind: { type: string, enum: [public, personal, staff], description: 'Who can subscribe. `public`: every user. `personal`: every user, but the stream contains only events that concern the user, such as the user''s own sales. `staff`: only some staff roles.' }
 *         vapidPublicKey:
 *           type: string
 *           nullable: true
 *           description: >-
 *             VAPID public key, for `applicationServerKey` of `pushManager.subscribe()`. Null while
 *             push messages are off.
 */
export const viewStreams = (config: Config, role: Role) => ({
  streams: pushStreamNames
    .filter((id) => canSubscribe(id, role))
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
 *         delivered: { type: boolean, description: Whether the push relay responded with a 2xx status. }
 *         status: { type: integer, nullable: true, description: HTTP status of the push relay's response. Null if there was no response. }
 */
export const viewTestResult = ({ status, fault }: PushOutcome) => ({
  delivered: fault === null,
  status,
});
