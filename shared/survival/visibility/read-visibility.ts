import type { Caller } from "../../platform/access/caller.ts";
import { reaches, type Rung, rungOf } from "../../platform/access/roles.ts";
import type { Context } from "../../platform/context.ts";
import { AppError } from "../../platform/errors/errors.ts";
import {
  mergeSurvivalVisibility,
  type SingleAudience,
  type SurvivalVisibility,
  type SurvivalVisibilityOverrides,
} from "./visibility.ts";

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
