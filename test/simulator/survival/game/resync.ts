import { familyFrames } from "./families.ts";
import type { Family } from "./families.ts";
import type { SurvivalGame } from "./game.ts";

/** Sends families after the answer to the call, which only acknowledges the request. */
export const createSurvivalResync = (game: SurvivalGame) => ({
  ask: (families: readonly Family[]): void =>
    game.afterwards(0, () => {
      for (const family of families) {
        for (const [kind, payload] of familyFrames(game, family)) game.emit(kind, payload);
      }
    }),
});
