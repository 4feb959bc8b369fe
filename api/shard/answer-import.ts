import { setTimeout as sleep } from "node:timers/promises";

import type { Request, Response } from "express";

import type { ImportResult } from "../../shared/imports/results/codes.ts";
import { createFailedImportResult, type ImportName } from "../../shared/imports/results/kinds.ts";
import {
  type ImportRequestResult,
  requestImport,
  awaitImport,
} from "../../shared/imports/runs/request-import.ts";
import type { Caller } from "../../shared/platform/access/caller.ts";
import type { ImportFlags } from "../../shared/platform/queue/queues.ts";
import type { ApiContext } from "../context.ts";
import { alreadySentAnswer, type Answer, createAnswer } from "../http/answer.ts";

/** How long a request waits for the result. Proxies give up after about 30 seconds without an answer. */
const plainWaitMs = 20_000;
/** The interval at which a space is sent to keep the connection of a started answer open. */
const keepAliveMs = 15_000;
const longestMs = 10 * 60_000;

interface Exchange {
  readonly request: Request;
  readonly response: Response;
}

interface ImportRequest extends Exchange {
  readonly flags: ImportFlags;
  readonly caller: Caller;
}

/** Starts an import and answers in the same way as `answerRequestedImport`. */
export const requestAndAnswerImport = async (
  name: ImportName,
  asked: ImportRequest,
  context: ApiContext,
): Promise<Answer | ImportResult> =>
  answerRequestedImport(
    name,
    await requestImport(name, asked.flags, asked.caller, context),
    asked,
    context,
  );

/**
 * Answers with the result of a requested import. After 20 s it sends the status 200 and then spaces,
 * which JSON ignores, until the import ends, so that no proxy closes the silent connection. If the
 * client prefers `respond-async` or the process stops, the answer is 202 with the URL of the job. The
 * job continues after the client disconnects.
 *
 * @openapi
 * components:
 *   schemas:
 *     AcceptedJob:
 *       type: object
 *       additionalProperties: false
 *       required: [jobId]
 *       properties:
 *         jobId: { type: string, format: uuid }
 */
export async function answerRequestedImport(
  name: ImportName,
  run: ImportRequestResult,
  { request, response }: Exchange,
  context: ApiContext,
): Promise<Answer | ImportResult> {
  if ("refused" in run) return run.refused;
  const { isAsync, waitMs } = readPrefer(request);
  if (waitMs === 0) return accepted(run.jobId, isAsync);
  const signal = AbortSignal.any([abortOnDisconnect(response), context.stopping]);
  const result = await awaitImport(name, run.jobId, { waitMs, signal }, context);
  if (result) return result;
  if (isAsync || context.stopping.aborted) return accepted(run.jobId, isAsync);
  await answerWhileWaiting(run.jobId, name, { response, signal }, context);
  return alreadySentAnswer;
}

interface Preference {
  readonly isAsync: boolean;
  readonly waitMs: number;
}

/** Reads `Prefer` (RFC 7240). Without `respond-async`, `wait` has no effect: the client may not handle a 202. */
function readPrefer(request: Request): Preference {
  const preferences = (request.get("prefer") ?? "").toLowerCase().split(",");
  const names = preferences.map((preference) => preference.split(";")[0]?.trim() ?? "");
  if (!names.includes("respond-async")) return { isAsync: false, waitMs: plainWaitMs };
  const waits = names.map((name) => /^wait *= *"?(\d{1,4})"?$/.exec(name)?.[1]);
  const seconds = Number(waits.find((wait) => wait !== undefined) ?? 0);
  return { isAsync: true, waitMs: Math.min(seconds * 1_000, plainWaitMs) };
}

/** Aborts when the client disconnects. */
function abortOnDisconnect(response: Response): AbortSignal {
  const gone = new AbortController();
  if (response.closed) gone.abort();
  response.once("close", () => gone.abort());
  return gone.signal;
}

const accepted = (jobId: string, isPreferred: boolean): Answer =>
  createAnswer(
    202,
    { jobId },
    {
      headers: {
        Location: `/api/v1/admin/jobs/${jobId}`,
        ...(isPreferred && { "Preference-Applied": "respond-async" }),
        "Retry-After": "2",
      },
    },
  );

async function answerWhileWaiting(
  jobId: string,
  name: ImportName,
  { response, signal }: Pick<Exchange, "response"> & { readonly signal: AbortSignal },
  context: ApiContext,
): Promise<void> {
  const ended = new AbortController();
  response.status(200).type("json").set("X-Accel-Buffering", "no").write(" ");
  void sendBlanks(response, AbortSignal.any([ended.signal, signal]));
  const result = await awaitImport(name, jobId, { waitMs: longestMs, signal }, context);
  ended.abort();
  if (response.destroyed) return;
  const reason = context.stopping.aborted ? "The service restarts" : "The request waited too long";
  response.end(
    JSON.stringify(result ?? createFailedImportResult(name, `${reason}; the import continues`)),
  );
}

async function sendBlanks(response: Response, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await sleep(keepAliveMs, undefined, { signal }).catch(() => undefined);
    if (!signal.aborted) response.write(" ");
  }
}
