import type { AppealMessage } from "../../models/appeals/appeal-message.ts";
import type { Appeal } from "../../models/appeals/appeal.ts";
import type { User } from "../../models/auth/user.ts";
import type { Punishment } from "../../models/shard/punishment.ts";
import { punishmentOf, viewOwnerMessage, viewPunishment } from "../../shared/appeals/owner-view.ts";

/**
 * @openapi
 * components:
 *   schemas:
 *     StaffPunishment:
 *       type: object
 *       additionalProperties: false
 *       required: [id, kind, reason, issued_at, expires_at, issued_by]
 *       properties:
 *         id: { type: integer, description: 'Number of the ban, which the game shows to the player.' }
 *         kind: { type: string, enum: [ban] }
 *         reason: { type: string, example: Unattended macroing }
 *         issued_at: { type: string, format: date-time }
 *         expires_at: { type: string, format: date-time, nullable: true, description: End of the ban. Null if the ban is permanent or the shard did not report its end. }
 *         issued_by: { $ref: '#/components/schemas/Issuer' }
 *     Issuer:
 *       type: object
 *       nullable: true
 *       additionalProperties: false
 *       required: [id, username]
 *       properties:
 *         id: { type: integer, nullable: true, description: Id of the user who issued the ban. Null if the ban was issued in the game. }
 *         username: { type: string, nullable: true, description: 'Username of the user who issued the ban. If the ban was issued in the game: the issuer''s name in the game.' }
 */
const viewStaffPunishment = (punishment: Punishment) => ({
  ...viewPunishment(punishment),
  issued_by: viewIssuer(punishment),
});

function viewIssuer({ issuer, issuerName }: Punishment) {
  if (issuer) return viewUser(issuer);
  return issuerName === null ? null : { id: null, username: issuerName };
}

/**
 * @openapi
 * components:
 *   schemas:
 *     NamedUser:
 *       type: object
 *       additionalProperties: false
 *       required: [id, username]
 *       properties:
 *         id: { type: integer }
 *         username: { type: string }
 */
const viewUser = ({ id, username }: User) => ({ id, username });

/**
 * @openapi
 * components:
 *   schemas:
 *     StaffAppeal:
 *       type: object
 *       additionalProperties: false
 *       required: [id, game, account, user, punishment, reason, state, assignee, created_at, updated_at, decided_at, decision_note, messages_count, unban]
 *       properties:
 *         id: { type: integer }
 *         game: { type: string, enum: [shard] }
 *         account: { type: string }
 *         user: { $ref: '#/components/schemas/NamedUser' }
 *         punishment: { $ref: '#/components/schemas/StaffPunishment' }
 *         reason: { type: string, example: I did not use a macro; I was fishing by hand. }
 *         state: { $ref: '#/components/schemas/AppealState' }
 *         assignee:
 *           description: Staff member who handles the appeal. Null if the appeal is unassigned.
 *           oneOf:
 *             - $ref: '#/components/schemas/NamedUser'
 *             - { type: object, nullable: true, enum: [null] }
 *         created_at: { type: string, format: date-time }
 *         updated_at: { type: string, format: date-time }
 *         decided_at: { type: string, format: date-time, nullable: true }
 *         decision_note: { type: string, nullable: true, description: Reason for the decision. Null before the decision. }
 *         messages_count: { type: integer, description: Number of messages and internal notes in the appeal. }
 *         unban: { $ref: '#/components/schemas/Unban' }
 *     StaffAppealPage:
 *       type: object
 *       additionalProperties: false
 *       required: [appeals, counts]
 *       properties:
 *         appeals: { type: array, items: { $ref: '#/components/schemas/StaffAppeal' } }
 *         counts:
 *           type: object
 *           description: >-
 *             Number of appeals in each state. Counts all appeals, not only those that match the
 *             filters.
 *           additionalProperties: false
 *           required: [open, assigned, accepted, reduced, rejected, withdrawn]
 *           properties:
 *             open: { type: integer }
 *             assigned: { type: integer }
 *             accepted: { type: integer }
 *             reduced: { type: integer }
 *             rejected: { type: integer }
 *             withdrawn: { type: integer }
 *     StaffAppealAndMessages:
 *       type: object
 *       additionalProperties: false
 *       required: [appeal, messages, reports]
 *       properties:
 *         appeal: { $ref: '#/components/schemas/StaffAppeal' }
 *         messages: { type: array, items: { $ref: '#/components/schemas/StaffAppealMessage' } }
 *         reports: { $ref: '#/components/schemas/ReportsAgainst' }
 *     DecidedAppeal:
 *       type: object
 *       additionalProperties: false
 *       required: [appeal, unban]
 *       properties:
 *         appeal: { $ref: '#/components/schemas/StaffAppeal' }
 *         unban: { $ref: '#/components/schemas/Unban' }
 */
export const viewStaffAppeal = (appeal: Appeal) => ({
  id: appeal.id,
  game: "shard",
  account: appeal.account,
  user: viewUser(ownerOf(appeal)),
  punishment: viewStaffPunishment(punishmentOf(appeal)),
  reason: appeal.reason,
  state: appeal.state,
  assignee: appeal.assignee ? viewUser(appeal.assignee) : null,
  created_at: appeal.createdAt,
  updated_at: later(appeal.updatedAt, appeal.notedAt),
  decided_at: appeal.decidedAt,
  decision_note: appeal.decisionNote,
  messages_count: appeal.messagesCount + appeal.notesCount,
  unban: viewUnban(appeal),
});

/**
 * @openapi
 * components:
 *   schemas:
 *     Unban:
 *       type: object
 *       nullable: true
 *       description: Progress of the unban. Null if the decision did not include an unban.
 *       additionalProperties: false
 *       required: [status, reason]
 *       properties:
 *         status: { type: string, enum: [done, queued, failed] }
 *         reason: { type: string, nullable: true, description: Why the last attempt to lift the ban failed. Null if no attempt has failed. }
 */
export const viewUnban = ({ unbanStatus, unbanReason }: Appeal) =>
  unbanStatus === null ? null : { status: unbanStatus, reason: unbanReason };

/**
 * @openapi
 * components:
 *   schemas:
 *     StaffAppealMessage:
 *       type: object
 *       additionalProperties: false
 *       required: [id, author, body, created_at, internal, author_name]
 *       properties:
 *         id: { type: integer }
 *         author: { type: string, enum: [player, staff] }
 *         body: { type: string, example: Please send us the video. }
 *         created_at: { type: string, format: date-time }
 *         internal: { type: boolean, description: Whether the message is a note that only staff see. }
 *         author_name: { type: string, nullable: true, description: Username of the author. Null if the author's account was deleted. }
 *     WrittenByStaff:
 *       type: object
 *       additionalProperties: false
 *       required: [message]
 *       properties:
 *         message:
 *           description: The written message. Null if the request only assigned the appeal.
 *           oneOf:
 *             - $ref: '#/components/schemas/StaffAppealMessage'
 *             - { type: object, nullable: true, enum: [null] }
 */
export const viewStaffMessage = (message: AppealMessage) => ({
  ...viewOwnerMessage(message, message.id),
  internal: message.internal,
  author_name: message.writer?.username ?? null,
});

const later = (one: Date, other: Date | null): Date => (other && other > one ? other : one);

function ownerOf({ user }: Appeal): User {
  if (!user) throw new Error("an appeal was read without its owner");
  return user;
}
