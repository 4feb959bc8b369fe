import { readClock } from "../../platform/db/clock.ts";
import { rows } from "../../platform/db/rows.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import type { SourceSupervisor } from "../../platform/ingest/source-supervisor.ts";
import type { Stoppable } from "../../platform/process/process.ts";
import { findLostWriteNotifications } from "../config/write-outcomes.ts";
import type { SurvivalContext } from "../context.ts";
import type { SurvivalNotification } from "../kinds/notification.ts";
import { sendNotifications } from "../notifications/send.ts";
import { sourceNameOf } from "../server-locks.ts";
import { readServers, type ServerRecord } from "../servers/read-servers.ts";
import { announceWipes, findUnannouncedWipes } from "../wipes/announce-wipes.ts";
import { upcomingWipeNotifications } from "../wipes/next-wipe.ts";

export interface ServerCheckResult {
  readonly isOnline: boolean;
  /** Epoch milliseconds. */
  readonly at: number;
}

/**
 * The observed state of a server, in memory only. After a restart of the process, every server would seem
 * to return, so a first observation sends no notice.
 */
export interface ServerObservation {
  /** Null until the state is known. */
  readonly isOnline: boolean | null;
  /** The time since which the checks differ from `isOnline`. */
  readonly turnedAt: number | null;
  /** The time when the server last went offline. */
  readonly goneAt: number | null;
  readonly lookedAt: number;
}

interface ObservationUpdate {
  readonly sight: ServerObservation;
  /** The change to announce, with its start; null if there is no change. */
  readonly turned: { readonly isOnline: boolean; readonly since: number } | null;
}

/** After a longer gap between two checks the state may have changed unseen, so observation restarts. */
export const maxCheckGapMs = 15_000;

/**
 * Updates the observed state after a check. A change counts only after the grace period, so that the
 * reload of a plugin is not announced. The first observation is not announced either.
 */
export function updateObservation(
  before: ServerObservation | undefined,
  look: ServerCheckResult,
  graceMs: number,
): ObservationUpdate {
  const { isOnline, at } = look;
  const isNew = !before || at - before.lookedAt > maxCheckGapMs || at < before.lookedAt;
  const seen: ServerObservation = isNew
    ? { isOnline: null, turnedAt: null, goneAt: null, lookedAt: at }
    : { ...before, lookedAt: at };
  if (seen.isOnline === null && isOnline) {
    return { sight: { ...seen, isOnline, turnedAt: null }, turned: null };
  }
  if (seen.isOnline === isOnline) return { sight: { ...seen, turnedAt: null }, turned: null };
  const since = seen.turnedAt ?? at;
  if (at - since < graceMs) return { sight: { ...seen, turnedAt: since }, turned: null };
  const isTold = seen.isOnline !== null;
  const offlineSince = isOnline ? seen.goneAt : since;
  const sight = { ...seen, isOnline, turnedAt: null, goneAt: offlineSince };
  return { sight, turned: isTold ? { isOnline, since } : null };
}

const longestIntervalMs = 5_000;
/**
 * Ingest locks a server's rows while it stores events. Skip a server whose rows stay locked for this time, so
 * that the checks of the other servers are not delayed.
 */
const lockTimeoutMs = 500;
/** A game reports its wipe within seconds after its hello, or never. */
const wipeWaitSeconds = 5;

/** Checks this process's servers. Sends a notice if one goes offline, returns or will soon be wiped. */
export async function watchServers(
  supervisor: Pick<SourceSupervisor, "counts">,
  context: SurvivalContext,
): Promise<Stoppable> {
  const graceMs = context.config.SURVIVAL_OFFLINE_GRACE;
  const watch = new ServerWatch(graceMs);
  const checkServers = async (): Promise<void> => {
    const owned = [...supervisor.counts]
      .filter(([, counts]) => counts !== null)
      .map(([name]) => name);
    try {
      const at = await readClock(context.sequelize);
      await watch.checkServers(new Set(owned), at.valueOf(), context);
    } catch (error) {
      context.log.warn({ err: error }, "the states of the survival servers could not be checked");
    }
  };
  await checkServers();
  // One check runs at a time. A long check delays the next.
  let looking: Promise<void> | null = null;
  const lookNow = (): void => {
    looking ??= checkServers().finally(() => {
      looking = null;
    });
  };
  const timer = setInterval(lookNow, Math.min(longestIntervalMs, graceMs / 10));
  const stop = async (): Promise<void> => {
    clearInterval(timer);
    await looking;
  };
  return { name: "survival watch", stop };
}

/** The observed states of the servers that this process owns; see `ServerObservation`. */
class ServerWatch {
  readonly #graceMs: number;
  #sights: ReadonlyMap<number, ServerObservation> = new Map();

  constructor(graceMs: number) {
    this.#graceMs = graceMs;
  }

  /** Checks the servers. Notices that could not be sent are repeated at the next check. */
  async checkServers(
    owned: ReadonlySet<string>,
    at: number,
    context: SurvivalContext,
  ): Promise<void> {
    const all = await readServers(context);
    const records = all.filter(
      ({ server }) => server.enabled && owned.has(sourceNameOf(server.id)),
    );
    const pendingOf = await this.#readNews(records, context);
    const sights = new Map<number, ServerObservation>();
    for (const record of records) {
      const { id: serverId } = record.server;
      const before = this.#sights.get(serverId);
      try {
        const seen = { before, at, news: pendingOf(serverId) };
        sights.set(serverId, await this.#lookAt(record, seen, context));
      } catch (error) {
        context.log.warn(
          { err: error, serverId },
          "the state of a survival server could not be checked",
        );
        if (before) sights.set(serverId, before);
      }
    }
    this.#sights = sights;
  }

  /** Reads pending notices of all servers at once, because most servers have none. */
  async #readNews(
    records: readonly ServerRecord[],
    context: SurvivalContext,
  ): Promise<(serverId: number) => PendingNotifications> {
    const serverIds = records.map(({ server }) => server.id);
    const [wiped, lost] = await Promise.all([
      findUnannouncedWipes({ serverIds, waitedSeconds: wipeWaitSeconds }, context.sequelize),
      findLostWriteNotifications(serverIds, context),
    ]);
    return (serverId) => ({
      isWiped: wiped.includes(serverId),
      lost: lost.filter((notice) => notice.serverId === serverId),
    });
  }

  async #lookAt(
    record: ServerRecord,
    { before, at, news }: CheckInput,
    context: SurvivalContext,
  ): Promise<ServerObservation> {
    const { sight, turned } = updateObservation(
      before,
      { isOnline: record.online, at },
      this.#graceMs,
    );
    const turn = turned && transitionNotification(record, turned, sight);
    const notices = [
      ...(turn ? [turn] : []),
      ...upcomingWipeNotifications(record.server, at),
      ...news.lost,
    ];
    if (notices.length === 0 && !news.isWiped) return sight;
    const serverIds = [record.server.id];
    await inTransaction(context.sequelize, async (transaction) => {
      await rows(transaction, `set local lock_timeout = ${lockTimeoutMs}`);
      const tell = (notice: SurvivalNotification): void => void notices.push(notice);
      const asked = { serverIds, waitedSeconds: wipeWaitSeconds };
      await announceWipes(asked, { connection: transaction, tell });
      await sendNotifications(notices, transaction, context);
    });
    return sight;
  }
}

interface PendingNotifications {
  readonly isWiped: boolean;
  readonly lost: readonly SurvivalNotification[];
}

interface CheckInput {
  readonly before: ServerObservation | undefined;
  readonly at: number;
  readonly news: PendingNotifications;
}

function transitionNotification(
  { server, status, state, link }: ServerRecord,
  { isOnline, since }: { readonly isOnline: boolean; readonly since: number },
  { goneAt }: ServerObservation,
): SurvivalNotification {
  const common = { serverId: server.id, t: since };
  if (isOnline) {
    const downSec = goneAt === null ? null : Math.round((since - goneAt) / 1_000);
    const variables = { players: status?.players, downSec };
    return { ...common, id: "survival.server.online", key: `online:${since}`, variables };
  }
  const lastSeenAt = state.lastSeenAt ?? new Date(since);
  return {
    ...common,
    id: "survival.server.offline",
    key: `offline:${lastSeenAt.valueOf()}`,
    variables: {
      lastSeenAt: lastSeenAt.toISOString(),
      reason: link === "connected" ? "game" : "link",
    },
  };
}
