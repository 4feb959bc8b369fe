import { createHash } from "node:crypto";

import type { Transaction } from "sequelize";

import type { SurvivalNpcPlacement } from "../../../../models/survival/npcs/survival-npc-placement.ts";
import type { SurvivalNpcProfile } from "../../../../models/survival/npcs/survival-npc-profile.ts";
import type { SurvivalNpcPush } from "../../../../models/survival/npcs/survival-npc-push.ts";
import type { SurvivalNpcServer } from "../../../../models/survival/npcs/survival-npc-server.ts";
import { modelsOf } from "../../../platform/db/transaction.ts";

/** A profile as it is sent. */
export type SentProfile = Pick<SurvivalNpcProfile, "id" | "key" | "revision" | "document">;

/** What a server lacks of the site's NPCs; null for a part of which it lacks nothing. */
export interface Due {
  readonly profiles: {
    readonly sent: readonly SentProfile[];
    readonly removed: readonly string[];
    readonly factions: List;
  } | null;
  readonly placements: List | null;
}

/** What is sent whole, known by its hash. */
interface List {
  readonly list: readonly object[];
  readonly hash: string;
}

/** @param chosen profiles that are sent whether the server has them or not */
export async function readDue(
  serverId: number,
  chosen: readonly number[],
  transaction: Transaction,
): Promise<Due> {
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
    profiles: dueProfiles({ profiles, pushes, pairs, chosen }, known),
    placements: isReady ? dueList(list, last, known) : null,
  };
}

type Known = SurvivalNpcServer | null;

interface Stock {
  readonly profiles: readonly SentProfile[];
  readonly pushes: readonly SurvivalNpcPush[];
  readonly pairs: readonly object[];
  readonly chosen: readonly number[];
}

function dueProfiles({ profiles, pushes, pairs, chosen }: Stock, known: Known): Due["profiles"] {
  const pushOf = new Map(pushes.map((push) => [push.key, push]));
  const sent = profiles.filter(
    (profile) =>
      chosen.includes(profile.id) || !hasProfile(profile, pushOf.get(profile.key), known),
  );
  const keys = new Set(profiles.map(({ key }) => key));
  const removed = pushes
    .filter(({ key, isThere }) => isThere && !keys.has(key))
    .map(({ key }) => key);
  const last = { sentAt: known?.factionsSentAt, hash: known?.factionsHash };
  const factions = dueList(pairs, last, known);
  if (sent.length + removed.length === 0 && !factions) return null;
  return { sent, removed, factions: { list: pairs, hash: hashOf(pairs) } };
}

/** Whether the last try brought this very revision, and the server was there ever since. */
export function hasProfile(
  { id, revision }: Pick<SentProfile, "id" | "revision">,
  push: SurvivalNpcPush | undefined,
  known: Pick<SurvivalNpcServer, "saidHelloAt"> | null,
): boolean {
  if (push?.state !== "pushed" || push.profileId !== id || push.revision !== revision) return false;
  return known === null || push.sentAt > known.saidHelloAt;
}

interface LastSent {
  readonly sentAt: Date | null | undefined;
  readonly hash: string | null | undefined;
}

/** A whole list. A server that never had one of the site keeps what was made in the game. */
function dueList(list: readonly object[], { sentAt, hash }: LastSent, known: Known): List | null {
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
  enabled: placement.enabled && isOfWorld(placement, saveId),
});

type SetUp = Pick<SurvivalNpcPlacement, "onWipe" | "saveId">;

/**
 * Whether a placement is of the world that stands, or of every one. One that goes with its world is
 * not carried into the next; when its own is restored from a backup, it stands there again.
 * @param standing the world that stands, null where none is known: then it is the one to come
 */
export const isOfWorld = ({ onWipe, saveId }: SetUp, standing: number | null): boolean =>
  onWipe === "keep" || standing === null || saveId === null || saveId === standing;
