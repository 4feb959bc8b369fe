import Joi from "joi";

import { appealStates } from "../../models/appeals/appeal.ts";
import {
  decideAppeal,
  type AppealDecision,
  appealOutcomes,
} from "../../shared/appeals/decide-appeal.ts";
import {
  type AppealSearch,
  findAppeal,
  listStaffMessages,
  searchAppeals,
} from "../../shared/appeals/find-appeal.ts";
import { type StaffMessage, writeStaffMessage } from "../../shared/appeals/messages.ts";
import { limits } from "../../shared/platform/limits.ts";
import { readReportsAgainst } from "../../shared/survival/reports/manage-reports.ts";
import type { ApiContext } from "../context.ts";
import { createAnswer } from "../http/answer.ts";
import { rowIdParams, idField, limitField, offsetField } from "../http/fields.ts";
import { proseField } from "../http/prose.ts";
import { defineRoute } from "../http/route.ts";
import { viewReportsAgainst } from "../survival/report-views.ts";
import { viewStaffAppeal, viewStaffMessage, viewUnban } from "./views.ts";

const common = { gate: "roles:admin,moderator", set: "additive", tag: "Appeals" } as const;

interface ById {
  readonly params: { readonly id: number };
}

const find = ({ params: { id } }: ById, context: ApiContext) => findAppeal(id, context);

export const appealsRoutes = [
  defineRoute({
    ...common,
    method: "get",
    path: "/api/v1/admin/appeals",
    summary: "List the appeals",
    description:
      "Returns one page of appeals, oldest first. `counts` contains the number of appeals in " +
      "each state. `counts` includes all appeals, not only those that match the filters.",
    // HTML forms send empty fields, which mean "no filter".
    query: Joi.object<AppealSearch>({
      state: Joi.string()
        .valid(...appealStates)
        .empty("")
        .description("Returns only appeals in this state."),
      assignee: Joi.alternatives(Joi.string().valid("none"), idField)
        .empty("")
        .description(
          "Id of a staff member: returns only appeals that are assigned to this user. With " +
            "`none`, returns only unassigned appeals.",
        ),
      limit: limitField(limits.appealPage),
      offset: offsetField,
    }),
    answers: { 200: "StaffAppealPage" },
    handle: async ({ query }, context) => {
      const { appeals, counts } = await searchAppeals(query, context);
      return { appeals: appeals.map(viewStaffAppeal), counts };
    },
  }),
  defineRoute({
    ...common,
    method: "get",
    path: "/api/v1/admin/appeals/:id",
    summary: "Retrieve an appeal",
    description:
      "Returns the appeal with its messages and internal notes, oldest message first, and with " +
      "the newest reports that players of survival servers sent about the owner of the appeal.",
    params: rowIdParams,
    answers: { 200: "StaffAppealAndMessages", 404: "Error" },
    find,
    handle: async ({ found, caller }, context) => ({
      appeal: viewStaffAppeal(found),
      messages: (await listStaffMessages(found.id, context)).map(viewStaffMessage),
      reports: viewReportsAgainst(await readReportsAgainst(found.userId, caller, context)),
    }),
  }),
  defineRoute({
    ...common,
    method: "post",
    path: "/api/v1/admin/appeals/:id/messages",
    summary: "Reply to an appeal or add a note",
    description:
      "Writes a message to the owner of the appeal or, with `internal`, a note that only staff " +
      "see. An unassigned open appeal is assigned to the caller. With `assign`, the appeal is " +
      "assigned to the caller even if another staff member handles it; the request may then omit " +
      "`body`. Unless `internal` is true, the owner is notified by a push message " +
      "(`appeal.update`). 409 `appeal_closed` if the appeal was decided or withdrawn, unless the " +
      "request only adds a note.",
    params: rowIdParams,
    body: Joi.object<StaffMessage>({
      body: proseField(limits.appealMessage),
      internal: Joi.boolean().description("Whether the message is a note that only staff see."),
      assign: Joi.boolean().valid(true).description("Assigns the appeal to the caller."),
    })
      .or("body", "assign")
      .with("internal", "body")
      .messages({ "object.missing": "body or assign is required" })
      .example({ body: "Please send us the video.", internal: false }),
    answers: { 201: "WrittenByStaff", 404: "Error", 409: "Error" },
    find,
    handle: async ({ found, caller, body }, context) => {
      const message = await writeStaffMessage(body, { found, caller }, context);
      return createAnswer(201, { message: message ? viewStaffMessage(message) : null });
    },
  }),
  defineRoute({
    ...common,
    method: "post",
    path: "/api/v1/admin/appeals/:id/decision",
    summary: "Decide an appeal",
    description:
      "Closes an open appeal. The owner is notified by a push message (`appeal.update`). With " +
      "`unban`, a job sends the unban command to the shard and retries it for up to a day. The " +
      "operation waits up to 5 seconds for the result of the command. If the result arrives " +
      "later, read it from the field `unban` of the appeal. The outcome `reduced` does not " +
      "change the ban itself: ban the account again for the shorter time. 403 `party_to_appeal` " +
      "if the caller opened the appeal, has linked the game account, or issued the ban and is " +
      "not an administrator. 409 `appeal_closed` if the appeal is already closed.",
    params: rowIdParams,
    body: Joi.object<AppealDecision>({
      outcome: Joi.string()
        .valid(...appealOutcomes)
        .required(),
      note: proseField(limits.appealMessage)
        .required()
        .description("Reason for the decision, shown to the owner."),
      unban: Joi.boolean().description(
        "Whether to lift the ban. Allowed only with the outcome `accepted`. Default: false.",
      ),
    }).example({ outcome: "accepted", note: "It was a mistake of ours.", unban: true }),
    basedOn: {
      when: "optional",
      as: "number",
      shownAs: "`messages_count`",
      current: async ({ params: { id } }, context) =>
        viewStaffAppeal(await findAppeal(id, context)),
    },
    answers: { 200: "DecidedAppeal", 403: "Error", 404: "Error", 409: "Error" },
    find,
    handle: async ({ found, caller, body }, context) => {
      const appeal = await decideAppeal(body, { found, caller }, context);
      return { appeal: viewStaffAppeal(appeal), unban: viewUnban(appeal) };
    },
  }),
];
