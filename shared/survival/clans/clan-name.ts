import type { SurvivalClan } from "../../../models/survival/players/survival-clan.ts";
import { plainText } from "../../platform/texts/plain-text.ts";

/** A clan's name as it is shown: by its id where nothing of the name can be. */
export const clanName = ({ name, clanId }: Pick<SurvivalClan, "name" | "clanId">): string =>
  plainText(name, 64) || clanId;
