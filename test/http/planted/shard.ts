import { randomUUID } from "node:crypto";

import { clockNow } from "../../../models/queries/clock.ts";
import { forEachUser, type FixtureContext, nth } from "./planting.ts";

export async function insertShardFixtures(planting: FixtureContext): Promise<void> {
  await plantBans(planting);
  await plantShardEvents(planting);
  await plantMarket(planting);
  await plantAtlas(planting);
}

/** Inserts open appeals of many users, and the same number of decided appeals of the owner. */
async function plantBans(planting: FixtureContext): Promise<void> {
  const { models, owner } = planting;
  const ban = (account: string, more: object = {}) => ({
    accountKey: account,
    account,
    reason: "a reason",
    confirmedAt: clockNow(),
    ...more,
  });
  const open = await models.Punishment.bulkCreate(
    forEachUser(planting, (n) => ban(`account-${n}`)),
  );
  await models.Appeal.bulkCreate(
    forEachUser(planting, (n, userId) => ({
      userId,
      punishmentId: nth(open, n).id,
      account: `account-${n}`,
      reason: "a reason",
      assigneeId: userId,
    })),
  );
  const over = await models.Punishment.bulkCreate(
    forEachUser(planting, (n) => ban(`own-${n}`, { endedAt: clockNow() })),
  );
  await models.Appeal.bulkCreate(
    forEachUser(planting, (n) => ({
      userId: owner,
      punishmentId: nth(over, n).id,
      account: `own-${n}`,
      reason: "a reason",
      state: "rejected" as const,
      decidedAt: clockNow(),
    })),
  );
}

/**
 * Returns the number of the account that a row belongs to. Every fourth row belongs to account 1,
 * which is the owner's.
 */
const ofFirst = (n: number): number => (n % 4 === 0 ? 1 : n);

async function plantShardEvents(planting: FixtureContext): Promise<void> {
  const { models, owner } = planting;
  await models.ShardLink.bulkCreate(
    forEachUser(planting, (n, userId) => ({
      accountKey: `account-${n}`,
      account: `account-${n}`,
      userId: n === 1 ? owner : userId,
      linkedAt: clockNow(),
    })),
  );
  const event = { source: "shard", epoch: "e", reach: "staff" as const };
  const item = { itemType: "Katana", amount: 1 };
  await models.ShardEvent.bulkCreate(
    forEachUser(planting, (n) => ({
      ...event,
      seq: n,
      kind: "vendor.sale",
      t: n,
      payload: { ownerAcct: `account-${ofFirst(n)}`, price: 1, item },
    })),
  );
  await models.ShardEvent.bulkCreate(
    forEachUser(planting, (n) => ({
      ...event,
      seq: 1_000_000 + n,
      kind: "admin.audit",
      t: n,
      payload: { actor: {}, command: "go" },
    })),
  );
  const frame = { source: "shard", reason: "BAD_JSON", excerpt: "{" };
  await models.RejectedFrame.bulkCreate(forEachUser(planting, () => ({ ...frame })));
}

async function plantMarket(planting: FixtureContext): Promise<void> {
  const { models, users } = planting;
  const labels = await models.ListingLabel.bulkCreate(
    forEachUser(planting, (n) => {
      const name = `Thing ${n}`;
      return { key: randomUUID(), name, displayName: name };
    }),
  );
  await models.ListingName.bulkCreate(
    forEachUser(planting, (n) => ({
      labelId: nth(labels, n).id,
      listings: 1,
      searchName: `thing ${n}`,
    })),
    { updateOnDuplicate: ["listings", "searchName"] },
  );
  const updatedAt = clockNow();
  const vendor = { listed: true, shopName: "A shop", count: 1, total: 1, updatedAt };
  await models.Vendor.bulkCreate(
    forEachUser(planting, (serial) => ({ ...vendor, serial, fingerprint: randomUUID() })),
  );
  const item = { itemId: 1, hue: 0, amount: 1, child: false, updatedAt };
  await models.Listing.bulkCreate(
    forEachUser(planting, (n) => ({
      ...item,
      vendorSerial: ofFirst(n),
      serial: n,
      digest: randomUUID(),
      price: n,
      labelId: nth(labels, n).id,
      searchName: `thing ${n}`,
    })),
  );
  const { length } = users;
  await models.MarketMeta.update({ vendors: length, items: length }, { where: {} });
}

const [generation, facet] = [1, "Felucca"];

async function plantAtlas(planting: FixtureContext): Promise<void> {
  const { models, users } = planting;
  const { length } = users;
  const counts = { regions: length, rects: length, spawners: length };
  const facets = { generation, name: facet, ...counts, entries: length, total: length };
  await models.AtlasState.update({ generation }, { where: {} });
  await models.AtlasFacet.create(facets);
  const town = { level: 1, priority: 1, guarded: true, housing: true, logoutDelay: true };
  await models.AtlasRegion.bulkCreate(
    forEachUser(planting, (id) => ({
      ...town,
      generation,
      id,
      key: `region-${id}`,
      facet,
      area: id,
    })),
  );
  await models.AtlasRect.bulkCreate(
    forEachUser(planting, (n) => {
      const corners = { x1: n, y1: n, z1: 0, x2: n, y2: n, z2: 0 };
      return { generation, regionId: n, ...corners };
    }),
  );
  await plantSpawners(planting);
}

async function plantSpawners(planting: FixtureContext): Promise<void> {
  const { models } = planting;
  const ranges = { homeRange: 1, walkRange: 1, count: 1, minDelaySec: 1, maxDelaySec: 1 };
  await models.AtlasSpawner.bulkCreate(
    forEachUser(planting, (id) => {
      const at = { x: id, y: id, z: 0 };
      return { ...ranges, ...at, generation, id, key: `spawner-${id}`, facet, running: true };
    }),
  );
  const typeOf = (n: number) => ({ type: `Thing${n}`, typeKey: `thing${n}` });
  await models.AtlasEntry.bulkCreate(
    forEachUser(planting, (n) => ({
      ...typeOf(n),
      generation,
      spawnerId: n,
      place: 0,
      max: 1,
    })),
  );
  await models.AtlasCreature.bulkCreate(
    forEachUser(planting, (n) => ({ generation, ...typeOf(n) })),
  );
}
