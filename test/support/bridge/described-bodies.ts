import { shardCalls } from "../../../shared/shard/calls/shard-calls.ts";
import {
  commonSurvivalCalls,
  survivalCalls,
} from "../../../shared/survival/calls/survival-calls.ts";

interface Heard {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  readonly status: number | null;
  readonly carriedOut: boolean;
}

const calls = {
  uo: shardCalls,
  rust: [...commonSurvivalCalls, ...Object.values(survivalCalls).flat()],
} as const;

const matches = (template: string, path: string): boolean =>
  new RegExp(`^${template.replaceAll(/:\w+/g, "[^/]+")}$`).test(path.split("?")[0] ?? "");

/**
 * Compares the bodies of commands to a simulated game with the documentation for authors of
 * plugins.
 * @throws if a command was executed whose body its documentation does not describe
 */
export function requireDescribedBodies(game: keyof typeof calls, heard: readonly Heard[]): void {
  const faults = heard.filter(({ carriedOut }) => carriedOut).flatMap((one) => faultsOf(game, one));
  if (faults.length > 0) throw new Error(faults.join("\n"));
}

function faultsOf(game: keyof typeof calls, { method, path, body }: Heard): string[] {
  const found = calls[game].find((one) => one.method === method && matches(one.path, path));
  if (!found) return [`${method} ${path} is no call of the catalog`];
  const described = found.docs?.body;
  const hasBody = body !== null && body !== undefined;
  if (!described) return hasBody ? [`${method} ${path} has a body`] : [];
  const { error } = described.validate(body, { convert: false, presence: "required" });
  return error ? [`${method} ${path}: ${error.message} in ${JSON.stringify(body)}`] : [];
}
