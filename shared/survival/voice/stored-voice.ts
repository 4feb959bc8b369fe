import type { Transaction } from "sequelize";

import type { Models } from "../../../models/index.ts";
import { type Voice, voiceOf } from "./voice.ts";

/** The site's voice, whole; null until somebody has set it. */
export async function storedVoice(
  { SurvivalVoice }: Pick<Models, "SurvivalVoice">,
  transaction?: Transaction,
): Promise<Voice | null> {
  const stored = await SurvivalVoice.findByPk(1, {
    raw: true,
    ...(transaction && { transaction }),
  });
  return stored?.voice ? voiceOf(stored.voice) : null;
}
