import { invalidFields } from "../../platform/errors/errors.ts";

/** Whether a post is published, and as of when; a time to come makes it scheduled. */
export interface Publication {
  readonly status: "draft" | "published";
  readonly publishedAt: Date | null;
}

/** How a post may stand, as editors say it. */
export const postStatuses = ["draft", "scheduled", "published"] as const;

export interface AskedPublication {
  readonly status?: (typeof postStatuses)[number] | undefined;
  readonly published_at?: Date | null | undefined;
}

/**
 * What becomes of a post's publication. The time of the first one is kept over unpublishing and
 * publishing again, unless another is given.
 * @param now by the database's clock
 * @throws AppError where it is to be scheduled, or stays published, without a time
 */
export function decidePublication(
  now: Date,
  stored: Publication,
  { status, published_at: given }: AskedPublication,
): Publication {
  const time = given === undefined ? stored.publishedAt : given;
  if (status === "draft") return { status, publishedAt: time };
  if (status === "published") return { status, publishedAt: given ?? keptTime(now, stored) };
  if (status === "scheduled") return { status: "published", publishedAt: requireTime(time) };
  if (stored.status === "draft") return { status: "draft", publishedAt: time };
  return { status: "published", publishedAt: requireTime(time) };
}

/** A post that is published now does not wait for the time it was scheduled for. */
const keptTime = (now: Date, { publishedAt }: Publication): Date =>
  publishedAt !== null && publishedAt <= now ? publishedAt : now;

function requireTime(time: Date | null): Date {
  if (time) return time;
  const message = "published_at is required where a post is scheduled or stays published";
  throw invalidFields([{ path: "published_at", message }]);
}
