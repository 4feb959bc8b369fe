import type { Caller } from "../../platform/access/caller.ts";
import { ladder, reaches, type Rung, rungOf } from "../../platform/access/roles.ts";
import type { Context } from "../../platform/context.ts";
import { AppError } from "../../platform/errors/errors.ts";

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

/** What one caller may see of the survival servers. */
export interface View {
  readonly rung: Rung;
  readonly visibility: SurvivalVisibility;
  /** What an administrator has set, where monuments of hidden labels stand too. */
  readonly override: SurvivalVisibilityOverrides;
  /** Whether the caller reaches an audience. */
  readonly reaches: (audience: Rung) => boolean;
}

type Parts = Pick<Context, "models">;

/** Reads what a caller, or nobody, may see now. */
export async function viewOf(caller: Caller | null, context: Parts): Promise<View> {
  const [override, rung] = await Promise.all([
    readOverride(context),
    survivalRungOf(caller, context),
  ]);
  const visibility = mergeSurvivalVisibility(override);
  return { rung, visibility, override, reaches: (audience) => reaches(rung, audience) };
}

/** @throws AppError when the caller does not reach what is named */
export async function checkSees(
  gated: SingleAudience,
  caller: Caller | null,
  context: Parts,
): Promise<void> {
  const { visibility, reaches: sees } = await viewOf(caller, context);
  if (!sees(visibility[gated])) throw new AppError("feature_locked", "Forbidden");
}

async function readOverride({ models }: Parts): Promise<SurvivalVisibilityOverrides> {
  const stored = await models.SurvivalVisibility.findByPk(1, {
    attributes: ["override"],
    raw: true,
  });
  return (stored?.override ?? {}) as SurvivalVisibilityOverrides;
}

/** Here a player is who has linked a Steam account, whatever is linked on the shard. */
async function survivalRungOf(caller: Caller | null, { models }: Parts): Promise<Rung> {
  if (!caller) return "anonymous";
  if (caller.apiToken || caller.role !== "player") return caller.rung;
  const links = await models.SteamLink.count({ where: { userId: caller.userId } });
  return rungOf(caller.role, links > 0);
}
