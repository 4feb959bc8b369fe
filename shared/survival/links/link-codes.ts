import { createHash } from "node:crypto";

import type { SurvivalLinkCode } from "../../../models/survival/players/survival-link-code.ts";
import type { SurvivalServer } from "../../../models/survival/survival-server.ts";
import { BridgeError } from "../../platform/bridge/bridge-error.ts";
import type { CommandOptions } from "../../platform/bridge/calls/call.ts";
import type { Context } from "../../platform/context.ts";
import { computePseudonym } from "../../platform/crypto/pseudonym.ts";
import { type Database, firstRow, rows, executeStatement } from "../../platform/db/rows.ts";
import { toCommandActor, type CommandRequest } from "../../shard/staff/commands.ts";
import { redeemCodeCall } from "../calls/server-calls.ts";
import type { SurvivalContext } from "../context.ts";
import type { FrameHandlerContext, FrameHandlers, ReceivedFrame } from "../kinds/handler.ts";
import type { SurvivalPayload } from "../kinds/kinds.ts";
import type { ServerRecord } from "../servers/read-servers.ts";
import {
  deleteExpiredCodesSql,
  deleteOldCodesSql,
  insertCodeSql,
  recordHashedCodeTimeSql,
  recordUnhashedCodeTimeSql,
  selectCodeKeySql,
  selectConnectedServerSql,
  selectLiveCodesSql,
  selectOutdatedServersSql,
} from "./link-codes.sql.ts";

// THE rules for codes of Steam links. A server announces each code before a player enters it, with a
// new salt and `hash` = SHA-256 of `<salt>:<CODE>` in hex, the code in capitals. A code is valid only
// for the server that announced it, while that server accepts links, and until it expires.

type Keys = Parameters<typeof computePseudonym>[1];

/** Returns the stored form of a hash. The site's key keeps brute force from finding the code. */
const digestOf = (salt: string, hash: string, config: Keys): string =>
  computePseudonym(`steam link code ${salt} ${hash}`, config);

const hashOf = (salt: string, code: string): string =>
  createHash("sha256").update(`${salt}:${code.toUpperCase()}`).digest("hex");

/** An announced code that has not expired, from a server that accepts links. */
export type AnnouncedLinkCode = Readonly<
  Pick<SurvivalLinkCode, "id" | "serverId" | "usedAt" | "usedBy" | "steamId">
>;

type StoredCode = AnnouncedLinkCode & Readonly<Pick<SurvivalLinkCode, "salt" | "digest">>;

/** Returns a code's announcements: for each server the newest unused one, or the newest one if all are used. */
export async function findAnnouncedCodes(
  code: string,
  { sequelize, config }: Pick<Context, "sequelize" | "config">,
): Promise<AnnouncedLinkCode[]> {
  const live = await rows<StoredCode>(sequelize, selectLiveCodesSql);
  const found = live.filter(
    ({ salt, digest }) => digestOf(salt, hashOf(salt, code), config) === digest,
  );
  const byServer = Map.groupBy(found, ({ serverId }) => serverId);
  return [...byServer.values()].flatMap((of) => of.find(({ usedAt }) => !usedAt) ?? of.slice(0, 1));
}

/** Returns true if a server that accepts links is connected. */
export const isAnyLinkServerConnected = async ({
  sequelize,
}: Pick<Context, "sequelize">): Promise<boolean> =>
  (await firstRow(sequelize, selectConnectedServerSql)) !== undefined;

/** Returns the slugs of servers that accept links but whose plugins send codes without a hash. */
export async function readServersWithoutCodeHash(database: Database): Promise<string[]> {
  const found = await rows<Pick<SurvivalServer, "slug">>(database, selectOutdatedServersSql);
  return found.map(({ slug }) => slug);
}

/** Returns the state of a server's link codes for staff. */
export function describeLinkCodes({ server, state }: Pick<ServerRecord, "server" | "state">): {
  readonly lastAt: Date | null;
  readonly problem: string | null;
} {
  const { linkMintedAt: hashed, linkUnhashedAt: unhashed } = state;
  const isOutdated = unhashed !== null && (hashed === null || unhashed > hashed);
  const lastAt = isOutdated ? unhashed : hashed;
  if (!server.listed) return { lastAt, problem: "The server is not listed." };
  if (!server.acceptsLinks) {
    return { lastAt, problem: "The server does not accept links: acceptsLinks is off." };
  }
  if (!server.enabled) return { lastAt, problem: "The server is not enabled." };
  return { lastAt, problem: isOutdated ? noHashProblem : null };
}

const noHashProblem = "The plugin sends no hash of its codes. Update it.";

/** The player of a code, as reported by the server that created it. */
export interface CodeOwner {
  readonly steamId: string;
  readonly name: string;
}

/** Asks the server that announced a code for its player, or returns the reason why there is no player. */
export async function redeemLinkCode(
  code: string,
  minted: AnnouncedLinkCode,
  order: CommandRequest,
  context: SurvivalContext,
): Promise<CodeOwner | "unknown" | "silent"> {
  const { serverId } = minted;
  try {
    return await context.survival.call(serverId, (control) =>
      control.command(redeemCodeCall, redeemOrder(minted, order), { body: { code } }),
    );
  } catch (error) {
    const bridgeCode = error instanceof BridgeError ? error.code : null;
    if (bridgeCode === "NOT_FOUND" || bridgeCode === "INVALID") return "unknown";
    if (bridgeCode === "UNSUPPORTED" || bridgeCode === "DISABLED") return "unknown";
    context.log.warn(
      { err: error, serverId },
      "a survival server did not say whether it created a link code",
    );
    return "silent";
  }
}

/** The idempotency key depends on the user and on the code that the game announced. A retry with the same key gets the same answer. */
function redeemOrder(
  { id }: AnnouncedLinkCode,
  { caller, requestId }: CommandRequest,
): CommandOptions {
  const parts = JSON.stringify(["steam link", caller.userId, id]);
  const idempotencyKey = createHash("sha256").update(parts).digest("hex");
  return { actor: toCommandActor(caller), requestId, idempotencyKey };
}

type LinkCodePayload = SurvivalPayload<"link.minted">;

export const linkCodeHandlers: FrameHandlers = { "link.minted": storeCode };

/** Maximum lifetime of a code in milliseconds; games usually use five or six minutes. */
const longestMs = 10 * 60_000;

/** Stores an announced code. Skips one without a hash, because no entered code can match it. */
async function storeCode(
  { payload: { at, expiresAt, salt, hash }, replay }: ReceivedFrame<LinkCodePayload>,
  { serverId, connection, context, room }: FrameHandlerContext,
): Promise<void> {
  const madeAt = replay ? at : null;
  if (!salt || !hash) {
    await executeStatement(connection, recordUnhashedCodeTimeSql, [serverId, madeAt]);
    context.log.warn(
      { serverId },
      "the plugin sent a code for a Steam link without its hash: the code cannot be used, update the plugin",
    );
    return;
  }
  await executeStatement(connection, recordHashedCodeTimeSql, [serverId, madeAt]);
  await executeStatement(connection, deleteOldCodesSql, [serverId]);
  const lifetimeMs = Math.min(expiresAt - at, longestMs);
  const digest = digestOf(salt, hash, context.config);
  if (room.isFull("linkCodes", 1)) {
    await executeStatement(connection, deleteExpiredCodesSql, [serverId]);
  }
  const fitting = await room.selectFitting("linkCodes", [digest], {
    keyOf: (key) => key,
    sql: selectCodeKeySql,
    values: [serverId, digest],
  });
  if (fitting.length === 0) return;
  await executeStatement(connection, insertCodeSql, [serverId, salt, digest, madeAt, lifetimeMs]);
}
