import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";

import type { CreationAttributes, Transaction } from "sequelize";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

import type { Models } from "../../models/index.ts";
import { clockNowPlus, clockNow } from "../../models/queries/clock.ts";
import type { SurvivalZoneLease } from "../../models/survival/survival-zone-lease.ts";
import { systemActor } from "../../shared/survival/calls/call-rules.ts";
import { runSyncJob } from "../../shared/survival/sync/delivery/run-sync.ts";
import { openZone } from "../../shared/survival/zones/open-zone.ts";
import { createTestUser } from "../support/accounts/sign-in.ts";
import { countDeadlocks } from "../support/database/deadlocks.ts";
import { deleteAll } from "../support/database/delete-all.ts";
import {
  buildSteamLink,
  buildSurvivalServer,
  changeSurvivalServers,
} from "../support/factories/survival.ts";
import { type AdminRaces, startAdminRaces } from "../support/races/admin-races.ts";
import type { RacedAnswer } from "../support/races/at-once.ts";
import { waitUntilLockWaits } from "../support/races/overtake.ts";
import { repeatRace, type Race, makeList } from "../support/races/race.ts";
import type { TestServer } from "../support/service/server.ts";

let races: AdminRaces;
let server: TestServer;
let goneId: number;
let staysId: number;

beforeAll(async () => {
  races = await startAdminRaces(10);
  ({ server } = races);
});
afterAll(() => races.stop());
beforeEach(() => makeServers());

async function makeServers(): Promise<void> {
  await deleteAll(server, "SurvivalGrant", "SteamLink", "SurvivalServer");
  await server.context.models.SurvivalPermissionGroup.destroy({ where: { protected: false } });
  const [gone, stays] = await Promise.all(
    makeList(2, () => buildSurvivalServer(server, { permissionSync: true })),
  );
  goneId = gone?.id ?? 0;
  staysId = stays?.id ?? 0;
}

const permissions = "/admin/survival/permissions";
const steamIdOf = (index: number) => `765611980000000${10 + index}`;
const both = () => ({ all: false, serverIds: [goneId, staysId] });

const grant = async (index: number, given: object = {}): Promise<number> => {
  const { id } = await server.context.models.SurvivalGrant.create({
    kind: "permission",
    value: "kits.vip",
    steamId: steamIdOf(index),
    scopeAll: false,
    serverIds: [goneId, staysId],
    ...given,
  });
  return id;
};

const group = async (index: number): Promise<number> => {
  const { id } = await server.context.models.SurvivalPermissionGroup.create({
    name: `group-${index}`,
    parent: null,
    scopeAll: false,
    serverIds: [goneId, staysId],
    updatedBy: null,
  });
  return id;
};

type Request = Omit<Race, "headers">;

interface Way {
  /** Creates the object that a request changes. Each request has its own object. */
  readonly make: (index: number) => Promise<number | null>;
  readonly change: (id: number | null, index: number) => Request;
  /** The status of a change that succeeds. */
  readonly status: number;
  /** The field of the body that names the server. Undefined if the body does not name it. */
  readonly naming?: string;
}

const unknownServer = (path: string) => ({
  error: "Validation failed",
  errors: [{ path, message: `there is no server ${goneId}` }],
});

/**
 * CATALOGUE of changes that concern a server which is deleted at the same time. The body or stored
 * data refers to the server.
 */
const ways: Readonly<Record<string, Way>> = {
  "the scope of grants is set": {
    make: (index) => grant(index),
    change: (id) => ({ route: `PUT ${permissions}/grants/${id}`, body: { scope: both() } }),
    status: 200,
    naming: "scope.serverIds",
  },
  "the reason of grants is set": {
    make: (index) => grant(index),
    change: (id) => ({ route: `PUT ${permissions}/grants/${id}`, body: { reason: "why" } }),
    status: 200,
  },
  "grants are revoked": {
    make: (index) => grant(index),
    change: (id) => ({ route: `DELETE ${permissions}/grants/${id}` }),
    status: 200,
  },
  "grants are created while others expire": {
    make: (index) => grant(index, { expiresAt: clockNowPlus(-60_000) }),
    change: (_id, index) => ({
      route: `POST ${permissions}/grants`,
      body: {
        kind: "permission",
        value: "kits.red",
        steamId: steamIdOf(index),
        scope: both(),
      },
    }),
    status: 201,
    naming: "scope.serverIds",
  },
  "the scope of groups is set": {
    make: group,
    change: (id) => ({ route: `PUT ${permissions}/groups/${id}`, body: { scope: both() } }),
    status: 200,
    naming: "scope.serverIds",
  },
  "groups are renamed": {
    make: group,
    change: (id, index) => ({
      route: `PUT ${permissions}/groups/${id}`,
      body: { name: `renamed-${index}` },
    }),
    status: 200,
  },
  "groups are deleted": {
    make: group,
    change: (id) => ({ route: `DELETE ${permissions}/groups/${id}` }),
    status: 200,
  },
  "accounts of users with grants are unlinked": {
    make: async (index) => {
      const userId = races.admins[index]?.userId ?? 0;
      await buildSteamLink(server, { steamId: steamIdOf(index), userId, serverId: goneId });
      return grant(index, { userId });
    },
    change: (_id, index) => ({ route: `DELETE /player/survival/link/${steamIdOf(index)}` }),
    status: 200,
  },
  "users with grants are deleted": {
    make: async (index) => {
      const { userId } = await createTestUser(server);
      await grant(index, { userId });
      return userId;
    },
    change: (id) => ({ route: `DELETE /admin/users/${id}` }),
    status: 200,
  },
  "permissions are pushed": {
    make: (index) => grant(index),
    change: () => ({
      route: `POST ${permissions}/sync`,
      body: { serverIds: [goneId, staysId] },
    }),
    status: 200,
    naming: "serverIds",
  },
};

const naming = async ({ SurvivalGrant, SurvivalPermissionGroup }: Models) => {
  const all = [...(await SurvivalGrant.findAll()), ...(await SurvivalPermissionGroup.findAll())];
  return all.filter(({ serverIds }) => serverIds.includes(goneId));
};

const deletion = (): Race => ({
  route: `DELETE /admin/survival/servers/${goneId}`,
  headers: races.headersOf(9),
});

/** Returns nine requests of nine administrators, each with an object of its own. */
async function changesOf({ make, change }: Way): Promise<Race[]> {
  const made = await Promise.all(makeList(9, make));
  return made.map((id, index) => ({ ...change(id, index), headers: races.headersOf(index) }));
}

/**
 * Returns the results of the race. A change may be refused only if its body names the server and the change came
 * after the deletion.
 */
async function endOf(
  deleted: RacedAnswer | undefined,
  changed: readonly RacedAnswer[],
  { status: made, naming: field }: Pick<Way, "status" | "naming">,
) {
  const isRight = ({ status, body }: RacedAnswer): boolean =>
    status === made ||
    (field !== undefined && isDeepStrictEqual([status, body], [400, unknownServer(field)]));
  return {
    deletion: [deleted?.status, deleted?.body],
    wrong: changed.filter((answer) => !isRight(answer)),
    naming: await naming(server.context.models),
  };
}

const rightEnd = () => ({ deletion: [200, { id: goneId }], wrong: [], naming: [] });

interface Entered {
  readonly make: (models: Models) => Promise<unknown>;
  readonly lock: (models: Models, transaction: Transaction) => Promise<unknown>;
}

const locked = (transaction: Transaction) => ({
  where: { serverId: goneId },
  transaction,
  lock: transaction.LOCK.NO_KEY_UPDATE,
});

const plantZone = (
  { SurvivalZoneLease }: Models,
  given: Partial<CreationAttributes<SurvivalZoneLease>> = {},
) =>
  SurvivalZoneLease.create({
    leaseId: randomUUID(),
    serverId: goneId,
    presetKey: "arena",
    preset: {} as never,
    at: { x: 0, y: 0, z: 0 },
    durationSec: 60,
    leaseUntil: clockNow(),
    heldUntil: clockNow(),
    ...given,
  });

/** CATALOGUE of objects that have a ledger entry. The entry is written after the object. */
const entered: Readonly<Record<string, Entered>> = {
  "a zone": {
    make: (models) => plantZone(models),
    lock: ({ SurvivalZoneLease }, transaction) => SurvivalZoneLease.findAll(locked(transaction)),
  },
  "a write of a configuration": {
    make: ({ SurvivalConfigWrite }) =>
      SurvivalConfigWrite.create({
        writeId: randomUUID(),
        serverId: goneId,
        plugin: "Kits",
        file: "Kits.json",
        createdBy: null,
        settleBy: clockNow(),
        beforeHash: "",
        writtenHash: "",
        requestHash: "",
      }),
    lock: ({ SurvivalConfigWrite }, transaction) =>
      SurvivalConfigWrite.findAll(locked(transaction)),
  },
  "a kit for a player": {
    make: ({ SurvivalEntitlement }) =>
      SurvivalEntitlement.create({
        serverId: goneId,
        steamId: steamIdOf(0),
        kit: "vip",
        uses: 1,
        dedupeKey: randomUUID(),
      }),
    lock: ({ SurvivalEntitlement }, transaction) =>
      SurvivalEntitlement.findAll(locked(transaction)),
  },
  "a count of an event's participants": {
    make: ({ SurvivalParticipation }) =>
      SurvivalParticipation.create({
        serverId: goneId,
        method: "damage",
        durationSec: 60,
        leaseUntil: clockNow(),
        members: [],
      }),
    lock: ({ SurvivalParticipation }, transaction) =>
      SurvivalParticipation.findAll(locked(transaction)),
  },
};

describe("a server that is deleted in one process", () => {
  it.each(Object.keys(ways))(
    "is deleted from every scope without an error, while these requests run in two processes: %s",
    repeatRace(async (_round, name: string) => {
      const way = ways[name] as Way;
      await makeServers();
      const changes = await changesOf(way);
      const answers = await races.track.run(changes.toSpliced(4, 0, deletion()));
      const [deleted] = answers.splice(4, 1);
      expect(await endOf(deleted, answers, way)).toEqual(rightEnd());
    }, 3),
  );

  it.each(Object.keys(ways))(
    "is deleted from every scope without an error if this request waits for the deletion: %s",
    async (name) => {
      const way = ways[name] as Way;
      const [change] = (await changesOf(way)) as [Race];
      const { sequelize, models } = server.context;
      const { deleting, changing } = await sequelize.transaction(async (transaction) => {
        // The deletion and then the change wait for this lock. They get it in the order of their
        // arrival.
        const lock = transaction.LOCK.UPDATE;
        await models.SurvivalServer.findByPk(goneId, { transaction, lock });
        const first = races.track.run([deletion()]);
        await waitUntilLockWaits(server);
        const second = races.track.run([change]);
        await waitUntilLockWaits(server, 2);
        return { deleting: first, changing: second };
      });
      const [deleted] = await deleting;
      expect(await endOf(deleted, await changing, way)).toEqual(rightEnd());
    },
  );

  it.each(Object.keys(entered))(
    "is deleted only after the end of a transaction that locks %s and writes a ledger entry of the server",
    async (name) => {
      const { make, lock } = entered[name] as Entered;
      const { sequelize, models } = server.context;
      await make(models);
      await models.SurvivalLedgerEntry.create({
        serverId: goneId,
        what: "zone",
        ref: "x",
        state: "pushed",
      });
      const deleting = await sequelize.transaction(async (transaction) => {
        await lock(models, transaction);
        const deleted = races.track.run([deletion()]);
        await waitUntilLockWaits(server);
        const where = { serverId: goneId };
        await models.SurvivalLedgerEntry.update({ state: "confirmed" }, { where, transaction });
        return { deleted };
      });
      expect(await endOf((await deleting.deleted)[0], [], { status: 200 })).toEqual(rightEnd());
      expect(await models.SurvivalLedgerEntry.count({ where: { serverId: goneId } })).toBe(0);
    },
  );

  it("has no stored row, even if a worker begins a push to it right after the deletion", async () => {
    const { sequelize, models } = server.context;
    await changeSurvivalServers(server, { enabled: true }, { id: goneId });
    await models.SurvivalPush.create({
      serverId: goneId,
      name: "permissions",
      reason: null,
      error: null,
      ref: null,
      busyUntil: null,
      retryAt: null,
      lastPushAt: null,
      lastOkAt: null,
    });
    await grant(0);
    const { deleting, pushing } = await sequelize.transaction(async (transaction) => {
      const lock = transaction.LOCK.UPDATE;
      await models.SurvivalServer.findByPk(goneId, { transaction, lock });
      const first = races.track.run([deletion()]);
      await waitUntilLockWaits(server);
      const push = { serverId: goneId, name: "permissions" };
      const second = runSyncJob(push, server.context).then(
        () => null,
        (error: unknown) => error,
      );
      await waitUntilLockWaits(server, 2);
      return { deleting: first, pushing: second };
    });
    const [deleted] = await deleting;
    expect(await endOf(deleted, [], { status: 200 })).toEqual(rightEnd());
    expect(await pushing).toBeNull();
    expect(await models.SurvivalPermissionRow.count({ where: { serverId: goneId } })).toBe(0);
  });

  it("leaves no zone, and a step that waits to open a zone on the server fails", async () => {
    const { sequelize, models } = server.context;
    await plantZone(models, { state: "failed", stepKey: "1:open" });
    const opening = {
      serverId: goneId,
      presetKey: "arena",
      at: { x: 0, y: 0, z: 0 },
      durationSec: 60,
    };
    const step = { runId: 1, stepId: null, key: "1:open" };
    const opener = { order: { actor: systemActor }, userId: null, step };
    const { deleting, trying } = await sequelize.transaction(async (transaction) => {
      const lock = transaction.LOCK.UPDATE;
      await models.SurvivalServer.findByPk(goneId, { transaction, lock });
      const first = races.track.run([deletion()]);
      await waitUntilLockWaits(server);
      const second = openZone(opening, opener, server.context).catch((error: unknown) => error);
      await waitUntilLockWaits(server, 2);
      return { deleting: first, trying: second };
    });
    const [deleted] = await deleting;
    expect(await endOf(deleted, [], { status: 200 })).toEqual(rightEnd());
    expect(await trying).toMatchObject({
      faults: [{ path: "serverId", message: "there is no such server" }],
    });
    expect(await models.SurvivalZoneLease.count()).toBe(0);
  });

  it("causes no deadlock", async () => {
    expect(await countDeadlocks(server)).toBe(0);
  });
});
