import type { SurvivalPermissionRow } from "../../../models/survival/permissions/survival-permission-row.ts";
import { isGrantedByPatterns, normalizeName } from "./nodes.ts";
import type { WantedGroup, WantedPermissions } from "./wanted.ts";

/** A permission, membership or group on a server, which is stored as one row. */
export type PermissionEntry = Readonly<
  Pick<SurvivalPermissionRow, "subjectKind" | "subject" | "kind" | "value">
>;

export type PermissionRow = PermissionEntry &
  Readonly<Pick<SurvivalPermissionRow, "state" | "shape">>;

/** A step of a sync, which changes one entry. Removing a group also removes its permissions and members. */
export interface PermissionOp extends PermissionEntry {
  readonly op: NonNullable<SurvivalPermissionRow["op"]>;
  readonly shape: string | null;
}

/** Returns a key that identifies an entry within its server. */
export const entryKey = ({ subjectKind, subject, kind, value }: PermissionEntry): string =>
  JSON.stringify([subjectKind, normalizeName(subject), kind, normalizeName(value)]);

/** True if the server has the entry: it was granted and not withdrawn. */
export const isEntryOnServer = ({ state }: PermissionRow): boolean => state === "pushed";

/** True if the server may have the entry. A pending entry may have arrived. */
const mayBeLive = ({ state }: PermissionRow): boolean => state === "pushed" || state === "pending";

/** Returns title, rank and parent as one text, to detect changes. */
const groupAttributesOf = ({ title, rank, parent }: WantedGroup): string =>
  JSON.stringify([title, rank, parent]);

/**
 * Computes the steps that give a server the wanted permissions. Failed steps are repeated. Entries that the site
 * did not send stay, as do sent entries of plugins that are not loaded.
 */
export function computePermissionOps(
  wanted: WantedPermissions,
  rows: readonly PermissionRow[],
): PermissionOp[] {
  const needed = new Map(wantedOps(wanted).map((op) => [entryKey(op), op]));
  const live = new Map(rows.filter(isEntryOnServer).map((row) => [entryKey(row), row]));
  const given = [...needed].flatMap(([key, op]) => {
    const row = live.get(key);
    return row?.shape === op.shape ? [] : [op];
  });
  const writtenOf = writtenBySubject(wanted);
  const isKept = ({ subjectKind, subject, kind, value }: PermissionRow): boolean =>
    kind === "permission" &&
    isGrantedByPatterns(
      value,
      writtenOf.get(`${subjectKind} ${normalizeName(subject)}`) ?? [],
      wanted.deny,
    );
  const unwanted = rows.filter(
    (row) => mayBeLive(row) && !needed.has(entryKey(row)) && !isKept(row),
  );
  return [...given, ...removalOps(unwanted)];
}

const writtenBySubject = ({
  groups,
  users,
}: WantedPermissions): ReadonlyMap<string, readonly string[]> =>
  new Map([
    ...groups.map(({ name, written }) => [`group ${normalizeName(name)}`, written] as const),
    ...[...users].map(([steamId, { written }]) => [`user ${steamId}`, written] as const),
  ]);

function wantedOps({ groups, users }: WantedPermissions): PermissionOp[] {
  const ofGroups = groups.flatMap((group): PermissionOp[] => {
    const subject = { subjectKind: "group", subject: group.name } as const;
    const own = {
      ...subject,
      op: "group",
      kind: "group",
      value: "",
      shape: groupAttributesOf(group),
    } as const;
    return [...(group.managed ? [own] : []), ...group.nodes.map((node) => grantOp(subject, node))];
  });
  const ofUsers = [...users].flatMap(([steamId, { nodes, groups: joined }]): PermissionOp[] => {
    const subject = { subjectKind: "user", subject: steamId } as const;
    return [
      ...nodes.map((node) => grantOp(subject, node)),
      ...joined.map((value): PermissionOp => ({
        ...subject,
        op: "join",
        kind: "membership",
        value,
        shape: null,
      })),
    ];
  });
  return [...ofGroups, ...ofUsers];
}

type Subject = Pick<PermissionEntry, "subjectKind" | "subject">;

const grantOp = (subject: Subject, value: string): PermissionOp => ({
  ...subject,
  op: "grant",
  kind: "permission",
  value,
  shape: null,
});

/** Removing a group also removes its permissions and memberships, so they need no step of their own. */
function removalOps(unwanted: readonly PermissionRow[]): PermissionOp[] {
  const removed = new Set(
    unwanted.filter(({ kind }) => kind === "group").map(({ subject }) => normalizeName(subject)),
  );
  return unwanted.map(({ subjectKind, subject, kind, value }) => {
    const group = normalizeName(subjectKind === "group" ? subject : value);
    const entry = { subjectKind, subject, kind, value, shape: null };
    const goesWithGroup = subjectKind === "group" || kind === "membership";
    if (goesWithGroup && removed.has(group)) return { ...entry, op: "remove" };
    return { ...entry, op: kind === "membership" ? "leave" : "revoke" };
  });
}
