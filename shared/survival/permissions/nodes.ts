import { type Fault, invalidFieldsError } from "../../platform/errors/errors.ts";
import { limits } from "../../platform/limits.ts";

/** Normalizes a permission's or group's name, because mod loaders compare names in lower case. */
export const normalizeName = (name: string): string => name.toLowerCase();

const nodeForm = /^[a-z0-9_-]+(\.[a-z0-9_-]+)*(\.\*)?$/;

/** True if a granted permission equals or covers a node: `kits.*` covers `kits.vip`. */
const covers = (granted: string, node: string): boolean =>
  granted.endsWith(".*") ? node.startsWith(granted.slice(0, -1)) : granted === node;

/** Returns the fault of a permission. @param deny patterns never to grant, such as `oxide.*` */
export function findNodeFault(node: string, deny: readonly string[]): string | undefined {
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
 * True if patterns cover a node. The node may be unregistered, because reloading a plugin must not revoke the
 * permission.
 */
export const isGrantedByPatterns = (
  node: string,
  granted: readonly string[],
  deny: readonly string[],
): boolean =>
  !isDenied(normalizeName(node), deny) &&
  granted.some((pattern) => covers(normalizeName(pattern), normalizeName(node)));

export interface ExpandedNodes {
  /** Nodes that the server knows and the site may grant. */
  readonly nodes: readonly string[];
  /** Nodes of plugins that are not loaded. They are granted when the plugin is loaded. */
  readonly unknown: readonly string[];
}

/**
 * Expands permissions with wildcards to a server's nodes. A wildcard covers the permissions that are
 * registered now, so expand again when a plugin is loaded.
 * @param registered null if unknown; then wildcards expand to nothing
 */
export function expandNodes(
  granted: readonly string[],
  registered: ReadonlySet<string> | null,
  deny: readonly string[],
): ExpandedNodes {
  const nodes = new Set<string>();
  const unknown = new Set<string>();
  for (const node of granted.map(normalizeName)) {
    const found = matchNodes(node, registered).filter((match) => !isDenied(match, deny));
    for (const match of found) nodes.add(match);
    if (found.length === 0 && node !== "*" && !isDenied(node, deny)) unknown.add(node);
  }
  return { nodes: [...nodes].toSorted(), unknown: [...unknown].toSorted() };
}

function matchNodes(node: string, registered: ReadonlySet<string> | null): readonly string[] {
  if (node === "*") return [];
  if (!node.endsWith(".*")) return registered === null || registered.has(node) ? [node] : [];
  return [...(registered ?? [])].filter((known) => covers(node, known));
}

/** @throws AppError naming every permission that cannot be granted */
export function checkNodes(nodes: readonly string[], path: string, deny: readonly string[]): void {
  const faults = nodes.flatMap((node, at): Fault[] => {
    const message = findNodeFault(node, deny);
    return message === undefined ? [] : [{ path: `${path}[${at}]`, message: `${node} ${message}` }];
  });
  if (faults.length > 0) throw invalidFieldsError(faults);
}

/** @throws AppError if the permission cannot be granted */
export function checkNode(node: string, path: string, deny: readonly string[]): void {
  const message = findNodeFault(node, deny);
  if (message !== undefined) throw invalidFieldsError([{ path, message: `${node} ${message}` }]);
}
