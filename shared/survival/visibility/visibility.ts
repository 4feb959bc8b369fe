import { ladder, reaches, type Rung } from "../../platform/access/roles.ts";

/** What the map shows in parts, each for an audience of its own. */
export const mapLayers = ["world", "events", "players", "bases"] as const;
export type MapLayer = (typeof mapLayers)[number];

/** The audiences of one rung each. */
export const singleAudiences = ["presence", "roster", "profiles"] as const;
export type SingleAudience = (typeof singleAudiences)[number];

/** Who may see what of survival servers: the lowest rung that does. */
export interface SurvivalVisibility extends Readonly<Record<SingleAudience, Rung>> {
  readonly liveMap: {
    /** Whether there is a live map for others than staff. */
    readonly card: boolean;
    readonly audience: Rung;
  };
  readonly layers: Readonly<Record<MapLayer, Rung>>;
}

/** What was set beside the defaults; monuments by their label, which are shown unless it says no. */
export interface SurvivalVisibilityOverrides extends Partial<Record<SingleAudience, Rung>> {
  readonly liveMap?: Partial<SurvivalVisibility["liveMap"]>;
  readonly layers?: Partial<SurvivalVisibility["layers"]>;
  readonly monuments?: Readonly<Record<string, boolean>>;
}

export const survivalDefaults: SurvivalVisibility = {
  presence: "logged_in",
  roster: "player",
  profiles: "anonymous",
  liveMap: { card: true, audience: "anonymous" },
  layers: { world: "anonymous", events: "anonymous", players: "staff", bases: "staff" },
};

/** Where players and their bases are helps whoever hunts them, so it is never open below staff. */
export const layerFloors: Readonly<Record<MapLayer, Rung>> = {
  world: "anonymous",
  events: "anonymous",
  players: "staff",
  bases: "staff",
};

/**
 * Lays what is stored over the defaults. What this release no longer knows, and what is below a
 * floor, is passed over, so that an old row opens nothing.
 */
export const mergeSurvivalVisibility = (
  stored: SurvivalVisibilityOverrides,
): SurvivalVisibility => ({
  presence: knownRung(stored.presence, survivalDefaults.presence),
  roster: knownRung(stored.roster, survivalDefaults.roster),
  profiles: knownRung(stored.profiles, survivalDefaults.profiles),
  liveMap: {
    card: stored.liveMap?.card ?? survivalDefaults.liveMap.card,
    audience: knownRung(stored.liveMap?.audience, survivalDefaults.liveMap.audience),
  },
  layers: {
    world: layerRung("world", stored),
    events: layerRung("events", stored),
    players: layerRung("players", stored),
    bases: layerRung("bases", stored),
  },
});

function layerRung(layer: MapLayer, { layers }: SurvivalVisibilityOverrides): Rung {
  const rung = knownRung(layers?.[layer], survivalDefaults.layers[layer]);
  return reaches(rung, layerFloors[layer]) ? rung : layerFloors[layer];
}

const knownRung = (rung: Rung | undefined, byDefault: Rung): Rung =>
  rung !== undefined && ladder.includes(rung) ? rung : byDefault;

/** Whether monuments of a label are shown. */
export const showsMonument = (
  { monuments = {} }: SurvivalVisibilityOverrides,
  label: string,
): boolean => !Object.hasOwn(monuments, label) || monuments[label] !== false;
