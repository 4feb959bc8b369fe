import { call } from "../../api/call.ts";

export type ImportKind = "atlas" | "clilocs" | "assets" | "item-art";

/** The answer to a request for an import: the id of its job, or the result if it could not start. */
export type Requested =
  | { readonly jobId: string }
  | { readonly status: string; readonly reason: string | null };

/** Lets the service answer at once, because an import can take minutes. */
const headers = { prefer: "respond-async" };

/** Starts an import. @param force also if the source is unchanged */
export async function startImport(kind: ImportKind, force: boolean): Promise<Requested> {
  const sent = { headers, body: { force } };
  if (kind === "atlas") return toRequested(await call("POST /admin/shard/atlas/import", sent));
  if (kind === "clilocs") return toRequested(await call("POST /admin/shard/clilocs/import", sent));
  return toRequested(
    kind === "assets"
      ? await call("POST /admin/shard/assets/import", sent)
      : await call("POST /admin/shard/assets/warm", sent),
  );
}

export const canApprove = (kind: string): kind is "atlas" | "clilocs" | "assets" =>
  ["atlas", "clilocs", "assets"].includes(kind);

/** Applies an import that waits for review. @param basedOn the revision of the atlas's import that was read */
export async function approveImport(
  kind: "atlas" | "clilocs" | "assets",
  basedOn?: string,
): Promise<Requested> {
  if (kind === "atlas") {
    const body = basedOn === undefined ? {} : { basedOn };
    return toRequested(await call("POST /admin/shard/atlas/approve", { headers, body }));
  }
  const sent = { headers, body: { approve: true } };
  return toRequested(
    kind === "clilocs"
      ? await call("POST /admin/shard/clilocs/import", sent)
      : await call("POST /admin/shard/assets/import", sent),
  );
}

/** Rejects the import of the atlas that waits for review. */
export async function rejectAtlas(basedOn?: string): Promise<Requested> {
  const body = basedOn === undefined ? {} : { basedOn };
  return toRequested(await call("POST /admin/shard/atlas/reject", { body }));
}

/** Reads the id of the job from an answer 202. The description types the answer 200 only. */
function toRequested(answer: {
  readonly status: string;
  readonly reason: string | null;
}): Requested {
  const jobId: unknown = "jobId" in answer ? answer.jobId : null;
  return typeof jobId === "string" ? { jobId } : answer;
}
