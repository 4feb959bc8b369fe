import { setTimeout as sleep } from "node:timers/promises";

import type { Request, Response } from "express";

import type { Caller } from "../../shared/auth/caller.ts";
import { askImport, awaitImport } from "../../shared/imports/ask-import.ts";
import { failedImport, type ImportName } from "../../shared/imports/kinds.ts";
import type { ImportFlags, ImportResult } from "../../shared/imports/result.ts";
import type { ApiContext } from "../context.ts";
import { type Answer, answer, streamed } from "../http/answer.ts";

/** Routers in front give up a request whose answer has not begun after some 30 s. */
const plainWaitMs = 20_000;
/** Between two blanks that keep a begun answer's connection open. */
const keepAliveMs = 15_000;
const longestMs = 10 * 60_000;

interface AskedRequest {
  readonly flags: ImportFlags;
  readonly caller: Caller;
  readonly request: Request;
  readonly response: Response;
}

/**
 * Asks for an import and answers with its result. Up to 20 s it waits plainly; then it commits a
 * 200 and sends blanks, which JSON allows, until the result is there. A client that prefers
 * `respond-async` gets 202 and the job's address instead. Whoever leaves, the job goes on.
 */
export async function answerImport(
  name: ImportName,
  asked: AskedRequest,
  context: ApiContext,
): Promise<Answer | ImportResult> {
  const { flags, caller, request, response } = asked;
  const run = await askImport(name, flags, caller, context);
  if ("refused" in run) return run.refused;
  const prefer = readPrefer(request);
  if (prefer.async) return accepted(run.jobId);
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  const { signal } = gone;
  const waitMs = Math.min(prefer.waitMs ?? plainWaitMs, plainWaitMs);
  const result = await awaitImport(name, run.jobId, { waitMs, signal }, context);
  if (result) return result;
  if (prefer.waitMs !== undefined) return accepted(run.jobId);
  await answerWhileWaiting(run.jobId, name, { response, signal }, context);
  return streamed;
}

/** `respond-async`, and `wait=5` in seconds (RFC 7240). */
function readPrefer(request: Request): { async: boolean; waitMs: number | undefined } {
  const prefer = request.get("prefer") ?? "";
  const wait = /\bwait=(\d{1,4})\b/.exec(prefer)?.[1];
  const waitMs = wait === undefined ? undefined : Number(wait) * 1_000;
  return { async: /\brespond-async\b/i.test(prefer) && waitMs === undefined, waitMs };
}

const accepted = (jobId: string): Answer =>
  answer(
    202,
    { jobId },
    {
      headers: {
        Location: `/api/v1/admin/jobs/${jobId}`,
        "Preference-Applied": "respond-async",
        "Retry-After": "2",
      },
    },
  );

async function answerWhileWaiting(
  jobId: string,
  name: ImportName,
  { response, signal }: { readonly response: Response; readonly signal: AbortSignal },
  context: ApiContext,
): Promise<void> {
  const ended = new AbortController();
  response.status(200).type("json").set("X-Accel-Buffering", "no").write(" ");
  void sendBlanks(response, AbortSignal.any([ended.signal, signal]));
  const result = await awaitImport(name, jobId, { waitMs: longestMs, signal }, context);
  ended.abort();
  if (signal.aborted) return;
  const late = failedImport(name, "Timed out waiting; the import goes on");
  response.end(JSON.stringify(result ?? late));
}

async function sendBlanks(response: Response, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await sleep(keepAliveMs, undefined, { signal }).catch(() => undefined);
    if (!signal.aborted) response.write(" ");
  }
}
