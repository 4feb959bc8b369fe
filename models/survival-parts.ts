import type { Association } from "./association.ts";
import type { Models } from "./definitions.ts";
import { ofNpcs } from "./npc-associations.ts";
import { ofSurvival } from "./survival-associations.ts";
import { ofSurvivalPushes } from "./survival-push-associations.ts";

/** What belongs to survival servers, part by part. */
export const ofSurvivalParts = (models: Models): Association[] =>
  [ofSurvival, ofSurvivalPushes, ofNpcs].flatMap((part) => part(models));
