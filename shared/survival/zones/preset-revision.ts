import type { SurvivalZonePreset } from "../../../models/survival/survival-zone-preset.ts";
import { hashOf } from "../../platform/based-on.ts";

/** The revision of a zone preset: of all that staff say of it. */
export const presetRevision = ({
  key,
  name,
  document,
  maxDurationSec,
  color,
  serverIds,
}: SurvivalZonePreset): string => hashOf([key, name, document, maxDurationSec, color, serverIds]);
