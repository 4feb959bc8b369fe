import { matchClientId } from "../../../models/queries/any-id.ts";
import type { SurvivalNpcPlacement } from "../../../models/survival/npcs/survival-npc-placement.ts";
import type { PlacementState } from "../../../models/survival/npcs/survival-npc-state.ts";
import type { Context } from "../../platform/context.ts";
import { notFoundError, invalidRequestError } from "../../platform/errors/errors.ts";
import { findServer, type ServerRecord } from "../servers/read-servers.ts";
import type { PlacementPath } from "./change-placements.ts";
import { isPlacementInWorld } from "./sync/pending-changes.ts";

type Database = Pick<Context, "models" | "sequelize">;

/** A placement with its state in the game. */
export interface PlacementRecord {
  readonly placement: SurvivalNpcPlacement;
  /** True if the placement is enabled and belongs to the current world. */
  readonly enabled: boolean;
  /** The game's current report on the placement; null if unknown. */
  readonly life: PlacementState | null;
  readonly problem: string | null;
}

export interface Placements {
  readonly placements: readonly PlacementRecord[];
  /** True if the game's reports are current. */
  readonly live: boolean;
}

/** Reads the placements of a server, ordered by name. @throws AppError missing for an unknown server */
export async function readPlacements(serverId: number, context: Database): Promise<Placements> {
  const record = await findServer(serverId, context);
  const { models } = context;
  const [placements, lives, profiles] = await Promise.all([
    models.SurvivalNpcPlacement.findAll({
      where: { serverId: record.server.id },
      include: [{ association: "changedBy", attributes: ["username"] }],
      order: ["name", "id"],
    }),
    readPlacementStates(record, context),
    models.SurvivalNpcProfile.findAll({
      where: { isDeleted: false },
      attributes: ["key"],
      raw: true,
    }),
  ]);
  const keys = new Set(profiles.map(({ key }) => key));
  const saveId = record.state.saveId;
  return {
    live: lives !== null,
    placements: placements.map((placement) => {
      const reportedState = lives?.get(placement.name) ?? null;
      const isThere = isPlacementInWorld(placement, saveId);
      const problem = problemOf({ isThere, hasProfile: keys.has(placement.profileKey) });
      return {
        placement,
        enabled: placement.enabled && isThere,
        life: reportedState,
        problem: problem ?? reportedState?.problem ?? null,
      };
    }),
  };
}

/** Reads a placement. @throws AppError missing if it does not exist */
export async function findPlacement(
  path: PlacementPath,
  context: Database,
): Promise<PlacementRecord> {
  await requirePlacement(path, context);
  const { placements } = await readPlacements(path.serverId, context);
  const found = placements.find(({ placement }) => placement.id === path.placementId);
  if (!found) throw notFoundError("Unknown placement");
  return found;
}

/** Checks that a placement exists. @throws AppError missing if the server lacks it */
export async function requirePlacement(
  { serverId, placementId }: PlacementPath,
  context: Database,
): Promise<void> {
  const where = { id: matchClientId(placementId), serverId: matchClientId(serverId) };
  if ((await context.models.SurvivalNpcPlacement.count({ where })) > 0) return;
  await findServer(serverId, context);
  throw notFoundError("Unknown placement");
}

function problemOf({ isThere, hasProfile }: { isThere: boolean; hasProfile: boolean }) {
  if (!hasProfile) return "profile deleted";
  return isThere ? null : "map changed";
}

/** Ignores reports of a former game process. */
async function readPlacementStates(
  { online, source, server }: ServerRecord,
  { models }: Database,
): Promise<Map<string, PlacementState> | null> {
  if (!online) return null;
  const told = await models.SurvivalNpcServer.findByPk(server.id, { raw: true });
  if (!told?.placements || told.bootId !== source.bootId) return null;
  return new Map(told.placements.map((reportedState) => [reportedState.name, reportedState]));
}

interface PlacementName {
  readonly serverId: number;
  readonly name: string;
}

/**
 * Refuses a placement with more NPCs than the step allows, because the game always spawns all of them.
 * Placements that exist only in the game are not checked.
 * @throws AppError invalid
 */
export async function requirePlacementLimit(
  most: number,
  where: PlacementName,
  { models }: Pick<Context, "models">,
): Promise<void> {
  const found = await models.SurvivalNpcPlacement.findOne({ where: { ...where }, raw: true });
  if (!found || found.count <= most) return;
  throw invalidRequestError(
    `the placement ${where.name} has ${found.count} NPCs, but the step allows at most ${most}`,
  );
}
