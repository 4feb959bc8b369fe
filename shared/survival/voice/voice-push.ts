import { modelsOf } from "../../db/transaction.ts";
import { setVoice } from "../calls/speech-calls.ts";
import type { PreparedPush, PushKind } from "../pushes/push-kind.ts";
import { voiceOf } from "./voice.ts";

/** Tells a server in which style the site speaks; until somebody has set it, it keeps its own. */
export const voicePush: PushKind = {
  capability: "voice",
  prepare: async (_target, transaction): Promise<PreparedPush | null> => {
    const { SurvivalVoice } = modelsOf(transaction);
    const stored = await SurvivalVoice.findByPk(1, { raw: true, transaction });
    if (!stored?.voice) return null;
    const body = voiceOf(stored.voice);
    return {
      enters: ["voice"],
      send: async (control, order) => {
        await control.command(setVoice, order, { body });
        return {};
      },
    };
  },
};
