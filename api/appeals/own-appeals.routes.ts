import Joi from "joi";

import {
  findOwnAppeal,
  listOwnAppeals,
  listOwnerMessages,
} from "../../shared/appeals/find-appeal.ts";
import { type OwnerMessage, writeOwnerMessage } from "../../shared/appeals/messages.ts";
import { type NewAppeal, openAppeal } from "../../shared/appeals/open-appeal.ts";
import {
  viewOwnAppeal,
  viewOwnerMessage,
  viewOwnerMessages,
} from "../../shared/appeals/owner-view.ts";
import type { Caller } from "../../shared/platform/access/caller.ts";
import { limits } from "../../shared/platform/limits.ts";
import type { ApiContext } from "../context.ts";
import { createAnswer } from "../http/answer.ts";
import { rowIdParams, limitField, offsetField } from "../http/fields.ts";
import { proseField } from "../http/prose.ts";
import { defineRoute } from "../http/route.ts";
import { accountField } from "../shard/fields.ts";

const common = { gate: "auth", set: "core", tag: "Appeals" } as const;

interface ById {
  readonly params: { readonly id: number };
  readonly caller: Caller;
}

const findOwn = ({ params: { id }, caller: { userId } }: ById, context: ApiContext) =>
  findOwnAppeal({ id, userId }, context);

export const ownAppealsRoutes = [
  /**
   * @openapi
   * components:
   *   schemas:
   *     Appeal:
   *       type: object
   *       additionalProperties: false
   *       required: [id, game, account, punishment, reason, state, assignee, created_at, updated_at, decided_at, decision_note, messages_count]
   *       properties:
   *         id: { type: integer }
   *         game: { type: string, enum: [shard] }
   *         account: { type: string }
   *         punishment: { $ref: '#/components/schemas/Punishment' }
   *         reason: { type: string, example: I did not use a macro; I was fishing by hand. }
   *         state: { $ref: '#/components/schemas/AppealState' }
   *         assignee: { type: object, nullable: true, enum: [null], description: Always null. Only staff see the assignee. }
   *         created_at: { type: string, format: date-time }
   *         updated_at: { type: string, format: date-time }
   *         decided_at: { type: string, format: date-time, nullable: true }
   *         decision_note: { type: string, nullable: true, description: Reason for the decision. Null before the decision. }
   *         messages_count: { type: integer, description: Number of messages in the appeal. Internal notes do not count. }
   *     AppealState:
   *       type: string
   *       enum: [open, assigned, accepted, reduced, rejected, withdrawn]
   *       description: >-
   *         State of the appeal. `open`: no staff member handles the appeal yet. `assigned`: a staff
   *         member handles the appeal. All other states are final.
   *     Punishment:
   *       type: object
   *       additionalProperties: false
   *       required: [id, kind, reason, issued_at, expires_at]
   *       properties:
   *         id: { type: integer, description: 'Number of the ban, which the game shows to the player.' }
   *         kind: { type: string, enum: [ban] }
   *         reason: { type: string, example: Unattended macroing }
   *         issued_at: { type: string, format: date-time }
   *         expires_at:
   *           type: string
   *           format: date-time
   *           nullable: true
   *           description: >-
   *             End of the ban. Null if the ban is permanent or the shard did not report its end.
   */
  defineRoute({
    ...common,
    method: "get",
    path: "/api/v1/player/appeals",
    summary: "List the caller's appeals",
    description:
      "Returns one page of the caller's appeals, newest first. The response never contains names " +
      "of staff members.",
    query: Joi.object<{ limit: number; offset: number }, true>({
      limit: limitField(limits.appealPage),
      offset: offsetField,
    }),
    answers: { 200: { enveloped: "appeals", shape: { listOf: "Appeal" } } },
    handle: async ({ query, caller }, context) => ({
      appeals: (await listOwnAppeals(caller.userId, query, context)).map(viewOwnAppeal),
    }),
  }),
  defineRoute({
    ...common,
    method: "post",
    path: "/api/v1/player/appeals",
    summary: "Appeal against a ban",
    description:
      "Opens an appeal against the active ban of a linked game account. 403 `account_not_linked` " +
      "if the account is not linked to the caller, 403 `appeals_disabled` while appeals are off. " +
      "409 `no_punishment` if the site knows of no active ban of the account, 409 " +
      "`appeal_exists` if an appeal against the ban is already open. 429 `appeal_cooling_down` " +
      "for a week after an appeal against the same ban was rejected, 429 `rate_limited` after " +
      "too many appeals.",
    body: Joi.object<NewAppeal, true>({
      account: accountField()
        .required()
        .description("Name of the linked game account. Case is ignored."),
      reason: proseField(limits.appealReason).required(),
    }).example({ account: "maple", reason: "I did not use a macro; I was fishing by hand." }),
    answers: {
      201: { enveloped: "appeal", shape: "Appeal" },
      403: "Error",
      409: "Error",
      429: "Error",
    },
    handle: async ({ body, caller }, context) =>
      createAnswer(201, { appeal: viewOwnAppeal(await openAppeal(body, caller, context)) }),
  }),
  /**
   * @openapi
   * components:
   *   schemas:
   *     OwnAppeal:
   *       type: object
   *       additionalProperties: false
   *       required: [appeal, messages]
   *       properties:
   *         appeal: { $ref: '#/components/schemas/Appeal' }
   *         messages: { type: array, items: { $ref: '#/components/schemas/AppealMessage' } }
   *     AppealMessage:
   *       type: object
   *       additionalProperties: false
   *       required: [id, author, body, created_at]
   *       properties:
   *         id: { type: integer, description: 'Number of the message: 1 for the first message that the owner can see, 2 for the second, and so on.' }
   *         author: { type: string, enum: [player, staff] }
   *         body: { type: string, example: Please send us the video. }
   *         created_at: { type: string, format: date-time }
   */
  defineRoute({
    ...common,
    method: "get",
    path: "/api/v1/player/appeals/:id",
    summary: "Retrieve one of the caller's appeals",
    description:
      "Returns the appeal with its messages, oldest message first. Internal notes and names of " +
      "staff members are not included. 404 `not_found` if the appeal is unknown or belongs to " +
      "another user.",
    params: rowIdParams,
    answers: { 200: "OwnAppeal", 404: "Error" },
    find: findOwn,
    handle: async ({ found }, context) => ({
      appeal: viewOwnAppeal(found),
      messages: viewOwnerMessages(await listOwnerMessages(found.id, context)),
    }),
  }),
  /**
   * @openapi
   * components:
   *   schemas:
   *     SaidByOwner:
   *       type: object
   *       additionalProperties: false
   *       required: [message, appeal]
   *       properties:
   *         message:
   *           description: The written message. Null if the request withdrew the appeal.
   *           oneOf:
   *             - $ref: '#/components/schemas/AppealMessage'
   *             - { type: object, nullable: true, enum: [null] }
   *         appeal: { $ref: '#/components/schemas/Appeal' }
   */
  defineRoute({
    ...common,
    method: "post",
    path: "/api/v1/player/appeals/:id/messages",
    summary: "Reply to an appeal or withdraw it",
    description:
      "Send `body` to reply, or `withdraw` to withdraw the appeal. A withdrawn appeal cannot be " +
      "reopened, but the player can open a new appeal against the ban. 409 `appeal_closed` if " +
      "the appeal was decided or withdrawn; 429 `rate_limited` after too many messages.",
    params: rowIdParams,
    body: Joi.object<OwnerMessage & { readonly internal?: false }>({
      body: proseField(limits.appealMessage),
      withdraw: Joi.boolean().valid(true).description("Withdraws the appeal."),
      internal: Joi.boolean()
        .valid(false)
        .description("Always false, because only staff can write internal notes."),
    })
      .xor("body", "withdraw")
      .messages({
        "object.missing": "body or withdraw is required",
        "object.xor": "withdraw and body cannot be combined",
      })
      .example({ body: "I can send a video of it." }),
    answers: { 201: "SaidByOwner", 404: "Error", 409: "Error", 429: "Error" },
    find: findOwn,
    handle: async ({ params: { id }, caller: { userId }, body }, context) => {
      const { said, appeal } = await writeOwnerMessage(body, { id, userId }, context);
      const message = said && viewOwnerMessage(said.message, said.number);
      return createAnswer(201, { message, appeal: viewOwnAppeal(appeal) });
    },
  }),
];
