import { defaultGroup } from "./effective.ts";
import { normalizeName } from "./nodes.ts";
import {
  entryKey,
  isEntryOnServer,
  type PermissionEntry,
  type PermissionRow,
} from "./permission-ops.ts";

/** The permissions that a server reports. */
export interface PermissionInventory {
  readonly groups: readonly { readonly name: string; readonly permissions: readonly string[] }[];
  readonly users: readonly {
    readonly steamId: string;
    readonly groups: readonly string[];
    readonly permissions: readonly string[];
  }[];
}

export interface PermissionDrift {
  /** Entries on the server that the site did not send. */
  readonly extra: readonly PermissionEntry[];
  /** Sent entries that the server lacks. */
  readonly missing: readonly PermissionEntry[];
}

/** Groups that the game itself creates. */
const gameGroups: readonly string[] = [defaultGroup, "admin", "moderator"];

/** Compares a server's inventory with the entries that the site sent to it. */
export function computePermissionDrift(
  rows: readonly PermissionRow[],
  inventory: PermissionInventory,
): PermissionDrift {
  const there = new Map(entriesOf(inventory).map((entry) => [entryKey(entry), entry]));
  const pushed = new Map(
    rows
      .filter(isEntryOnServer)
      .map(({ subjectKind, subject, kind, value }) => ({ subjectKind, subject, kind, value }))
      .map((entry) => [entryKey(entry), entry]),
  );
  return {
    extra: [...there]
      .filter(([key, entry]) => !pushed.has(key) && !belongsToGame(entry))
      .map(entryOfPair),
    missing: [...pushed].filter(([key]) => !there.has(key)).map(entryOfPair),
  };
}

const entryOfPair = <T>([, entry]: readonly [string, T]): T => entry;

/** True for entries that the game creates: its own groups, and all players as members of `default`. */
const belongsToGame = ({ kind, subject, value }: PermissionEntry): boolean =>
  (kind === "group" && gameGroups.includes(subject)) ||
  (kind === "membership" && value === defaultGroup);

function entriesOf({ groups, users }: PermissionInventory): PermissionEntry[] {
  const ofGroups = groups.flatMap(({ name, permissions }): PermissionEntry[] => {
    const subject = { subjectKind: "group", subject: normalizeName(name) } as const;
    return [
      { ...subject, kind: "group", value: "" },
      ...permissions.map((node) => permission(subject, node)),
    ];
  });
  const ofUsers = users.flatMap(({ steamId, groups: joined, permissions }): PermissionEntry[] => {
    const subject = { subjectKind: "user", subject: steamId } as const;
    return [
      ...permissions.map((node) => permission(subject, node)),
      ...joined.map((name): PermissionEntry => ({
        ...subject,
        kind: "membership",
        value: normalizeName(name),
      })),
    ];
  });
  return [...ofGroups, ...ofUsers];
}

const permission = (
  subject: Pick<PermissionEntry, "subjectKind" | "subject">,
  node: string,
): PermissionEntry => ({ ...subject, kind: "permission", value: normalizeName(node) });
