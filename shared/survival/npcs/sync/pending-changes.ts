import { createHash } from "node:crypto";

import type { Transaction } from "sequelize";

import type { SurvivalNpcPlacement } from "../../../../models/survival/npcs/survival-npc-placement.ts";
import type { SurvivalNpcProfile } from "../../../../models/survival/npcs/survival-npc-profile.ts";
import type { SurvivalNpcPush } from "../../../../models/survival/npcs/survival-npc-push.ts";
import type { SurvivalNpcState } from "../../../../models/survival/npcs/survival-npc-state.ts";
import { modelsOf } from "../../../platform/db/transaction.ts";

export type ProfileToSend = Pick<SurvivalNpcProfile, "id" | "key" | "revision" | "document">;

/** The data that a server lacks. `profiles` and `placements` are null if the server has all of them. */
export interface PendingChanges {
  readonly profiles: {
    readonly sent: readonly ProfileToSend[];
    readonly removed: readonly string[];
    readonly factions: HashedList;
  } | null;
  readonly placements: HashedList | null;
}

/** A list that is always sent whole, with its hash. */
interface HashedList {
  readonly list: readonly object[];
  readonly hash: string;
}

/** @param chosen ids of profiles to send even if the server has them */
export async function readPendingChanges(
  serverId: number,
  chosen: readonly number[],
  transaction: Transaction,
): Promise<PendingChanges> {
  const models = modelsOf(transaction);
  const plain = { raw: true, transaction } as const;
  const known = await models.SurvivalNpcServer.findByPk(serverId, plain);
  const profiles = await models.SurvivalNpcProfile.findAll({
    where: { isDeleted: false },
    order: ["key"],
    ...plain,
  });
  const pushes = await models.SurvivalNpcPush.findAll({ where: { serverId }, ...plain });
  const pairs = await models.SurvivalFactionPair.findAll({ order: ["a", "b"], ...plain });
  const placements = await models.SurvivalNpcPlacement.findAll({
    where: { serverId },
    order: ["name"],
    ...plain,
  });
  const state = await models.SurvivalServerState.findByPk(serverId, plain);
  const isReady = state?.hello?.["worldReady"] !== false;
  const list = placements.map((placement) => sentPlacement(placement, state?.saveId ?? null));
  const last = { sentAt: known?.placementsSentAt, hash: known?.placementsHash };
  return {
    profiles: pendingProfiles({ profiles, pushes, pairs, chosen }, known),
    placements: isReady ? pendingList(list, last, known) : null,
  };
}

type ServerNpcState = SurvivalNpcState | null;

interface StoredNpcData {
  readonly profiles: readonly ProfileToSend[];
  readonly pushes: readonly SurvivalNpcPush[];
  readonly pairs: readonly object[];
  readonly chosen: readonly number[];
}

function pendingProfiles(
  { profiles, pushes, pairs, chosen }: StoredNpcData,
  known: ServerNpcState,
): PendingChanges["profiles"] {
  const pushOf = new Map(pushes.map((push) => [push.key, push]));
  const sent = profiles.filter(
    (profile) =>
      chosen.includes(profile.id) || !isProfileSynced(profile, pushOf.get(profile.key), known),
  );
  const keys = new Set(profiles.map(({ key }) => key));
  const removed = pushes
    .filter(({ key, isThere }) => isThere && !keys.has(key))
    .map(({ key }) => key);
  const last = { sentAt: known?.factionsSentAt, hash: known?.factionsHash };
  const factions = pendingList(pairs, last, known);
  if (sent.length + removed.length === 0 && !factions) return null;
  return { sent, removed, factions: { list: pairs, hash: hashOf(pairs) } };
}

/** True if this revision was sent successfully, and the server has sent no hello since. */
export function isProfileSynced(
  { id, revision }: Pick<ProfileToSend, "id" | "revision">,
  push: SurvivalNpcPush | undefined,
  known: Pick<SurvivalNpcState, "saidHelloAt"> | null,
): boolean {
  if (push?.state !== "pushed" || push.profileId !== id || push.revision !== revision) return false;
  return known === null || push.sentAt > known.saidHelloAt;
}

interface LastSent {
  readonly sentAt: Date | null | undefined;
  readonly hash: string | null | undefined;
}

/** Returns the list if the server lacks it. An empty list is sent only to replace an earlier one. */
function pendingList(
  list: readonly object[],
  { sentAt, hash }: LastSent,
  known: ServerNpcState,
): HashedList | null {
  if (list.length === 0 && !sentAt) return null;
  const isThere = sentAt && (known === null || sentAt > known.saidHelloAt);
  const wanted = hashOf(list);
  return isThere && hash === wanted ? null : { list, hash: wanted };
}

const hashOf = (list: readonly object[]): string =>
  createHash("sha256").update(JSON.stringify(list)).digest("hex");

const sentPlacement = (placement: SurvivalNpcPlacement, saveId: number | null) => ({
  name: placement.name,
  profileKey: placement.profileKey,
  anchor: placement.anchor,
  monument: placement.monument,
  x: placement.x,
  y: placement.y,
  z: placement.z,
  rotation: placement.rotation,
  count: placement.count,
  radius: placement.radius,
  respawnSec: placement.respawnSec,
  enabled: placement.enabled && isPlacementInWorld(placement, saveId),
});

type PlacementWorld = Pick<SurvivalNpcPlacement, "onWipe" | "saveId">;

/**
 * True if the placement belongs to the current world or to all worlds. A placement with `drop` belongs to one
 * world only: it appears again if that world is restored from a backup.
 * @param standing current world; if it is unknown (null), every placement belongs to it
 */
export const isPlacementInWorld = (
  { onWipe, saveId }: PlacementWorld,
  standing: number | null,
): boolean => onWipe === "keep" || standing === null || saveId === null || saveId === standing;
