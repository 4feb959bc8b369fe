import { beginActivity, recordActivityOutcome } from "../../platform/activity/activity.ts";
import { BridgeError } from "../../platform/bridge/bridge-error.ts";
import type { CommandOptions } from "../../platform/bridge/calls/call.ts";
import type { ControlClient } from "../../platform/bridge/calls/control.ts";
import { inCallersTransaction } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors/errors.ts";
import { type CommandRequest, toCommandActor } from "../../shard/staff/commands.ts";
import { isPossiblyDelivered, requireCapability } from "../calls/call-rules.ts";
import {
  banFromServer,
  kickFromServer,
  listServerBans,
  unbanFromServer,
} from "../calls/moderation-calls.ts";
import type { SurvivalContext } from "../context.ts";
import { displayName } from "../plain-texts.ts";
import { refuseOwnSteamAccount } from "../steam-links.ts";

export interface ServerKick {
  readonly steamId: string;
  readonly reason: string;
}

export interface ServerBan extends ServerKick {
  /** Absent for a permanent ban. */
  readonly durationSec?: number | null;
}

interface ModerationCommand<Answer> {
  readonly serverId: number;
  readonly steamId: string;
  readonly verb: "kicked" | "banned" | "unbanned";
  readonly detail: object;
  readonly send: (control: ControlClient, order: CommandOptions) => Promise<Answer>;
}

/**
 * Disconnects a player from a server.
 * @throws {BridgeError} NOT_FOUND if the player is not connected; UNSUPPORTED
 */
export async function kickServerPlayer(
  serverId: number,
  { steamId, reason }: ServerKick,
  order: CommandRequest,
  context: SurvivalContext,
): Promise<{ steamId: string }> {
  const send: ModerationCommand<object>["send"] = (control, sent) =>
    control.command(kickFromServer, sent, { body: { steamId, reason } });
  await moderate({ serverId, steamId, verb: "kicked", detail: { reason }, send }, order, context);
  return { steamId };
}

interface ServerBanResult {
  readonly steamId: string;
  readonly expiresAt: Date | null;
  /** The account from which the player borrows the game. It is banned too. Null if the player owns the game. */
  readonly ownerSteamId: string | null;
}

/**
 * Bans a player from a server.
 * @throws AppError own_account if the Steam account is or was the caller's; player_already_banned
 * @throws {BridgeError} UNSUPPORTED; SHARD_DOWN
 */
export async function banServerPlayer(
  serverId: number,
  { steamId, reason, durationSec = null }: ServerBan,
  order: CommandRequest,
  context: SurvivalContext,
): Promise<ServerBanResult> {
  const detail = { reason, durationSec };
  const send: ModerationCommand<{ ownerSteamId?: string | null | undefined }>["send"] = (
    control,
    sent,
  ) => control.command(banFromServer, sent, { body: { steamId, ...detail } });
  const command = { serverId, steamId, verb: "banned", detail, send } as const;
  const { ownerSteamId = null } = await moderate(command, order, context).catch(refuseSecondBan);
  const expiresAt = durationSec === null ? null : new Date(Date.now() + durationSec * 1_000);
  return { steamId, expiresAt, ownerSteamId: ownerSteamId === steamId ? null : ownerSteamId };
}

function refuseSecondBan(error: unknown): never {
  if (!(error instanceof BridgeError) || error.code !== "TAKEN") throw error;
  throw new AppError("player_already_banned", "The player is already banned from this server");
}

/**
 * Lifts the ban of a player on a server.
 * @throws AppError own_account if the Steam account is or was the caller's
 * @throws {BridgeError} NOT_FOUND if the player is not banned; UNSUPPORTED
 */
export async function unbanServerPlayer(
  serverId: number,
  { steamId }: Pick<ServerKick, "steamId">,
  order: CommandRequest,
  context: SurvivalContext,
): Promise<{ steamId: string }> {
  const send: ModerationCommand<object>["send"] = (control, sent) =>
    control.command(unbanFromServer, sent, { body: { steamId } });
  await moderate({ serverId, steamId, verb: "unbanned", detail: {}, send }, order, context);
  return { steamId };
}

interface ListedBan {
  readonly steamId: string;
  readonly name: string;
  readonly reason: string;
  readonly expiresAt: Date | null;
}

/** Asks a server for its bans. @throws {BridgeError} UNSUPPORTED; SHARD_DOWN */
export async function readServerBans(
  serverId: number,
  requestId: string,
  context: SurvivalContext,
): Promise<{ bans: ListedBan[] }> {
  await requireCapability(serverId, "moderation", context);
  const { bans } = await context.survival.call(serverId, (control) =>
    control.read(listServerBans, { requestId }),
  );
  return {
    bans: bans.map(({ steamId, name, reason, expiresAt }) => ({
      steamId,
      name: displayName(name, steamId),
      reason,
      expiresAt: typeof expiresAt === "number" ? new Date(expiresAt) : null,
    })),
  };
}

/**
 * Sends a command once. The activity log records it before it is sent. The logged outcome is absent until a
 * definite answer arrives.
 */
async function moderate<Answer>(
  command: ModerationCommand<Answer>,
  { caller, address, requestId, idempotencyKey }: CommandRequest,
  context: SurvivalContext,
): Promise<Answer> {
  const { serverId, steamId, verb, detail } = command;
  await requireCapability(serverId, "moderation", context);
  const lineId = await inCallersTransaction(context.sequelize, async (transaction) => {
    const refusal = "Another staff member must decide on a ban of your own account";
    if (verb !== "kicked") await refuseOwnSteamAccount({ steamId, refusal }, caller, transaction);
    const target = { type: "survival_server", id: serverId };
    const action = `survival.player.${verb}`;
    const line = { actor: caller, action, target, address, detail: { steamId, ...detail } };
    return beginActivity(line, transaction);
  });
  const recordEnd = (outcome: string) =>
    inCallersTransaction(context.sequelize, (transaction) =>
      recordActivityOutcome(lineId, { outcome }, transaction),
    );
  try {
    const sent = { actor: toCommandActor(caller), requestId, idempotencyKey };
    const answer = await context.survival.call(serverId, (control) => command.send(control, sent));
    await recordEnd("done");
    return answer;
  } catch (error) {
    if (error instanceof BridgeError && !isPossiblyDelivered(error)) await recordEnd(error.code);
    throw error;
  }
}
