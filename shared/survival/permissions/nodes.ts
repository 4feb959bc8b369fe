import { type Fault, invalidFields } from "../../platform/errors/errors.ts";
import { limits } from "../../platform/limits.ts";

/**
 * Names of permissions and groups as the game's mod loaders compare them: they take any case and
 * keep the lower one.
 */
export const lowered = (name: string): string => name.toLowerCase();

const nodeForm = /^[a-z0-9_-]+(\.[a-z0-9_-]+)*(\.\*)?$/;

/** Whether a written permission takes in another: `kits.*` takes in all that begins with `kits.`. */
const covers = (written: string, node: string): boolean =>
  written.endsWith(".*") ? node.startsWith(written.slice(0, -1)) : written === node;

/**
 * What is wrong with a permission that staff write, or undefined.
 * @param deny what nobody is given from here, such as `oxide.*`
 */
export function nodeFault(node: string, deny: readonly string[]): string | undefined {
  if (node === "*") return "cannot be given: it stands for every permission";
  const longest = limits.permissionNode;
  if (node.length > longest) return `must be at most ${longest} characters long`;
  if (!nodeForm.test(node)) return "must be a permission in lower case, such as kits.vip or kits.*";
  if (isDenied(node, deny) || deny.some((pattern) => covers(node, pattern))) {
    return "cannot be given: SURVIVAL_PERMISSION_DENY forbids it";
  }
  return undefined;
}

const isDenied = (node: string, deny: readonly string[]): boolean =>
  deny.some((pattern) => covers(pattern, node));

/**
 * Whether a node belongs to what is written, be it registered now or not: a plugin that is reloaded
 * takes nothing from anybody.
 */
export const isWritten = (
  node: string,
  written: readonly string[],
  deny: readonly string[],
): boolean =>
  !isDenied(lowered(node), deny) &&
  written.some((pattern) => covers(lowered(pattern), lowered(node)));

export interface ExpandedNodes {
  /** What the server knows now, and may be given. */
  readonly nodes: readonly string[];
  /** What it does not know: a plugin that is not loaded. It waits until that is. */
  readonly unknown: readonly string[];
}

/**
 * What written permissions are on a server now. A wildcard stands for the permissions that are
 * registered at this moment, so it is looked at again whenever a plugin is loaded.
 * @param registered null while the server has not said; then only what is written out is known
 */
export function expandNodes(
  written: readonly string[],
  registered: ReadonlySet<string> | null,
  deny: readonly string[],
): ExpandedNodes {
  const nodes = new Set<string>();
  const unknown = new Set<string>();
  for (const node of written.map(lowered)) {
    const found = matching(node, registered).filter((match) => !isDenied(match, deny));
    for (const match of found) nodes.add(match);
    if (found.length === 0 && node !== "*" && !isDenied(node, deny)) unknown.add(node);
  }
  return { nodes: [...nodes].toSorted(), unknown: [...unknown].toSorted() };
}

function matching(node: string, registered: ReadonlySet<string> | null): readonly string[] {
  if (node === "*") return [];
  if (!node.endsWith(".*")) return registered === null || registered.has(node) ? [node] : [];
  return [...(registered ?? [])].filter((known) => covers(node, known));
}

/** @throws AppError naming every permission that cannot be given */
export function checkNodes(nodes: readonly string[], path: string, deny: readonly string[]): void {
  const faults = nodes.flatMap((node, at): Fault[] => {
    const message = nodeFault(node, deny);
    return message === undefined ? [] : [{ path: `${path}[${at}]`, message: `${node} ${message}` }];
  });
  if (faults.length > 0) throw invalidFields(faults);
}

/** @throws AppError when it cannot be given */
export function checkNode(node: string, path: string, deny: readonly string[]): void {
  const message = nodeFault(node, deny);
  if (message !== undefined) throw invalidFields([{ path, message: `${node} ${message}` }]);
}
