import { modelsOf } from "../../platform/db/transaction.ts";
import { setVoice } from "../calls/speech-calls.ts";
import type { PreparedPush, PushKind } from "../pushes/push-kind.ts";
import { storedVoice } from "./stored-voice.ts";

/** Tells a server in which style the site speaks; until somebody has set it, it keeps its own. */
export const voicePush: PushKind = {
  capability: "voice",
  prepare: async (_target, transaction): Promise<PreparedPush | null> => {
    const body = await storedVoice(modelsOf(transaction), transaction);
    if (!body) return null;
    return {
      enters: ["voice"],
      send: async (control, order) => {
        await control.command(setVoice, order, { body });
        return {};
      },
    };
  },
};
