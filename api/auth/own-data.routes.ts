import { pipeline } from "node:stream/promises";

import type { Response } from "express";

import { deleteOwnAccount } from "../../shared/own-data/delete-account.ts";
import { writeOwnData } from "../../shared/own-data/write-own-data.ts";
import { alreadySentAnswer, createAnswer } from "../http/answer.ts";
import { createExpiredCookie } from "../http/cookies.ts";
import { defineRoute } from "../http/route.ts";

/** Timeout in milliseconds of a download whose client does not read. */
const downloadTimeoutMs = 5 * 60_000;

/** Routes to export and delete the caller's data. */
export const ownDataRoutes = [
  defineRoute({
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
      // Read the first part of the data before sending headers: a database failure is then a 503 instead of a
      // broken download.
      const firstText = await texts.next();
      response.set({
        "Content-Type": "application/json; charset=utf-8",
        "Content-Disposition": 'attachment; filename="own-data.json"',
      });
      if (request.method === "HEAD" || firstText.done) response.end();
      else await download(firstText.value, texts, response);
      return alreadySentAnswer;
    },
  }),
  defineRoute({
    method: "delete",
    path: "/api/v1/auth/me/account",
    gate: "auth",
    set: "additive",
    tag: "Account",
    summary: "Delete the caller's account",
    description:
      "Deletes the account and its data immediately and permanently. The sessions, API tokens " +
      "and event streams of the account end. The shard unlinks the game accounts shortly " +
      "afterwards. In the activity log, only the user id remains. The user is notified by " +
      "e-mail. 409 `last_admin` if the caller is the last administrator.",
    limiters: ["userChange"],
    confirms: true,
    sends: { 200: ["Set-Cookie"] },
    answers: { 200: "DeletedId", 409: "Error" },
    handle: async ({ caller }, context) => {
      await deleteOwnAccount(caller, context);
      const cookies = [
        createExpiredCookie("session", context.config),
        createExpiredCookie("trust", context.config),
      ];
      return createAnswer(200, { id: caller.userId }, { cookies });
    },
  }),
];

/** Sends the text as fast as the client reads it; stops if the client disconnects or does not read. */
async function download(
  firstText: string,
  rest: AsyncIterable<string>,
  response: Response,
): Promise<void> {
  try {
    const signal = AbortSignal.timeout(downloadTimeoutMs);
    await pipeline(prepend(firstText, rest), response, { signal });
  } catch (error) {
    const { code } = error as { readonly code?: unknown };
    if (code !== "ERR_STREAM_PREMATURE_CLOSE" && code !== "ABORT_ERR") throw error;
  }
}

async function* prepend(first: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield first;
  yield* rest;
}
