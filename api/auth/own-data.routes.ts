import { pipeline } from "node:stream/promises";

import type { Response } from "express";

import { deleteOwnAccount } from "../../shared/own-data/delete-own-account.ts";
import { writeOwnData } from "../../shared/own-data/write-own-data.ts";
import { alreadySent, answer } from "../http/answer.ts";
import { endedCookie } from "../http/cookies.ts";
import { route } from "../http/route.ts";

/** How long a download may take that nobody reads. */
const longestMs = 5 * 60_000;

/** What is stored about the caller, to take along and to delete. */
export const ownDataRoutes = [
  /**
   * @openapi
   * components:
   *   schemas:
   *     OwnOnlineCharacter:
   *       type: object
   *       additionalProperties: false
   *       required: [serial, name, map, x, y, z, region]
   *       properties:
   *         serial: { type: string, example: '0x0000ABCD' }
   *         name: { type: string }
   *         map: { type: string, nullable: true }
   *         x: { type: integer, nullable: true }
   *         y: { type: integer, nullable: true }
   *         z: { type: integer, nullable: true }
   *         region: { type: string, nullable: true }
   *     OwnBan:
   *       type: object
   *       additionalProperties: false
   *       required: [id, account, reason, issuedAt, expiresAt, endedAt]
   *       properties:
   *         id: { type: integer }
   *         account: { type: string }
   *         reason: { type: string, example: Unattended macroing }
   *         issuedAt: { type: string, format: date-time }
   *         expiresAt:
   *           type: string
   *           format: date-time
   *           nullable: true
   *           description: End of the ban. Null for a permanent ban.
   *         endedAt:
   *           type: string
   *           format: date-time
   *           nullable: true
   *           description: >-
   *             When the ban was lifted, or replaced by another ban. Null if neither has happened.
   *     OwnSteamLink:
   *       type: object
   *       additionalProperties: false
   *       required: [steamId, name, linkedAt]
   *       properties:
   *         steamId: { $ref: '#/components/schemas/SteamId' }
   *         name: { type: string }
   *         linkedAt: { type: string, format: date-time }
   *     OwnSurvivalGrant:
   *       type: object
   *       additionalProperties: false
   *       required: [kind, steamId, value, source, createdAt, expiresAt, revokedAt]
   *       properties:
   *         kind: { type: string, enum: [permission, membership] }
   *         steamId: { $ref: '#/components/schemas/SteamId' }
   *         value:
   *           type: string
   *           example: vip
   *           description: 'A permission, or the name of a group.'
   *         source: { type: string, enum: [manual, event, store, system] }
   *         createdAt: { type: string, format: date-time }
   *         expiresAt: { type: string, format: date-time, nullable: true }
   *         revokedAt: { type: string, format: date-time, nullable: true }
   *     OwnSurvivalSighting:
   *       type: object
   *       additionalProperties: false
   *       required: [serverId, steamId, name, firstSeenAt, lastSeenAt]
   *       properties:
   *         serverId: { type: integer }
   *         steamId: { $ref: '#/components/schemas/SteamId' }
   *         name: { type: string, description: Name that the player used last on the server. }
   *         firstSeenAt: { type: string, format: date-time }
   *         lastSeenAt: { type: string, format: date-time }
   *     OwnSurvivalPresence:
   *       type: object
   *       additionalProperties: false
   *       required: [serverId, steamId, name, connectedAt]
   *       properties:
   *         serverId: { type: integer }
   *         steamId: { $ref: '#/components/schemas/SteamId' }
   *         name: { type: string }
   *         connectedAt: { type: string, format: date-time }
   *     OwnSurvivalClan:
   *       type: object
   *       additionalProperties: false
   *       required: [serverId, clan, steamId, name, role, joinedAt, lastSeenAt, disbandedAt]
   *       properties:
   *         serverId: { type: integer }
   *         clan: { type: string, example: Night Owls }
   *         steamId: { $ref: '#/components/schemas/SteamId' }
   *         name: { type: string, description: Name of the player. }
   *         role: { type: string, nullable: true }
   *         joinedAt: { type: string, format: date-time, nullable: true }
   *         lastSeenAt: { type: string, format: date-time, nullable: true }
   *         disbandedAt: { type: string, format: date-time, nullable: true }
   *     OwnSurvivalTally:
   *       type: object
   *       additionalProperties: false
   *       required: [wipeId, steamId, name, isStaff, updatedAt]
   *       properties:
   *         wipeId: { type: integer, description: Id of the world. }
   *         steamId: { $ref: '#/components/schemas/SteamId' }
   *         name: { type: string }
   *         isStaff: { type: boolean, description: Whether the game reported the player as staff. }
   *         updatedAt: { type: string, format: date-time }
   *     OwnSurvivalScore:
   *       type: object
   *       additionalProperties: false
   *       required: [wipeId, steamId, stat, value, reachedAt]
   *       properties:
   *         wipeId: { type: integer, description: Id of the world. }
   *         steamId: { $ref: '#/components/schemas/SteamId' }
   *         stat: { type: string, example: playersKilled }
   *         value: { type: integer, description: 'Value of the stat: a count, meters or seconds, depending on `stat`.' }
   *         reachedAt:
   *           type: string
   *           format: date-time
   *           description: When the player reached this value.
   *     OwnSurvivalNpcKills:
   *       type: object
   *       additionalProperties: false
   *       required: [wipeId, steamId, profileKey, kills, lastAt]
   *       properties:
   *         wipeId: { type: integer, description: Id of the world. }
   *         steamId: { $ref: '#/components/schemas/SteamId' }
   *         profileKey: { type: string, example: warlord, description: Key of the NPC profile. }
   *         kills: { type: integer }
   *         lastAt: { type: string, format: date-time }
   *     OwnSurvivalParticipation:
   *       type: object
   *       additionalProperties: false
   *       required: [serverId, method, steamId, name, firstAt, lastAt, score]
   *       properties:
   *         serverId: { type: integer }
   *         method:
   *           type: string
   *           enum: [zone, command, damage, kill]
   *           description: Method by which participation in the event was counted.
   *         steamId: { $ref: '#/components/schemas/SteamId' }
   *         name: { type: string }
   *         firstAt:
   *           type: integer
   *           description: Time of the first participation, in epoch milliseconds.
   *         lastAt: { type: integer, description: 'Time of the last participation, in epoch milliseconds.' }
   *         score:
   *           type: number
   *           description: Amount of the participation. The unit depends on `method`.
   *     OwnSurvivalChat:
   *       type: object
   *       additionalProperties: false
   *       required: [id, serverId, steamId, t, message]
   *       properties:
   *         id: { type: integer }
   *         serverId: { type: integer }
   *         steamId: { $ref: '#/components/schemas/SteamId' }
   *         t: { type: integer, description: 'Time of the message by the game server''s clock, in epoch milliseconds.' }
   *         message: { type: string }
   */
  route({
    method: "get",
    path: "/api/v1/auth/me/export",
    gate: "auth",
    set: "additive",
    tag: "Account",
    summary: "Export the caller's data",
    description:
      "Returns one JSON file with everything that the site stores about the caller, without " +
      "secrets, password hashes and data of other people. The file includes the data that the " +
      "game servers reported about the game accounts and Steam accounts that are linked now, " +
      "such as bans, offices, statistics and chat. In `activity`, entries about actions of the " +
      "caller on other users or on the site have no details. 429 `rate_limited` after too many " +
      "downloads within a day.",
    limiters: ["export"],
    sends: { 200: ["Content-Disposition"] },
    answers: { 200: "OwnData" },
    handle: async ({ caller, request, response }, context) => {
      const texts = writeOwnData(caller.userId, context);
      // Read before anything is sent: a database that is away is a 503, and no broken download.
      const begun = await texts.next();
      response.set({
        "Content-Type": "application/json; charset=utf-8",
        "Content-Disposition": 'attachment; filename="own-data.json"',
      });
      if (request.method === "HEAD" || begun.done) response.end();
      else await download(begun.value, texts, response);
      return alreadySent;
    },
  }),
  route({
    method: "delete",
    path: "/api/v1/auth/me/account",
    gate: "auth",
    set: "additive",
    tag: "Account",
    summary: "Delete the caller's account",
    description:
      "Deletes the account and its data immediately and permanently. Its sessions, API tokens " +
      "and event streams end. The shard unlinks the game accounts shortly afterwards. In the " +
      "activity log, only the user id remains. The user is notified by e-mail. 409 `last_admin` " +
      "if the caller is the last administrator.",
    limiters: ["userChange"],
    confirms: true,
    sends: { 200: ["Set-Cookie"] },
    answers: { 200: "DeletedId", 409: "Error" },
    handle: async ({ caller }, context) => {
      await deleteOwnAccount(caller, context);
      const cookies = [
        endedCookie("session", context.config),
        endedCookie("trust", context.config),
      ];
      return answer(200, { id: caller.userId }, { cookies });
    },
  }),
];

/** Sends the text as fast as the client reads it. A client that goes away, or reads nothing, ends it. */
async function download(
  begun: string,
  rest: AsyncIterable<string>,
  response: Response,
): Promise<void> {
  try {
    const signal = AbortSignal.timeout(longestMs);
    await pipeline(inOrder(begun, rest), response, { signal });
  } catch (error) {
    const { code } = error as { readonly code?: unknown };
    if (code !== "ERR_STREAM_PREMATURE_CLOSE" && code !== "ABORT_ERR") throw error;
  }
}

async function* inOrder(first: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield first;
  yield* rest;
}
