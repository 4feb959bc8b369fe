import type { exportParts } from "../../../shared/own-data/catalogue.ts";
import { accountPartComponents } from "./account-parts.ts";
import { gamePartComponents } from "./game-parts.ts";
import { contentPartComponents } from "./written-parts.ts";

/** CATALOGUE of the component that describes each part of a user's data export, or each row of that part. */
export const exportPartComponents: Readonly<Record<keyof typeof exportParts, string>> = {
  ...accountPartComponents,
  ...gamePartComponents,
  ...contentPartComponents,
};
