import Joi from "joi";

import { appealStates } from "../../models/appeals/appeal.ts";
import { decideAppeal, type Decision, outcomes } from "../../shared/appeals/decide-appeal.ts";
import {
  type AppealSearch,
  findAppeal,
  listStaffMessages,
  searchAppeals,
} from "../../shared/appeals/find-appeal.ts";
import { type StaffMessage, writeAsStaff } from "../../shared/appeals/staff-messages.ts";
import { limits } from "../../shared/limits.ts";
import type { ApiContext } from "../context.ts";
import { answer } from "../http/answer.ts";
import { byId, idField, limitField, offsetField } from "../http/fields.ts";
import { proseField } from "../http/prose.ts";
import { route } from "../http/route.ts";
import { viewStaffAppeal, viewStaffMessage, viewUnban } from "./views.ts";

const common = { gate: "roles:admin,moderator", set: "additive", tag: "Appeals" } as const;

interface ById {
  readonly params: { readonly id: number };
}

const find = ({ params: { id } }: ById, context: ApiContext) => findAppeal(id, context);

export const appealsRoutes = [
  route({
    ...common,
    method: "get",
    path: "/api/v1/admin/appeals",
    summary: "The queue of appeals, the oldest first",
    // A form sends its empty fields along: they ask for nothing.
    query: Joi.object<AppealSearch>({
      state: Joi.string()
        .valid(...appealStates)
        .empty("")
        .description("Only those of a state."),
      assignee: Joi.alternatives(Joi.string().valid("none"), idField)
        .empty("")
        .description("Only those that a user looks after, by id; `none`: that nobody does."),
      limit: limitField(limits.appealPage),
      offset: offsetField,
    }),
    answers: { 200: "StaffAppealPage" },
    handle: async ({ query }, context) => {
      const { appeals, counts } = await searchAppeals(query, context);
      return { appeals: appeals.map(viewStaffAppeal), counts };
    },
  }),
  route({
    ...common,
    method: "get",
    path: "/api/v1/admin/appeals/:id",
    summary: "One appeal with its messages and notes",
    params: byId,
    answers: { 200: "StaffAppealAndMessages", 404: "Error" },
    find,
    handle: async ({ found }, context) => ({
      appeal: viewStaffAppeal(found),
      messages: (await listStaffMessages(found.id, context)).map(viewStaffMessage),
    }),
  }),
  route({
    ...common,
    method: "post",
    path: "/api/v1/admin/appeals/:id/messages",
    summary: "Write to the owner of an appeal, or a note about it",
    description:
      "The first to write takes the appeal on; `assign` takes it over from whoever has it, with " +
      "or without a text. Notes may follow a decision, replies may not.",
    params: byId,
    body: Joi.object<StaffMessage>({
      body: proseField(limits.appealMessage),
      internal: Joi.boolean().description("A note that staff alone read."),
      assign: Joi.boolean().valid(true).description("Takes the appeal over."),
    })
      .or("body", "assign")
      .with("internal", "body")
      .messages({ "object.missing": "body or assign is required" })
      .example({ body: "Please send us the video.", internal: false }),
    answers: { 201: "WrittenByStaff", 404: "Error", 409: "Error" },
    find,
    handle: async ({ found, caller, body }, context) => {
      const message = await writeAsStaff(body, { found, caller }, context);
      return answer(201, { message: message ? viewStaffMessage(message) : null });
    },
  }),
  route({
    ...common,
    method: "post",
    path: "/api/v1/admin/appeals/:id/decision",
    summary: "Decide an open appeal",
    description:
      "With `unban` the shard is told to lift the ban, for a day where it cannot be reached; the " +
      "answer comes after five seconds at most, and the appeal shows how the unban stands. " +
      "`reduced` changes nothing by itself: ban again for the shorter time.",
    params: byId,
    body: Joi.object<Decision>({
      outcome: Joi.string()
        .valid(...outcomes)
        .required(),
      note: proseField(limits.appealMessage).required().description("The owner is shown it."),
      unban: Joi.boolean().description("Of an accepted appeal alone."),
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
