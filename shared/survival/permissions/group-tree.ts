import { normalizeName } from "./nodes.ts";

/** A group inherits the permissions of its parent. */
export interface GroupNode {
  readonly name: string;
  readonly parent: string | null;
}

/** In the game, `*` counts as an existing group, so no group may have this name. */
export const groupNamePattern = /^[a-z0-9_.-]{1,64}$/;

/** Maximum number of ancestors that the game follows. */
const maxDepth = 32;

export interface GroupFault {
  readonly name: string;
  readonly message: string;
}

/** Validates all groups as they would be after a change. */
export function findGroupFaults(groups: readonly GroupNode[]): GroupFault[] {
  const byName = groupsByName(groups);
  const faults: GroupFault[] = [];
  for (const group of groups) {
    const { name } = group;
    if (byName.get(normalizeName(name)) !== group) {
      faults.push({ name, message: "the name is taken" });
    }
    const message = parentFault(group, byName);
    if (message !== undefined) faults.push({ name, message });
  }
  return faults;
}

function parentFault(group: GroupNode, byName: ReadonlyMap<string, GroupNode>): string | undefined {
  if (group.parent === null) return undefined;
  if (!byName.has(normalizeName(group.parent))) return `there is no group ${group.parent}`;
  const own = normalizeName(group.name);
  let above = group.parent;
  for (let level = 1; level <= maxDepth; level += 1) {
    if (normalizeName(above) === own) return "a group cannot be its own parent or ancestor";
    const next = byName.get(normalizeName(above))?.parent ?? null;
    if (next === null) return undefined;
    above = next;
  }
  return `the group has more than ${maxDepth} ancestors`;
}

/** If two groups have the same name, the first is used. */
function groupsByName<Group extends GroupNode>(groups: readonly Group[]): Map<string, Group> {
  const byName = new Map<string, Group>();
  for (const group of groups) {
    const name = normalizeName(group.name);
    if (!byName.has(name)) byName.set(name, group);
  }
  return byName;
}

/** Sorts parents before children, as the game requires. Omits a parent that is absent or in a cycle. */
export function sortParentsFirst<Group extends GroupNode>(groups: readonly Group[]): Group[] {
  const byName = groupsByName(groups);
  const ordered = new Map<string, Group>();
  for (const name of [...byName.keys()].toSorted()) {
    for (const group of listAncestors(name, byName).toReversed()) {
      const own = normalizeName(group.name);
      if (ordered.has(own)) continue;
      const parent = group.parent === null ? null : normalizeName(group.parent);
      const hasParent = parent !== null && ordered.has(parent);
      ordered.set(own, hasParent || parent === null ? group : { ...group, parent: null });
    }
  }
  return [...ordered.values()];
}

/** Returns a group and its ancestors, from the group upward. Stops at a cycle. */
export function listAncestors<Group extends GroupNode>(
  name: string,
  byName: ReadonlyMap<string, Group>,
): Group[] {
  const found = new Map<string, Group>();
  let group = byName.get(normalizeName(name));
  while (group && !found.has(normalizeName(group.name))) {
    found.set(normalizeName(group.name), group);
    group = group.parent === null ? undefined : byName.get(normalizeName(group.parent));
  }
  return [...found.values()];
}
