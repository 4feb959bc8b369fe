import type { exportParts } from "../../../shared/own-data/catalogue.ts";
import { accountParts } from "./account-parts.ts";
import { gameParts } from "./game-parts.ts";
import { writtenParts } from "./written-parts.ts";

/** CATALOGUE of the components for the parts of a user's data export, or for their rows. */
export const partShapes: Readonly<Record<keyof typeof exportParts, string>> = {
  ...accountParts,
  ...gameParts,
  ...writtenParts,
};
