import { AsyncLocalStorage } from "node:async_hooks";
import { createHash } from "node:crypto";

import { AppError, invalidFields } from "./errors/errors.ts";

/** Names one state of a stored thing: a number that each change raises, or a hash of what is stored. */
export type Revision = number | string;

/** What a request says that its caller has read. */
export interface Base {
  readonly revision: Revision | undefined;
  /** The field of the body that carries it. */
  readonly field: string;
  /** Whether faults are told by JSON pointers and codes. */
  readonly isPointed: boolean;
}

const current = new AsyncLocalStorage<Base & { isCompared: boolean }>();

/**
 * Runs a request whose body says what the caller has read. What it acts on is compared by
 * `requireBase`.
 * @throws Error when the body names a revision and nothing was compared with it
 */
export async function actBasedOn<T>(base: Base, act: () => Promise<T>): Promise<T> {
  const compared = { ...base, isCompared: false };
  const result = await current.run(compared, act);
  if (base.revision === undefined || compared.isCompared) return result;
  throw new Error(`Nothing was compared with ${base.field}`);
}

/**
 * Asks that the request acts on what its caller has read. Call it in the transaction that acts, under
 * the lock of the row: another change could else come between. In a job there is no request to ask.
 * @param present the stored revision
 * @param isRequired whether the request must say what was read
 * @throws AppError stale_revision; validation_failed
 */
export function requireBase(present: Revision, isRequired = false): void {
  const base = current.getStore();
  if (!base) return;
  base.isCompared = true;
  if (base.revision === present) return;
  if (base.revision !== undefined) throw stale(base, present);
  if (isRequired) throw invalidFields([faultOf(base, "required", lacking(base))]);
}

/** The revision that the request names, to be compared elsewhere; null where it names none. */
export function takeBase(): Revision | null {
  const base = current.getStore();
  if (!base) return null;
  base.isCompared = true;
  return base.revision ?? null;
}

function stale(base: Base, present: Revision): AppError {
  const message =
    typeof present === "number"
      ? `The change is based on revision ${base.revision}, and ${present} is the newest`
      : "It was changed since it was read: read it again";
  const faults = base.isPointed ? { faults: [faultOf(base, "state", message)] } : {};
  return new AppError("stale_revision", message, faults);
}

const lacking = ({ field }: Base): string =>
  `${field} is required: steps of the event change the world of a game`;

const faultOf = ({ field, isPointed }: Base, code: string, message: string) =>
  isPointed ? { path: `/${field}`, code, message } : { path: field, message };

/**
 * The revision of a thing that counts none: equal contents have equal ones.
 * Fields count in any order: the database keeps another one than was sent.
 */
export const hashOf = (content: unknown): string =>
  createHash("sha256").update(JSON.stringify(content, inOneOrder)).digest("hex").slice(0, 32);

const inOneOrder = (_key: string, value: unknown): unknown =>
  isFields(value) ? Object.fromEntries(Object.entries(value).toSorted(byName)) : value;

const isFields = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const byName = ([one]: [string, unknown], [other]: [string, unknown]): number =>
  one < other ? -1 : 1;
