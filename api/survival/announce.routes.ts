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
    summary: "Tell the players of survival servers something",
    description: "Without `serverIds` on every enabled server.",
    body: Joi.object<NewAnnouncement>({
      message: nameText(512).required(),
      serverIds: Joi.array<number[]>().items(idField).unique().min(1).max(100),
    }).example({ message: "The boss wakes in five minutes.", serverIds: [3] }),
    takes: ["Idempotency-Key"],
    answers: { 200: "SurvivalAnnounced" },
    handle: (input, context) => announceOnServers(input.body, orderOf(input), context),
  }),
];
