import type { WipeKind } from "../../../models/survival/survival-wipe.ts";
import type { Handlers } from "../kinds/handler.ts";
import type { Blueprints } from "../kinds/server.ts";
import { followSave } from "./follow-save.ts";

const kindOf: Readonly<Record<Blueprints, WipeKind>> = {
  kept: "map",
  wiped: "full",
  unknown: "unknown",
};

export const wipeHandlers: Handlers = {
  "world.wiped": async ({ payload, t }, ground) => {
    const { saveId, saveProtocol = null, previousProtocol = null, blueprints } = payload;
    await followSave(
      {
        saveId,
        saveProtocol,
        level: payload.level ?? null,
        seed: payload.seed ?? null,
        worldSize: payload.size ?? null,
        kind: kindOf[blueprints],
        // A save of another protocol cannot be loaded, so there was no choice.
        forced: previousProtocol !== null && previousProtocol !== saveProtocol,
      },
      t,
      ground,
    );
  },
};
