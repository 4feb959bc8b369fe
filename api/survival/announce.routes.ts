import Joi from "joi";

import {
  announceOnServers,
  type NewAnnouncement,
} from "../../shared/survival/announcements/announce.ts";
import { nameText } from "../../shared/visible-text.ts";
import { idField } from "../http/fields.ts";
import { route } from "../http/route.ts";
import { orderOf } from "../shard/order.ts";

export const announceRoutes = [
  route({
    method: "post",
    path: "/api/v1/admin/survival/announce",
    gate: "roles:admin,moderator",
    set: "additive",
    tag: "Survival staff",
    summary: "Announce a message on survival servers",
    description:
      "Shows a message in the chat of the game servers, in the style that is set under " +
      "`/admin/survival/voice`. Returns a status for each server; a server that did not show the " +
      "message does not fail the request. Send an `Idempotency-Key` to retry safely: without " +
      "one, a repeat shows the message again. Recorded in the ledger and in the activity log as " +
      "`survival.announce.sent`. 400 for an unknown server id; then no server shows the message.",
    body: Joi.object<NewAnnouncement>({
      message: nameText(512).required(),
      serverIds: Joi.array<number[]>()
        .items(idField)
        .unique()
        .min(1)
        .max(100)
        .description("Servers to announce on. If omitted, all enabled servers."),
    }).example({ message: "The boss wakes in five minutes.", serverIds: [3] }),
    takes: ["Idempotency-Key"],
    answers: { 200: "SurvivalAnnounced" },
    handle: (input, context) => announceOnServers(input.body, orderOf(input), context),
  }),
];
