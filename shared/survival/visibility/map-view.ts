import { isInAudience, type Rung } from "../../platform/access/roles.ts";
import {
  type PayloadFields,
  plainViews,
  pickVisibleFields,
  type PayloadView,
} from "../../shard/visibility/view.ts";
import {
  type MapLayer,
  mapLayers,
  isMonumentVisible,
  type SurvivalVisibility,
  type SurvivalVisibilityOverrides,
} from "./visibility.ts";

export const listVisibleLayers = (
  { layers }: SurvivalVisibility,
  rung: Rung,
): Readonly<Record<MapLayer, boolean>> => ({
  world: isInAudience(rung, layers.world),
  events: isInAudience(rung, layers.events),
  players: isInAudience(rung, layers.players),
  bases: isInAudience(rung, layers.bases),
});

/** Returns the monuments that an access level may see. A monument with a hidden label is shown to nobody. */
export const listVisibleMonuments = <Monument extends { readonly label: string }>(
  stored: SurvivalVisibilityOverrides,
  visibility: SurvivalVisibility,
  rung: Rung,
  monuments: readonly Monument[],
): Monument[] =>
  isInAudience(rung, visibility.layers.world)
    ? monuments.filter(({ label }) => isMonumentVisible(stored, label))
    : [];

/**
 * `off`: only staff have a live map. `hidden`: the caller's access level is too low, so the map has no layers.
 */
export type LiveAccess = "open" | "hidden" | "off";

export function findLiveAccess({ liveMap }: SurvivalVisibility, rung: Rung): LiveAccess {
  if (!liveMap.card && !isInAudience(rung, "staff")) return "off";
  return isInAudience(rung, liveMap.audience) ? "open" : "hidden";
}

/** Moving objects by layer. Only the fields of `liveViews` leave the site. */
export type LiveLayers = { readonly [Layer in Exclude<MapLayer, "world">]?: readonly object[] };

const liveViews: Readonly<Record<keyof LiveLayers, PayloadView>> = {
  events: plainViews("id", "type", "x", "z", "rotation", "label", "since"),
  players: plainViews(
    "steamId",
    "name",
    "x",
    "z",
    "rotation",
    "health",
    "clan",
    "sleeping",
    "dead",
  ),
  bases: {
    ...plainViews("id", "x", "z", "owner", "protectedUntil"),
    auth: { as: "values" },
  },
};

const liveLayers = mapLayers.filter((layer) => layer !== "world");

export interface LiveMapView {
  readonly hidden: boolean;
  readonly audience: Rung;
  /** A layer is present if the access level may see it, even if it has no objects. */
  readonly layers: { readonly [Layer in keyof LiveLayers]?: readonly PayloadFields[] };
}

/** Returns the layers of the live map that an access level may see. Do not call it with the access `off`. */
export function filterLiveMap(
  visibility: SurvivalVisibility,
  rung: Rung,
  live: LiveLayers,
): LiveMapView {
  const { audience } = visibility.liveMap;
  if (findLiveAccess(visibility, rung) !== "open") return { hidden: true, audience, layers: {} };
  const seen = liveLayers.filter((layer) => isInAudience(rung, visibility.layers[layer]));
  const entries = seen.map((layer) => [
    layer,
    (live[layer] ?? []).map((item) => showItem(layer, item)),
  ]);
  return { hidden: false, audience, layers: Object.fromEntries(entries) as LiveMapView["layers"] };
}

const showItem = (layer: keyof LiveLayers, item: object): PayloadFields =>
  pickVisibleFields(liveViews[layer], item, () => false);
