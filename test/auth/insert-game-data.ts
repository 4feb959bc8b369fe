import { clockNow } from "../../models/queries/clock.ts";
import type { DatabaseHolder } from "../support/database/query.ts";
import { type InsertTarget, steamIdOf } from "./inserted.ts";

const stranger = "76561198999999999";
const evening = 1_764_542_400_000;

/**
 * Inserts rows about the user's game accounts. Each text contains `label`. Texts about another
 * person contain `victim` too.
 * @returns the user's Steam account
 */
export async function insertGameData(
  userId: number,
  label: string,
  { context }: DatabaseHolder,
): Promise<string> {
  const { models } = context;
  const planted = { id: userId, label, models };
  const slug = `plays-of-user-${userId}`;
  const server = await models.SurvivalServer.create({ slug, name: `${label} server` });
  await plantPresence(planted, server.id);
  await plantClan(planted, server.id);
  await insertKills(planted, server.id);
  await insertChat(planted, server.id);
  await plantCharacters(planted);
  return steamIdOf(userId);
}

async function plantPresence({ id, label, models }: InsertTarget, serverId: number): Promise<void> {
  const [steamId, now] = [steamIdOf(id), clockNow()];
  await models.SurvivalSighting.create({ serverId, steamId, name: `${label} sighting` });
  const present = { serverId, steamId, name: `${label} presence`, connectedAt: now };
  await models.SurvivalPresence.create(present);
  const wipe = await models.SurvivalWipe.create({ serverId, saveId: 1, startedAt: now });
  const ofWipe = { wipeId: wipe.id, steamId };
  await models.SurvivalTally.create({ ...ofWipe, name: `${label} tally` });
  await models.SurvivalScore.create({ ...ofWipe, stat: "playersKilled", value: 12 });
  const kills = { profileKey: `${label} boss`, kills: 3, lastAt: now };
  await models.SurvivalNpcKill.create({ ...ofWipe, ...kills });
}

async function plantClan({ id, label, models }: InsertTarget, serverId: number): Promise<void> {
  const now = clockNow();
  const clan = await models.SurvivalClan.create({
    serverId,
    clanId: "1",
    created: "1",
    name: `${label} clan`,
    firstSeenAt: now,
    lastSeenAt: now,
  });
  const own = { name: `${label} member`, roleName: `${label} role`, joinedAt: now };
  await models.SurvivalClanMember.bulkCreate([
    { clanRowId: clan.id, steamId: steamIdOf(id), ...own },
    { clanRowId: clan.id, steamId: stranger, name: `${label} victim` },
  ]);
}

async function insertKills({ id, label, models }: InsertTarget, serverId: number): Promise<void> {
  const steamId = steamIdOf(id);
  await models.SurvivalParticipation.create({
    serverId,
    method: "damage",
    durationSec: 60,
    leaseUntil: clockNow(),
    members: [
      {
        steamId,
        name: `${label} fighter`,
        firstAt: evening,
        lastAt: evening + 60_000,
        score: 12.5,
      },
      { steamId: stranger, name: `${label} victim`, firstAt: 1, lastAt: 2, score: 1 },
    ],
  });
  const kit = { kit: `${label} kit of the game`, uses: 1, dedupeKey: `plays of user ${id}` };
  await models.SurvivalEntitlement.create({ serverId, steamId, ...kit });
  const code = { salt: "x", digest: `of user ${id}`, usedAt: clockNow(), expiresAt: clockNow() };
  await models.SurvivalLinkCode.create({ serverId, ...code, usedBy: id, steamId });
  const group = { kind: "membership", value: `${label} group` } as const;
  await models.SurvivalGrant.create({ ...group, serverIds: [], steamId });
}

async function insertChat({ id, label, models }: InsertTarget, serverId: number): Promise<void> {
  const frame = { serverId, epoch: "x", kind: "player.chat", t: evening };
  const own = { steamId: steamIdOf(id), name: "x", channel: "global", message: `${label} words` };
  const other = { steamId: stranger, name: "x", message: `${label} victim` };
  await models.SurvivalEvent.bulkCreate([
    { ...frame, seq: 1, payload: own },
    { ...frame, seq: 2, payload: other },
  ]);
}

async function plantCharacters({ id, label, models }: InsertTarget): Promise<void> {
  await models.OnlineCharacter.create({
    serial: `0x${id.toString(16).padStart(8, "0")}`,
    name: `${label} character`,
    accountKey: `${label} account`,
    map: "Felucca",
    x: 1,
    y: 2,
    z: 3,
  });
  const governor = { acct: `${label} ACCOUNT` };
  await models.Governor.create({ city: `${label} city`, state: { governor }, t: 0 });
  const leader = { acct: `${label} account` };
  const state = { name: `${label} guild`, abbr: "X", leader };
  await models.Guild.create({ guildId: id, state, t: 0 });
}
