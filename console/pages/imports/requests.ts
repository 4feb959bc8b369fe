import { callApi } from "../../api/call.ts";
import { Problem } from "../../api/problem.ts";

export type ImportKind = "atlas" | "clilocs" | "assets" | "item-art";

/** The answer to a request for an import: the id of its job, or the result if it could not start. */
export type ImportRequestAnswer =
  | { readonly jobId: string }
  | { readonly status: string; readonly reason: string | null };

/** Lets the service answer at once, because an import can take minutes. */
const headers = { prefer: "respond-async" };

/** Starts an import. @param force true to import even if the source is unchanged */
export async function startImport(kind: ImportKind, force: boolean): Promise<ImportRequestAnswer> {
  const sent = { headers, body: { force } };
  if (kind === "atlas") return toRequested(await callApi("POST /admin/shard/atlas/import", sent));
  if (kind === "clilocs") {
    return toRequested(await callApi("POST /admin/shard/clilocs/import", sent));
  }
  return toRequested(
    kind === "assets"
      ? await callApi("POST /admin/shard/assets/import", sent)
      : await callApi("POST /admin/shard/assets/warm", sent),
  );
}

/** Applies the import of the atlas that waits for review. @param basedOn the revision that was read */
export async function approveAtlas(basedOn: string): Promise<ImportRequestAnswer> {
  return toRequested(
    await callApi("POST /admin/shard/atlas/approve", { headers, body: { basedOn } }),
  );
}

/**
 * Repeats an import that waits for review, and lets it remove what it listed. An import that was forced is forced
 * again: otherwise it would end without a change, because the source is the same.
 * @param jobId the import that waits
 */
export async function approveLosses(
  kind: "clilocs" | "assets",
  jobId: string,
): Promise<ImportRequestAnswer> {
  const isForced = await wasForced(jobId);
  const sent = { headers, body: { approve: true, ...(isForced && { force: true }) } };
  return toRequested(
    kind === "clilocs"
      ? await callApi("POST /admin/shard/clilocs/import", sent)
      : await callApi("POST /admin/shard/assets/import", sent),
  );
}

/** The service deletes jobs before it deletes the reviews that they asked for. */
async function wasForced(jobId: string): Promise<boolean> {
  try {
    const { job } = await callApi("GET /admin/jobs/{id}", { path: { id: jobId } });
    return job.data?.["force"] === true;
  } catch (error) {
    if (error instanceof Problem && error.status === 404) return false;
    throw error;
  }
}

/** Rejects the import of the atlas that waits for review. */
export async function rejectAtlas(basedOn: string): Promise<ImportRequestAnswer> {
  return toRequested(await callApi("POST /admin/shard/atlas/reject", { body: { basedOn } }));
}

/** Reads the id of the job from an answer 202. The API description has a type only for the answer 200. */
function toRequested(answer: {
  readonly status: string;
  readonly reason: string | null;
}): ImportRequestAnswer {
  const jobId: unknown = "jobId" in answer ? answer.jobId : null;
  return typeof jobId === "string" ? { jobId } : answer;
}
