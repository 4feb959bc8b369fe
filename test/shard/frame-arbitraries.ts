import * as fc from "fast-check";

import type { StreamFrame } from "../../shared/platform/bridge/frames.ts";
import type { ShardKindName } from "../../shared/shard/kinds/kinds.ts";
import { samples } from "./samples.ts";

/**
 * Generators of a shard's frames. They use few objects, so that many events concern the same
 * object.
 */

type Payload = Readonly<Record<string, unknown>>;

interface Happening {
  readonly kind: string;
  readonly payload: Payload;
}

type LinkFrame =
  | { readonly news: "gap" | "live" | "epoch" }
  | {
      readonly news: "plugin" | "hello";
      readonly connected: boolean;
      readonly boot: string | null;
    };

const one = fc.constantFrom;
const event = (kind: string, payload: fc.Arbitrary<object>): fc.Arbitrary<Happening> =>
  payload.map((given) => ({ kind, payload: given as Payload }));

/** Generates the sample payload of a kind, with some fields random. */
const like = (
  kind: ShardKindName,
  fields: Readonly<Record<string, fc.Arbitrary<unknown>>>,
): fc.Arbitrary<object> => fc.record(fields).map((given) => ({ ...samples[kind], ...given }));

const houseSerial = one("0x40000001", "0x40000002", "0x40000003");
const stage = one("IDOC", "IDOC", "Greatly", "LikeNew");
const house = like("house.upsert", { serial: houseSerial, stage, price: one(1, 2) });
const vendorSerial = one("0x00000101", "0x00000102", "0x00000103");
const vendor = fc
  .tuple(vendorSerial, one(5, 6, 0), fc.boolean(), one("Luna", "Umbra"))
  .map(([serial, price, hidden, region]) => {
    const { vendor: shop, items, ...rest } = samples["vendor.upsert"];
    const place = { ...shop.location, region };
    return {
      ...rest,
      vendor: { ...shop, serial, hidden, location: place },
      items: items.map((item, at) => (at === 0 ? { ...item, price } : item)),
    };
  });
const board = like("points.board", {
  system: one("Doom", "Void"),
  players: one(1, 2),
  t: one(1, 2),
});
const guild = like("guild.upsert", { guildId: one(1, 2), memberCount: one(1, 2) });
const governor = fc.record({
  city: one("Britain", "Yew"),
  governor: one(null, samples["governor.upsert"].governor),
});
const acct = one("maple", "Maple", "birch", "", null);
const who = { serial: one("0x00000001", "0x00000002"), acct };
const player = fc.record({ ...who, name: one("A", "B"), map: one("Malas"), x: one(1, 2) });

/** Ids of users. Only users 1 and 2 exist. */
const webId = one(1, 2, 99, null);

const live: readonly fc.Arbitrary<Happening>[] = [
  event("house.upsert", house),
  event("house.decay", house),
  event("house.decay", fc.record({ serial: houseSerial, stage })),
  event(
    "house.decay",
    like("house.decay", { serial: houseSerial, stage, from: one(null), to: one(null) }),
  ),
  event("house.removed", fc.record({ serial: houseSerial })),
  event("vendor.upsert", vendor),
  event("vendor.removed", fc.record({ serial: vendorSerial })),
  event("points.board", board),
  event("guild.upsert", guild),
  event("guild.removed", fc.record({ guildId: one(1, 2) })),
  event("governor.upsert", governor),
  event("presence.login", like("presence.login", who)),
  event("presence.logout", like("presence.logout", who)),
  event(
    "presence.online",
    fc.record({ count: one(0, 1), players: fc.option(fc.array(player, { maxLength: 2 })) }),
  ),
  event("account.login", like("account.login", { acct })),
  event("vendor.sale", like("vendor.sale", { ownerAcct: acct })),
  event("governor.election", like("governor.election", { phase: one("voting", "ended") })),
  event("account.linked", fc.record({ acct: one("maple", "Birch"), webId })),
  event("account.unlinked", fc.record({ acct: one("MAPLE", "birch") })),
  event(
    "account.audit",
    like("account.audit", {
      acct: one("maple", "Maple", "birch"),
      action: one("banned", "banned", "unbanned"),
      detail: one("for a day", "for ever"),
    }),
  ),
  event("economy.snapshot", fc.record({ gold: one(1, 2), t: fc.option(one(7, 8)) })),
  event("world.ruleset", fc.record({ siege: fc.boolean() })),
  event("champ.progress", like("champ.progress", { level: one(1, 2) })),
  event("casino.jackpot", fc.record({ gold: one(1, 2) })),
  // Payloads of the wrong type, which the service refuses.
  event("house.upsert", fc.record({ serial: one(7), stage })),
];

const families = { house, market: vendor, points: board, guild, governor };

/** Generates the frames of a snapshot. Some snapshots lack a row. */
const snapshotParts = (family: keyof typeof families): fc.Arbitrary<Happening[]> =>
  fc
    .tuple(fc.array<object>(families[family], { maxLength: 3 }), one("s1", "s2"), one(0, 0, 0, 1))
    .map(([rows, snapshotId, lost]) => [
      {
        kind: `${family}.snapshot.begin`,
        payload: { snapshotId, pages: 1, count: rows.length + lost },
      },
      { kind: `${family}.snapshot.page`, payload: { snapshotId, page: 1, rows } },
      { kind: `${family}.snapshot.end`, payload: { snapshotId } },
    ]);

const anySnapshot = fc.oneof(
  ...(Object.keys(families) as (keyof typeof families)[]).map(snapshotParts),
);

/** Generates a snapshot with other events between its frames. */
const snapshotAmid = (others: fc.Arbitrary<Happening>): fc.Arbitrary<Happening[]> =>
  fc
    .tuple(anySnapshot, fc.array(others, { maxLength: 2 }), fc.array(others, { maxLength: 2 }))
    .map(([[begin, page, end], during, then]) =>
      [begin, ...during, page, ...then, end].filter((part) => part !== undefined),
    );

const boot = one(null, "boot-1", "boot-2");
const news: fc.Arbitrary<LinkFrame> = fc.oneof(
  fc.record({ news: one("gap" as const, "live" as const, "epoch" as const) }),
  fc.record({ news: one("plugin" as const, "hello" as const), connected: fc.boolean(), boot }),
);

/** Generates an event with a boot id and a key. There are few keys, so that some events count as repeated. */
const told = (given: fc.Arbitrary<Happening>) =>
  fc.record({
    happening: given,
    boot: fc.oneof({ weight: 8, arbitrary: one("boot-1") }, { weight: 1, arbitrary: boot }),
    key: fc.oneof({ weight: 5, arbitrary: one(null) }, { weight: 1, arbitrary: one("a", "b") }),
  });

/** Use few kinds in a sequence, so that many events concern the same objects. */
const steps = fc.subarray([...live], { minLength: 1, maxLength: 5 }).chain((kinds) => {
  const happening = fc.oneof(...kinds);
  const step = fc.oneof(
    { weight: 16, arbitrary: told(happening).map((each) => [each]) },
    {
      weight: 2,
      arbitrary: snapshotAmid(happening).map((parts) =>
        parts.map((part) => ({ happening: part, boot: "boot-1", key: null })),
      ),
    },
    { weight: 1, arbitrary: news.map((each) => [each]) },
  );
  return fc.array(step, { minLength: 1, maxLength: 24, size: "max" });
});

/** Generates the frames of a stream, in any order. */
export const anyFrames: fc.Arbitrary<readonly StreamFrame[]> = steps.map((given) => {
  let place = { epoch: "epoch-0", seq: 0 };
  return given.flat().map((each, at): StreamFrame => {
    if ("happening" in each) {
      place = { ...place, seq: place.seq + 1 };
      return eventFrame(each, place, at);
    }
    if (each.news === "epoch") place = { epoch: `epoch-${at}`, seq: 0 };
    return newsFrame(each, place);
  });
});

interface Place {
  readonly epoch: string;
  readonly seq: number;
}

const eventFrame = (
  {
    happening,
    boot: bootId,
    key,
  }: { happening: Happening; boot: string | null; key: string | null },
  place: Place,
  at: number,
): StreamFrame => ({
  type: "event",
  ...place,
  bootId,
  eventKey: key,
  ...(happening as Happening & { payload: never }),
  t: 4_000_000_000_000 + at,
  replay: false,
});

function newsFrame(given: LinkFrame, { epoch, seq }: Place): StreamFrame {
  if (given.news === "live") return { type: "live", head: seq };
  if (given.news === "gap") return { type: "gap", epoch, from: seq, to: seq, reason: "pruned" };
  if (given.news === "plugin") {
    return { type: "plugin", connected: given.connected, bootId: given.boot };
  }
  const { connected: pluginConnected, boot: bootId } =
    given.news === "hello" ? given : { connected: true, boot: "boot-1" };
  return {
    type: "hello",
    protocol: 8,
    epoch,
    bootId,
    head: seq,
    oldest: 1,
    pluginConnected,
    capabilities: [],
    t: null,
    details: {},
  };
}
