import { invalidFieldsError } from "../../platform/errors/errors.ts";

/** The status and time of publication of a post. A published post with a future time is scheduled. */
export interface Publication {
  readonly status: "draft" | "published";
  readonly publishedAt: Date | null;
}

/** The states of a post that an editor can set. */
export const postStatuses = ["draft", "scheduled", "published"] as const;

export interface PublicationChange {
  readonly status?: (typeof postStatuses)[number] | undefined;
  readonly published_at?: Date | null | undefined;
}

/**
 * Returns the publication of a post after an editor's change. Unpublishing keeps the time of the first
 * publication.
 * @param now the database's time
 * @throws AppError if the post is to be scheduled, or stays published, without a time
 */
export function decidePublication(
  now: Date,
  stored: Publication,
  { status, published_at: given }: PublicationChange,
): Publication {
  const time = given === undefined ? stored.publishedAt : given;
  if (status === "draft") return { status, publishedAt: time };
  if (status === "published") return { status, publishedAt: given ?? publicationTime(now, stored) };
  if (status === "scheduled") return { status: "published", publishedAt: requireTime(time) };
  if (stored.status === "draft") return { status: "draft", publishedAt: time };
  return { status: "published", publishedAt: requireTime(time) };
}

/** If a scheduled post is published now, the current time replaces its future time. */
const publicationTime = (now: Date, { publishedAt }: Publication): Date =>
  publishedAt !== null && publishedAt <= now ? publishedAt : now;

function requireTime(time: Date | null): Date {
  if (time) return time;
  const message = "published_at is required if a post is scheduled or remains published";
  throw invalidFieldsError([{ path: "published_at", message }]);
}
