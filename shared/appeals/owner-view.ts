import type { AppealMessage } from "../../models/appeals/appeal-message.ts";
import type { Appeal } from "../../models/appeals/appeal.ts";
import type { Punishment } from "../../models/shard/punishment.ts";

/**
 * @openapi
 * components:
 *   schemas:
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
export const viewPunishment = ({ id, kind, reason, issuedAt, expiresAt }: Punishment) => ({
  id,
  kind,
  reason,
  issued_at: issuedAt,
  expires_at: expiresAt,
});

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
 *     OwnAppeal:
 *       type: object
 *       additionalProperties: false
 *       required: [appeal, messages]
 *       properties:
 *         appeal: { $ref: '#/components/schemas/Appeal' }
 *         messages: { type: array, items: { $ref: '#/components/schemas/AppealMessage' } }
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
export const viewOwnAppeal = (appeal: Appeal) => ({
  id: appeal.id,
  game: "shard",
  account: appeal.account,
  punishment: viewPunishment(punishmentOf(appeal)),
  reason: appeal.reason,
  state: appeal.state,
  assignee: null,
  created_at: appeal.createdAt,
  updated_at: appeal.updatedAt,
  decided_at: appeal.decidedAt,
  decision_note: appeal.decisionNote,
  messages_count: appeal.messagesCount,
});

/**
 * @openapi
 * components:
 *   schemas:
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
export const viewOwnerMessages = (messages: readonly AppealMessage[]) =>
  messages.map((message, index) => viewOwnerMessage(message, index + 1));

/** @param number its place among the messages that the owner sees: ids would tell of notes between */
export const viewOwnerMessage = ({ author, body, createdAt }: AppealMessage, number: number) => ({
  id: number,
  author,
  body,
  created_at: createdAt,
});

/** @throws where the appeal was read without it */
export function punishmentOf({ punishment }: Appeal): Punishment {
  if (!punishment) throw new Error("an appeal was read without its punishment");
  return punishment;
}
