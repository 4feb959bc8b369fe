/** The part of a Joi description that is needed to build a payload. */
export interface SchemaDescription {
  readonly type?: string;
  readonly keys?: Readonly<Record<string, SchemaDescription>>;
  readonly items?: readonly SchemaDescription[];
  readonly allow?: readonly unknown[];
  readonly flags?: { readonly only?: boolean; readonly presence?: string };
  readonly matches?: readonly { readonly schema: SchemaDescription }[];
  readonly metas?: readonly { readonly int64?: true; readonly describedAs?: unknown }[];
  readonly rules?: readonly {
    readonly name: string;
    readonly args?: { readonly regex?: string; readonly description?: string };
  }[];
}

export const steamId = "76561198000000001";

/** Texts from which a sample for a schema with a pattern is taken. */
const formed = [steamId, "0".repeat(64), "0x40000001", "1", "#ff0000", "2026-01-01T00:00:00Z"];

/**
 * Returns complete payloads in which each alternative of the schema occurs. Payload n has the n-th alternative of
 * each field.
 */
export function samplesOf(described: SchemaDescription): unknown[] {
  const { type, keys, items, allow, flags, matches } = described;
  if (flags?.only) return [allow?.find((value) => value !== null)];
  if (matches) return matches.flatMap(({ schema }) => samplesOf(schema));
  if (type === "array") return samplesOf(items?.[0] ?? { type: "number" }).map((item) => [item]);
  if (type === "object") {
    const fields = Object.entries(keys ?? {})
      .filter(([, field]) => field.flags?.presence !== "forbidden")
      .map(([key, field]) => [key, samplesOf(field)] as const);
    const most = Math.max(1, ...fields.map(([, values]) => values.length));
    return Array.from({ length: most }, (_, at) =>
      Object.fromEntries(fields.map(([key, values]) => [key, values[at % values.length]])),
    );
  }
  return [{ number: 1, boolean: true, string: textOf(described) }[type ?? ""]];
}

function textOf({ rules = [], metas = [] }: SchemaDescription): string {
  if (metas.some((meta) => "describedAs" in meta)) return steamId;
  if (rules.some(({ args }) => args?.description === "serial")) return "0x40000001";
  const pattern = rules.find(({ name }) => name === "pattern")?.args?.regex;
  const [, source, letters] = /^\/(.*)\/([a-z]*)$/s.exec(pattern ?? "") ?? [];
  if (source === undefined) return "x";
  return formed.find((text) => new RegExp(source, letters).test(text)) ?? "x";
}
