import type { exportParts } from "../../../shared/own-data/catalogue.ts";
import { accountParts } from "./account-parts.ts";
import { gameParts } from "./game-parts.ts";
import { writtenParts } from "./written-parts.ts";

/** CATALOGUE of the component that describes each part of a user's data export, or each row of that part. */
export const partShapes: Readonly<Record<keyof typeof exportParts, string>> = {
  ...accountParts,
  ...gameParts,
  ...writtenParts,
};
