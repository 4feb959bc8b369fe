import { isObject, type JsonObject } from "../../../shared/platform/bridge/json-text.ts";
import type { Game } from "../payloads/payload-faults.ts";
import { isUuid, isWholeNumber } from "./batch.ts";

export interface Hello {
  readonly bootId: string;
  readonly epoch: string;
  readonly oldest: number;
  readonly head: number;
  readonly plugin: { readonly name: string; readonly version: string };
  readonly server: { readonly name: string; readonly version: string };
  readonly capabilities: readonly string[];
}

interface FieldRule {
  readonly field: string;
  readonly expected: string;
  holds(hello: JsonObject, game: Game): boolean;
}

/** The maximum lengths that the site accepts, in characters. */
const longest = { plugin: 100, server: 200, version: 64, capability: 64 } as const;
const mostCapabilities = 64;

const isText = (value: unknown, most: number): value is string =>
  typeof value === "string" && value !== "" && value.length <= most;

const isNamed = (value: unknown, most: number): boolean =>
  isObject(value) && isText(value["name"], most) && isText(value["version"], longest.version);

const isAbsentOrText = (value: unknown): boolean =>
  value === undefined || value === null || isText(value, longest.version);

/** CATALOGUE of the rules for the fields of a hello. */
const rules: readonly FieldRule[] = [
  { field: "protocol", expected: "1", holds: ({ protocol }) => protocol === 1 },
  {
    field: "game",
    expected: "the game that --game names",
    holds: ({ game }, wanted) => game === wanted,
  },
  {
    field: "plugin",
    expected: "{ name, version }, texts of up to 100 and 64 characters",
    holds: ({ plugin }) => isNamed(plugin, longest.plugin),
  },
  {
    field: "server",
    expected: "{ name, version, expansion? }, texts of up to 200, 64 and 64 characters",
    holds: ({ server }) =>
      isNamed(server, longest.server) && isObject(server) && isAbsentOrText(server["expansion"]),
  },
  { field: "bootId", expected: "a uuid", holds: ({ bootId }) => isUuid(bootId) },
  { field: "epoch", expected: "a uuid", holds: ({ epoch }) => isUuid(epoch) },
  { field: "oldest", expected: "a whole number", holds: ({ oldest }) => isWholeNumber(oldest) },
  { field: "head", expected: "a whole number", holds: ({ head }) => isWholeNumber(head) },
  {
    field: "capabilities",
    expected: "a list of up to 64 texts of up to 64 characters",
    holds: ({ capabilities }) =>
      Array.isArray(capabilities) &&
      capabilities.length <= mostCapabilities &&
      capabilities.every((one) => isText(one, longest.capability)),
  },
];

/** Returns the invalid fields of a hello, each with the expected value. */
export const wrongFields = (
  hello: JsonObject,
  game: Game,
): Pick<FieldRule, "field" | "expected">[] => rules.filter((rule) => !rule.holds(hello, game));

/** Returns true if the range of the buffer is valid. For an empty buffer, `oldest` is `head + 1`. */
export const hasValidBufferRange = ({ oldest, head }: JsonObject): boolean =>
  isWholeNumber(oldest) && isWholeNumber(head) && oldest <= head + 1;

/** Parses a hello whose fields are valid. */
export function readHello(hello: JsonObject): Hello {
  const { bootId, epoch, ...rest } = hello as unknown as Hello;
  return { ...rest, bootId: bootId.toLowerCase(), epoch: epoch.toLowerCase() };
}
