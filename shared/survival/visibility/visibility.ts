import type { Caller } from "../../platform/access/caller.ts";
import { audienceLadder, isInAudience, type Rung, rungOf } from "../../platform/access/roles.ts";
import type { Context } from "../../platform/context.ts";
import { AppError } from "../../platform/errors/errors.ts";

/** Layers of the map, each with its own audience. */
export const mapLayers = ["world", "events", "players", "bases"] as const;
export type MapLayer = (typeof mapLayers)[number];

/** Settings that consist of one audience. */
export const singleAudiences = ["presence", "roster", "profiles"] as const;
export type SingleAudience = (typeof singleAudiences)[number];

/** The audience of each kind of data: the lowest access level that may see it. */
export interface SurvivalVisibility extends Readonly<Record<SingleAudience, Rung>> {
  readonly liveMap: {
    /** False if only staff have a live map. */
    readonly card: boolean;
    readonly audience: Rung;
  };
  readonly layers: Readonly<Record<MapLayer, Rung>>;
}

/** The settings that differ from the defaults. Monuments are listed by label; false hides them. */
export interface SurvivalVisibilityOverrides extends Partial<Record<SingleAudience, Rung>> {
  readonly liveMap?: Partial<SurvivalVisibility["liveMap"]>;
  readonly layers?: Partial<SurvivalVisibility["layers"]>;
  readonly monuments?: Readonly<Record<string, boolean>>;
}

export const defaultSurvivalVisibility: SurvivalVisibility = {
  presence: "logged_in",
  roster: "player",
  profiles: "anonymous",
  liveMap: { card: true, audience: "anonymous" },
  layers: { world: "anonymous", events: "anonymous", players: "staff", bases: "staff" },
};

/** Positions of players and bases help to hunt players, so they are never visible below staff. */
export const minLayerAudiences: Readonly<Record<MapLayer, Rung>> = {
  world: "anonymous",
  events: "anonymous",
  players: "staff",
  bases: "staff",
};

/**
 * Merges settings with defaults. Ignores invalid values, and audiences below the minimum, so that old rows reveal
 * nothing.
 */
export const mergeSurvivalVisibility = (
  stored: SurvivalVisibilityOverrides,
): SurvivalVisibility => ({
  presence: knownRung(stored.presence, defaultSurvivalVisibility.presence),
  roster: knownRung(stored.roster, defaultSurvivalVisibility.roster),
  profiles: knownRung(stored.profiles, defaultSurvivalVisibility.profiles),
  liveMap: {
    card: stored.liveMap?.card ?? defaultSurvivalVisibility.liveMap.card,
    audience: knownRung(stored.liveMap?.audience, defaultSurvivalVisibility.liveMap.audience),
  },
  layers: {
    world: layerRung("world", stored),
    events: layerRung("events", stored),
    players: layerRung("players", stored),
    bases: layerRung("bases", stored),
  },
});

function layerRung(layer: MapLayer, { layers }: SurvivalVisibilityOverrides): Rung {
  const rung = knownRung(layers?.[layer], defaultSurvivalVisibility.layers[layer]);
  return isInAudience(rung, minLayerAudiences[layer]) ? rung : minLayerAudiences[layer];
}

const knownRung = (rung: Rung | undefined, byDefault: Rung): Rung =>
  rung !== undefined && audienceLadder.includes(rung) ? rung : byDefault;

/** True if monuments with this label are visible. */
export const isMonumentVisible = (
  { monuments = {} }: SurvivalVisibilityOverrides,
  label: string,
): boolean => !Object.hasOwn(monuments, label) || monuments[label] !== false;

/** The access of one caller to survival servers. */
export interface CallerAccess {
  readonly rung: Rung;
  readonly visibility: SurvivalVisibility;
  /** The administrator's settings, including hidden labels. */
  readonly override: SurvivalVisibilityOverrides;
  /** Returns true if the caller is in an audience. */
  readonly reaches: (audience: Rung) => boolean;
}

type Parts = Pick<Context, "models">;

/** Reads a caller's present access. The caller is null if not signed in. */
export async function readCallerAccess(
  caller: Caller | null,
  context: Parts,
): Promise<CallerAccess> {
  const [override, rung] = await Promise.all([
    readSurvivalOverrides(context),
    survivalRungOf(caller, context),
  ]);
  return accessOf(rung, override);
}

/** Returns the access of an access level under the administrator's settings. */
export const accessOf = (rung: Rung, override: SurvivalVisibilityOverrides): CallerAccess => ({
  rung,
  visibility: mergeSurvivalVisibility(override),
  override,
  reaches: (audience) => isInAudience(rung, audience),
});

/** @throws AppError feature_locked if the caller is not in the audience */
export async function requireAudience(
  gated: SingleAudience,
  caller: Caller | null,
  context: Parts,
): Promise<void> {
  const { visibility, reaches: sees } = await readCallerAccess(caller, context);
  if (!sees(visibility[gated])) throw new AppError("feature_locked", "Forbidden");
}

export async function readSurvivalOverrides({
  models,
}: Parts): Promise<SurvivalVisibilityOverrides> {
  const stored = await models.SurvivalVisibility.findByPk(1, {
    attributes: ["override"],
    raw: true,
  });
  return (stored?.override ?? {}) as SurvivalVisibilityOverrides;
}

/** On survival servers, a player is a user with a linked Steam account, not a shard account. */
export async function survivalRungOf(caller: Caller | null, { models }: Parts): Promise<Rung> {
  if (!caller) return "anonymous";
  if (caller.apiToken || caller.role !== "player") return caller.rung;
  const links = await models.SteamLink.count({ where: { userId: caller.userId } });
  return rungOf(caller.role, links > 0);
}
