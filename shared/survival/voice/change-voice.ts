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
