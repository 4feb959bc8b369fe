import { isDeepStrictEqual } from "node:util";

import type { Transaction } from "sequelize";

import { clockNow } from "../../../models/queries/clock.ts";
import type { Caller } from "../../platform/access/caller.ts";
import { recordActivity } from "../../platform/activity/activity.ts";
import { hashOf, requireBase } from "../../platform/based-on.ts";
import type { Context } from "../../platform/context.ts";
import { inTransaction, modelsOf } from "../../platform/db/transaction.ts";
import type { SurvivalContext } from "../context.ts";
import { askForPush } from "../pushes/ask-for-push.ts";
import { defaultVoice, type Voice, type VoiceChange, voiceOf } from "./voice.ts";

/**
 * @openapi
 * components:
 *   schemas:
 *     SurvivalVoice:
 *       type: object
 *       description: The style in which the site's messages appear in the chat of the games.
 *       additionalProperties: false
 *       required: [name, title, username, message, format, iconSteamId, prefix, revision, updatedAt, updatedBy]
 *       properties:
 *         name: { type: string, example: Announcement, description: Name that the chat shows as the sender of the site's messages. }
 *         title:
 *           type: object
 *           description: Title that the chat shows before the sender's name.
 *           additionalProperties: false
 *           required: [text, color, size, hidden]
 *           properties:
 *             text: { type: string, example: Announcement }
 *             color: { type: string, example: '#ffaa55' }
 *             size: { type: integer, example: 15, description: Font size of the game's chat. }
 *             hidden: { type: boolean, description: Whether messages are shown without the title. }
 *         username:
 *           type: object
 *           additionalProperties: false
 *           required: [color, size]
 *           properties:
 *             color: { type: string, example: '#ffaa55' }
 *             size: { type: integer, example: 15 }
 *         message:
 *           type: object
 *           additionalProperties: false
 *           required: [color, size]
 *           properties:
 *             color: { type: string, example: '#ffffff' }
 *             size: { type: integer, example: 15 }
 *         format:
 *           type: object
 *           description: >-
 *             Templates of a message, in the chat (`chat`) and on the console (`console`).
 *           additionalProperties: false
 *           required: [chat, console]
 *           properties:
 *             chat: { type: string, example: '{Title}: {Message}' }
 *             console: { type: string, example: '{Title}: {Message}' }
 *         iconSteamId:
 *           type: string
 *           nullable: true
 *           example: '76561198000000001'
 *           description: >-
 *             SteamID64 of the account whose avatar the chat shows next to the site's messages.
 *             Null for the default icon.
 *         prefix: { type: string, nullable: true, example: Guildhall }
 *         revision: { $ref: '#/components/schemas/Revision' }
 *         updatedAt:
 *           type: string
 *           format: date-time
 *           nullable: true
 *           description: When the style was last changed. Null while the default values apply.
 *         updatedBy: { type: string, nullable: true, example: robin }
 */
export interface VoiceView extends Voice {
  readonly updatedAt: Date | null;
  readonly updatedBy: string | null;
  readonly revision: string;
}

export async function readVoice(
  { models }: Pick<Context, "models">,
  transaction: Transaction | null = null,
): Promise<VoiceView> {
  const stored = await models.SurvivalVoice.findByPk(1, {
    transaction,
    include: [{ association: "changedBy", attributes: ["username"] }],
    rejectOnEmpty: true,
  });
  const changedBy = stored.get("changedBy") as { readonly username: string } | null;
  const voice = stored.voice ? voiceOf(stored.voice) : defaultVoice;
  const { updatedAt } = stored;
  return { ...voice, revision: hashOf(voice), updatedAt, updatedBy: changedBy?.username ?? null };
}

/** Writes the whole voice, and has every server told. */
export async function changeVoice(
  change: VoiceChange,
  caller: Caller,
  context: SurvivalContext,
): Promise<VoiceView> {
  const voice = { ...voiceOf(change) };
  return inTransaction(context.sequelize, async (transaction) => {
    const { SurvivalVoice } = modelsOf(transaction);
    const lock = transaction.LOCK.NO_KEY_UPDATE;
    const stored = await SurvivalVoice.findByPk(1, { transaction, lock, rejectOnEmpty: true });
    const before = stored.voice ? voiceOf(stored.voice) : defaultVoice;
    requireBase(hashOf(before));
    await stored.update(
      { voice, updatedAt: clockNow(), updatedBy: caller.userId },
      { transaction },
    );
    const detail = { fields: changedParts(before, voice) };
    await recordActivity({ actor: caller, action: "survival.voice.changed", detail }, transaction);
    const ask = { names: ["voice"], serverIds: "all", reason: "voice" } as const;
    await askForPush(ask, context, transaction);
    return readVoice(context, transaction);
  });
}

const changedParts = (before: Voice, after: Voice): string[] =>
  (Object.keys(after) as (keyof Voice)[]).filter(
    (part) => !isDeepStrictEqual(before[part], after[part]),
  );
