import type { SurvivalServer } from "../../../models/survival/survival-server.ts";

/** The seed of a server's world for everybody but its administrators; null where it is not shown. */
export const shownSeed = (
  { showSeed }: Pick<SurvivalServer, "showSeed">,
  seed: unknown,
): string | null =>
  showSeed && (typeof seed === "string" || typeof seed === "number") ? String(seed) : null;
