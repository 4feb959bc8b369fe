import { reaches, type Rung } from "../../platform/access/roles.ts";
import type { Visibility } from "../visibility/visibility.ts";

/** The lowest rungs whose searches match; null where nobody's do. */
export interface NeededRungs {
  readonly plain: Rung | null;
  /** For those that ask by facet or region: they would tell where vendors stand. */
  readonly byPlace: Rung | null;
}

/** Who may see a listing may learn of it by a search. */
export function neededRungs({ market }: Visibility): NeededRungs {
  const { enabled, audience, fieldRules } = market;
  if (!enabled) return { plain: null, byPlace: null };
  const ofPlaces = fieldRules["location"] ?? null;
  return {
    plain: audience,
    byPlace: ofPlaces && (reaches(ofPlaces, audience) ? ofPlaces : audience),
  };
}
