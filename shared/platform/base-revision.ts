import { AsyncLocalStorage } from "node:async_hooks";
import { createHash } from "node:crypto";

import { AppError, invalidFieldsError } from "./errors/errors.ts";

/** The revision of a stored object: a counter that each change increases, or a hash of the content. */
export type Revision = number | string;

/** The revision that the request's caller has read. */
export interface BaseRevision {
  readonly revision: Revision | undefined;
  readonly field: string;
  /** True if the response reports faults with JSON pointers and codes. */
  readonly isPointed: boolean;
}

const current = new AsyncLocalStorage<BaseRevision & { isCompared: boolean }>();

/**
 * Runs a request whose body can name the revision that its caller has read.
 * @throws Error if the body names a revision and `requireBaseRevision` did not compare it
 */
export async function runWithBaseRevision<T>(
  base: BaseRevision,
  act: () => Promise<T>,
): Promise<T> {
  const compared = { ...base, isCompared: false };
  const result = await current.run(compared, act);
  if (base.revision === undefined || compared.isCompared) return result;
  throw new Error(`No revision was compared with ${base.field}`);
}

/**
 * Checks that the request is based on the stored revision. Call it in the writing transaction, under the
 * row's lock, so that no change comes between. Does nothing in a job.
 * @param isRequired true if the request must name a revision
 * @throws AppError stale_revision; validation_failed
 */
export function requireBaseRevision(present: Revision, isRequired = false): void {
  const base = current.getStore();
  if (!base) return;
  base.isCompared = true;
  if (base.revision === present) return;
  if (base.revision !== undefined) throw staleRevisionError(base, present);
  if (isRequired) throw invalidFieldsError([faultOf(base, "required", missingFieldMessage(base))]);
}

/** Returns the request's revision, for code that compares it itself; null if the request names none. */
export function readBaseRevision(): Revision | null {
  const base = current.getStore();
  if (!base) return null;
  base.isCompared = true;
  return base.revision ?? null;
}

function staleRevisionError(base: BaseRevision, present: Revision): AppError {
  const message =
    typeof present === "number"
      ? `The change is based on revision ${base.revision}, and ${present} is the newest`
      : "The object has changed since you read it: read it again";
  const faults = base.isPointed ? { faults: [faultOf(base, "state", message)] } : {};
  return new AppError("stale_revision", message, faults);
}

const missingFieldMessage = ({ field }: BaseRevision): string =>
  `${field} is required: steps of the event change the world of a game`;

const faultOf = ({ field, isPointed }: BaseRevision, code: string, message: string) =>
  isPointed ? { path: `/${field}`, code, message } : { path: field, message };

/** Returns a hash of content as its revision. Ignores the order of fields, which the database changes. */
export const hashContent = (content: unknown): string =>
  createHash("sha256").update(JSON.stringify(content, sortFields)).digest("hex").slice(0, 32);

const sortFields = (_key: string, value: unknown): unknown =>
  isFields(value) ? Object.fromEntries(Object.entries(value).toSorted(byName)) : value;

const isFields = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const byName = ([one]: [string, unknown], [other]: [string, unknown]): number =>
  one < other ? -1 : 1;
