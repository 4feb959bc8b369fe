import { familyFrames } from "./families.ts";
import type { Family } from "./families.ts";
import type { SurvivalGame } from "./game.ts";

/** Tells families again, after the answer to the call that asked, which says only that it was heard. */
export const createSurvivalResync = (game: SurvivalGame) => ({
  ask: (families: readonly Family[]): void =>
    game.afterwards(0, () => {
      for (const family of families) {
        for (const [kind, payload] of familyFrames(game, family)) game.emit(kind, payload);
      }
    }),
});
