import { reaches, type Rung } from "../../platform/access/roles.ts";
import { type Fields, plain, show, type View } from "../../shard/visibility/view.ts";
import {
  type MapLayer,
  mapLayers,
  showsMonument,
  type SurvivalVisibility,
  type SurvivalVisibilityOverrides,
} from "./visibility.ts";

/** Which layers of the map a rung gets. */
export const layersFor = (
  { layers }: SurvivalVisibility,
  rung: Rung,
): Readonly<Record<MapLayer, boolean>> => ({
  world: reaches(rung, layers.world),
  events: reaches(rung, layers.events),
  players: reaches(rung, layers.players),
  bases: reaches(rung, layers.bases),
});

/** The monuments that a rung gets: those of hidden labels are for nobody. */
export const monumentsFor = <Monument extends { readonly label: string }>(
  stored: SurvivalVisibilityOverrides,
  visibility: SurvivalVisibility,
  rung: Rung,
  monuments: readonly Monument[],
): Monument[] =>
  reaches(rung, visibility.layers.world)
    ? monuments.filter(({ label }) => showsMonument(stored, label))
    : [];

/**
 * How the live map answers a rung. `off`: as if there were none, which holds for everybody below
 * staff. `hidden`: without layers, because its audience stands higher.
 */
export type LiveAccess = "open" | "hidden" | "off";

export function liveAccess({ liveMap }: SurvivalVisibility, rung: Rung): LiveAccess {
  if (!liveMap.card && !reaches(rung, "staff")) return "off";
  return reaches(rung, liveMap.audience) ? "open" : "hidden";
}

/** What moves, by the layer that shows it; of each thing only these fields ever leave. */
export type LiveLayers = { readonly [Layer in Exclude<MapLayer, "world">]?: readonly object[] };

const liveViews: Readonly<Record<keyof LiveLayers, View>> = {
  events: plain("id", "type", "x", "z", "rotation", "label", "since"),
  players: plain("steamId", "name", "x", "z", "rotation", "health", "clan", "sleeping", "dead"),
  bases: {
    ...plain("id", "x", "z", "owner", "protectedUntil"),
    auth: { as: "values" },
  },
};

const liveLayers = mapLayers.filter((layer) => layer !== "world");

export interface LiveView {
  readonly hidden: boolean;
  readonly audience: Rung;
  /** A layer is there where the rung gets it, also an empty one; otherwise it is absent. */
  readonly layers: { readonly [Layer in keyof LiveLayers]?: readonly Fields[] };
}

/** What a rung sees of the live map, which must not be `off` for it. */
export function liveView(visibility: SurvivalVisibility, rung: Rung, live: LiveLayers): LiveView {
  const { audience } = visibility.liveMap;
  if (liveAccess(visibility, rung) !== "open") return { hidden: true, audience, layers: {} };
  const seen = liveLayers.filter((layer) => reaches(rung, visibility.layers[layer]));
  const entries = seen.map((layer) => [
    layer,
    (live[layer] ?? []).map((item) => shown(layer, item)),
  ]);
  return { hidden: false, audience, layers: Object.fromEntries(entries) as LiveView["layers"] };
}

const shown = (layer: keyof LiveLayers, item: object): Fields =>
  show(liveViews[layer], item, () => false);
