import { type Fault, invalidFields } from "../../platform/errors/errors.ts";

/** What is wrong with ids of servers that a caller names: those that there are not. */
export function unknownServers(
  path: string,
  asked: readonly number[],
  known: ReadonlySet<number>,
): Fault[] {
  const unknown = asked.filter((id) => !known.has(id));
  return unknown.length === 0
    ? []
    : [{ path, message: `there is no server ${unknown.join(", ")}` }];
}

/** @throws AppError naming the servers that there are not */
export function refuseUnknownServers(
  path: string,
  asked: readonly number[],
  known: ReadonlySet<number>,
): void {
  const faults = unknownServers(path, asked, known);
  if (faults.length > 0) throw invalidFields(faults);
}
