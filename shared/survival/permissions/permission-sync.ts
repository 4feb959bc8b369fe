import { normalizeName } from "./nodes.ts";
import { entryKey, type PermissionEntry, type PermissionOp } from "./permission-ops.ts";
import type { PermissionGroup } from "./wanted.ts";

interface PushedGroup {
  readonly name: string;
  readonly title: string;
  readonly rank: number;
  readonly parent: string | null;
  readonly grant: readonly string[];
  readonly revoke: readonly string[];
}

interface PushedUser {
  readonly steamId: string;
  readonly grant: readonly string[];
  readonly revoke: readonly string[];
  readonly join: readonly string[];
  readonly leave: readonly string[];
}

/** Body of the call `perm/push`. */
export interface PermissionSyncBody {
  readonly pushId: string;
  readonly groups: readonly PushedGroup[];
  readonly users: readonly PushedUser[];
  /** Groups to remove: the site created them, and they are no longer wanted. */
  readonly remove: readonly string[];
}

type GroupFacts = Pick<PermissionGroup, "name" | "title" | "rank" | "parent">;

/** Builds the body of a sync. @param groups wanted groups first, and parents before their children */
export function buildPermissionSync(
  pushId: string,
  ops: readonly PermissionOp[],
  groups: readonly GroupFacts[],
): PermissionSyncBody {
  const bySubject = Map.groupBy(
    ops.filter(({ op }) => op !== "remove"),
    ({ subjectKind, subject }) => `${subjectKind} ${normalizeName(subject)}`,
  );
  const named = new Map<string, GroupFacts>();
  for (const group of groups) {
    if (!named.has(normalizeName(group.name))) named.set(normalizeName(group.name), group);
  }
  return {
    pushId,
    groups: [...named].flatMap(([name, { title, rank, parent }]) => {
      const own = bySubject.get(`group ${name}`);
      if (!own) return [];
      const values = valuesOf(own);
      const above = parent === null ? null : normalizeName(parent);
      return [{ name, title, rank, parent: above, ...pick(values, "grant", "revoke") }];
    }),
    users: [...bySubject]
      .filter(([subject]) => subject.startsWith("user "))
      .map(([subject, own]) => ({
        steamId: subject.slice("user ".length),
        ...pick(valuesOf(own), "grant", "revoke", "join", "leave"),
      })),
    remove: ops
      .filter(({ op, kind }) => op === "remove" && kind === "group")
      .map(({ subject }) => normalizeName(subject)),
  };
}

type Listed = "grant" | "revoke" | "join" | "leave";

const valuesOf =
  (ops: readonly PermissionOp[]) =>
  (op: Listed): string[] =>
    ops.filter((given) => given.op === op).map(({ value }) => normalizeName(value));

const pick = <Name extends Listed>(
  values: (op: Listed) => string[],
  ...names: readonly Name[]
): Record<Name, string[]> =>
  Object.fromEntries(names.map((name) => [name, values(name)])) as Record<Name, string[]>;

/** One failed step in the frame `perm.sync`. */
export interface FailedOp extends Omit<PermissionEntry, "value"> {
  readonly op: "grant" | "revoke" | "join" | "leave" | "group";
  readonly value?: string | null | undefined;
  readonly reason: string;
}

export interface PermissionOpResult {
  readonly op: PermissionOp;
  /** Null if the step succeeded. Steps that are not listed as failed have succeeded. */
  readonly reason: string | null;
}

/** Returns the result of each step. A failed group does not fail the steps of its permissions. */
export function listPermissionOpResults(
  ops: readonly PermissionOp[],
  failed: readonly FailedOp[],
): PermissionOpResult[] {
  const reasons = new Map(
    failed.map(({ reason, ...entry }) => [
      entryKey({ ...entry, value: entry.kind === "group" ? "" : (entry.value ?? "") }),
      reason,
    ]),
  );
  return ops.map((op) => ({ op, reason: reasons.get(entryKey(op)) ?? null }));
}
