import { type Fault, invalidFields } from "../../../platform/errors/errors.ts";
import { nodeFault } from "../nodes.ts";

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
