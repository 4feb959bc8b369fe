import Joi from "joi";

import { nameTextField } from "../../shared/platform/texts/visible-text.ts";
import {
  sendAnnouncement,
  type NewAnnouncement,
} from "../../shared/survival/chat/announcements.ts";
import { idField } from "../http/fields.ts";
import { defineRoute } from "../http/route.ts";
import { createCommandRequest } from "../shard/order.ts";

export const announceRoutes = [
  /**
   * @openapi
   * components:
   *   schemas:
   *     SurvivalAnnounced:
   *       type: object
   *       additionalProperties: false
   *       required: [results]
   *       properties:
   *         results:
   *           type: array
   *           items:
   *             type: object
   *             additionalProperties: false
   *             required: [serverId, status]
   *             properties:
   *               serverId: { type: integer, example: 3 }
   *               status:
   *                 type: string
   *                 enum: [sent, offline, failed, unsupported]
   *                 description: >-
   *                   Result of the announcement on the server. `sent`: the server showed the
   *                   message. `offline`: the server is offline or disabled. `unsupported`: the
   *                   server's plugin cannot show announcements. `failed`: the server refused the
   *                   message, or its response was lost. If the response was lost, players may have
   *                   seen the message, and the state of the ledger entry is `lost`.
   */
  defineRoute({
    method: "post",
    path: "/api/v1/admin/survival/announce",
    gate: "roles:admin,moderator",
    set: "additive",
    tag: "Survival staff",
    summary: "Announce a message on survival servers",
    description:
      "Shows a message in the chat of the game servers, in the style that `PUT " +
      "/admin/survival/voice` sets. Returns a status for each server; if a server does not show " +
      "the message, the request still succeeds. To retry safely, send an `Idempotency-Key`: " +
      "without a key, a repeated request shows the message again. The ledger records the " +
      "request, and the activity log records it as `survival.announce.sent`. 400 if a server id " +
      "is unknown; in this case, no server shows the message.",
    body: Joi.object<NewAnnouncement>({
      message: nameTextField(512).required(),
      serverIds: Joi.array<number[]>()
        .items(idField)
        .unique()
        .min(1)
        .max(100)
        .description(
          "Ids of the servers on which the message is shown. If absent, the message is shown on " +
            "all enabled servers.",
        ),
    }).example({ message: "The boss wakes in five minutes.", serverIds: [3] }),
    takes: ["Idempotency-Key"],
    answers: { 200: "SurvivalAnnounced" },
    handle: (input, context) => sendAnnouncement(input.body, createCommandRequest(input), context),
  }),
];
