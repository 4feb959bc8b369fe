import { randomUUID } from "node:crypto";

import type { SurvivalServer } from "../../../models/survival/survival-server.ts";
import { beginActivity, recordActivityOutcome } from "../../platform/activity/activity.ts";
import { BridgeError, type BridgeCode } from "../../platform/bridge/bridge-error.ts";
import type { CommandOptions } from "../../platform/bridge/calls/call.ts";
import type { Context } from "../../platform/context.ts";
import { inCallersTransaction, modelsOf } from "../../platform/db/transaction.ts";
import { toCommandActor, type CommandRequest } from "../../shard/staff/commands.ts";
import { lacksCapability, isPossiblyDelivered, requireCapability } from "../calls/call-rules.ts";
import {
  runWithExistingLedgerEntry,
  type LedgerAction,
  runWithLedgerEntry,
} from "../calls/ledger.ts";
import { sendAnnouncementCall } from "../calls/server-calls.ts";
import type { SurvivalContext } from "../context.ts";
import { refuseUnknownServers } from "../server-locks.ts";
import { readStoredMessageStyle } from "./message-style.ts";

export interface NewAnnouncement {
  readonly message: string;
  /** By default all enabled servers. */
  readonly serverIds?: readonly number[];
}

interface AnnouncementResult {
  readonly serverId: number;
  readonly status: "sent" | "offline" | "failed" | "unsupported";
}

/** A server with its ledger entry, or with the reason why it gets no message. */
type AnnouncementTarget = { readonly serverId: number } & (
  | { readonly entryId: number }
  | { readonly unsent: UnsentReason }
);

/**
 * Has game servers show a message to their players. Ledger entries are stored before the message is sent,
 * so that a crash cannot hide it.
 * @throws {AppError} for an unknown server; then nothing is sent
 */
export async function sendAnnouncement(
  announcement: NewAnnouncement,
  order: CommandRequest,
  context: SurvivalContext,
): Promise<{ results: AnnouncementResult[] }> {
  const servers = await readServers(announcement.serverIds, context);
  const { lineId, addressees } = await recordAnnouncement(servers, order, context);
  const results = await Promise.all(
    addressees.map((addressee) => sendToServer(addressee, announcement.message, order, context)),
  );
  await inCallersTransaction(context.sequelize, (transaction) =>
    recordActivityOutcome(lineId, { outcome: "done", results }, transaction),
  );
  return { results };
}

type ServerRow = Pick<SurvivalServer, "id" | "enabled">;

async function readServers(
  serverIds: readonly number[] | undefined,
  { models }: Context,
): Promise<ServerRow[]> {
  const servers = await models.SurvivalServer.findAll({
    where: serverIds ? { id: [...serverIds] } : { enabled: true },
    attributes: ["id", "enabled"],
    order: ["sort", "name", "id"],
    raw: true,
  });
  refuseUnknownServers("serverIds", serverIds ?? [], new Set(servers.map(({ id }) => id)));
  return servers;
}

/** Writes the activity log, and a ledger entry for each server that gets the message. */
async function recordAnnouncement(
  servers: readonly ServerRow[],
  { caller, address }: CommandRequest,
  { sequelize, models }: Context,
): Promise<{ lineId: number; addressees: AnnouncementTarget[] }> {
  const ids = servers.map(({ id }) => id);
  const states = await models.SurvivalServerState.findAll({
    where: { serverId: ids },
    attributes: ["serverId", "hello"],
    raw: true,
  });
  const stateOf = new Map(states.map((state) => [state.serverId, state]));
  const unsentTo = ({ id, enabled }: ServerRow): UnsentReason | null => {
    if (!enabled) return "offline";
    return lacksCapability(stateOf.get(id), "announce") ? "unsupported" : null;
  };
  const ref = randomUUID();
  return inCallersTransaction(sequelize, async (transaction) => {
    const target = { type: "survivalAnnouncement", id: ref };
    const detail = { serverIds: ids };
    const lineId = await beginActivity(
      { actor: caller, action: "survival.announce.sent", target, address, detail },
      transaction,
    );
    const told = servers.filter((server) => unsentTo(server) === null);
    const entries = await modelsOf(transaction).SurvivalLedgerEntry.bulkCreate(
      told.map(({ id }) => ({ serverId: id, what: "announce", ref, state: "pushed" })),
      { transaction },
    );
    const entryOf = new Map(entries.map(({ serverId, id }) => [serverId, id]));
    const addressees = servers.map((server): AnnouncementTarget => {
      const unsent = unsentTo(server);
      const serverId = server.id;
      return unsent ? { serverId, unsent } : { serverId, entryId: entryOf.get(serverId) as number };
    });
    return { lineId, addressees };
  });
}

async function sendToServer(
  addressee: AnnouncementTarget,
  message: string,
  { caller, requestId, idempotencyKey }: CommandRequest,
  context: SurvivalContext,
): Promise<AnnouncementResult> {
  const { serverId } = addressee;
  if ("unsent" in addressee) return { serverId, status: addressee.unsent };
  const sent = { actor: toCommandActor(caller), requestId, idempotencyKey };
  const send = () => showMessage(serverId, message, sent, context);
  try {
    await runWithExistingLedgerEntry(addressee.entryId, send, context);
    return { serverId, status: "sent" };
  } catch (error) {
    if (!(error instanceof BridgeError)) throw error;
    const unsent = isPossiblyDelivered(error) ? undefined : unsentReasons[error.code];
    return { serverId, status: unsent ?? "failed" };
  }
}

type StepAnnouncement = Pick<LedgerAction, "runId" | "stepId"> & {
  /** Null means all enabled servers. */
  readonly serverId: number | null;
  readonly message: string;
};

interface StepAnnouncementResult {
  readonly sent: number;
  /** Number of servers that are offline or lack the capability. */
  readonly unsent: number;
}

/**
 * Has game servers show a message for an event step. A message for all servers skips servers that are offline; a
 * single named server must be online.
 * @throws {BridgeError} if a server refused or did not answer
 */
export async function sendStepAnnouncement(
  { serverId, message, runId, stepId }: StepAnnouncement,
  order: CommandOptions,
  context: SurvivalContext,
): Promise<StepAnnouncementResult> {
  const serverIds = serverId === null ? await readEnabled(context) : [serverId];
  const ref = order.idempotencyKey ?? "";
  const told = await Promise.all(
    serverIds.map(async (id) => {
      const deed = { serverId: id, what: "announce", ref, runId, stepId } as const;
      const send = () => showMessage(id, message, order, context);
      try {
        await requireCapability(id, "announce", context);
        await runWithLedgerEntry(deed, send, context);
        return null;
      } catch (error) {
        if (error instanceof BridgeError) return error;
        throw error;
      }
    }),
  );
  const failures = told.filter((error) => error !== null);
  // A broken connection counts as an offline server, although the server may have shown the message.
  const fatal = failures.find(({ code }) => serverId !== null || !unsentReasons[code]);
  if (fatal) throw fatal;
  return { sent: told.length - failures.length, unsent: failures.length };
}

async function readEnabled({ models }: Context): Promise<number[]> {
  const found = await models.SurvivalServer.findAll({
    where: { enabled: true },
    attributes: ["id"],
    order: ["id"],
    raw: true,
  });
  return found.map(({ id }) => id);
}

type UnsentReason = "offline" | "unsupported";

/** Shows a message in the site's style, if set. @throws {BridgeError} if refused or unanswered */
async function showMessage(
  serverId: number,
  message: string,
  order: CommandOptions,
  { survival, models }: Pick<SurvivalContext, "survival" | "models">,
): Promise<void> {
  const body = { message, voice: await readStoredMessageStyle(models), channel: "chat" } as const;
  await survival.call(serverId, (control) =>
    control.command(sendAnnouncementCall, order, { body }),
  );
}

/** Error codes of servers that are offline or lack the capability. */
const unsentReasons: { readonly [Code in BridgeCode]?: UnsentReason } = {
  SHARD_DOWN: "offline",
  UNSUPPORTED: "unsupported",
  DISABLED: "unsupported",
};
