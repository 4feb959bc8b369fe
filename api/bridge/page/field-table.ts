import type { Schema } from "../../http/json-schema.ts";
import { type Html, html, renderSentence, renderTable } from "./html.ts";

/** One field of a schema at any depth. */
interface FieldRow {
  /** The path of the field, for example `items[].price`. */
  readonly path: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly about: string;
}

/** The keywords of JSON Schema that the page shows. */
interface FieldSchema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, FieldSchema>>;
  readonly additionalProperties?: FieldSchema;
  readonly items?: FieldSchema;
  readonly anyOf?: readonly FieldSchema[];
  readonly enum?: readonly (string | number | boolean | null)[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly contentEncoding?: string;
}

/** Lists the fields of a schema, each field before its inner fields. */
function fieldRows(
  { required = [], properties = {}, items, anyOf = [] }: FieldSchema,
  path = "",
): FieldRow[] {
  const own = Object.entries(properties).flatMap(([name, field]) => {
    const place = path === "" ? name : `${path}.${name}`;
    const isRequired = required.includes(name);
    const { description: about = "" } = field;
    return [{ path: place, type: typeOf(field), isRequired, about }, ...fieldRows(field, place)];
  });
  return [
    ...own,
    ...(items ? fieldRows(items, `${path}[]`) : []),
    ...anyOf.flatMap((form) => fieldRows(form, path)),
  ];
}

/** Describes a type and its bounds in words. */
function typeOf(schema: FieldSchema): string {
  const { anyOf = [], type = "any" } = schema;
  if (anyOf.length > 0) return anyOf.map(typeOf).join(", or ");
  const types = [type].flat();
  const named = types.filter((one) => one !== "null").map((one) => nameOf(one, schema));
  const words = `${named.join(" or ")}${types.includes("null") ? " or null" : ""}`;
  return [words, ...boundsOf(schema)].join(", ");
}

function nameOf(type: string, { items, additionalProperties: values }: FieldSchema): string {
  if (type === "array" && items) return `list of ${plural(typeOf(items))}`;
  if (type === "object" && values?.type) return `object whose values are ${plural(typeOf(values))}`;
  return type;
}

const plural = (type: string): string => type.replace(/^(\w+)/, "$1s");

function boundsOf(schema: FieldSchema): string[] {
  const { enum: values = [], maxLength, maxItems, pattern, format, contentEncoding } = schema;
  const named = values.filter((value) => value !== null);
  const words = named.map((value) => `\`${value}\``).join(", ");
  const form = format === "uuid" ? "UUID" : (format ?? contentEncoding);
  return [
    words === "" ? undefined : `one of ${words}`,
    maxLength === undefined ? undefined : `at most ${maxLength} characters`,
    maxItems === undefined ? undefined : `at most ${maxItems} items`,
    rangeOf(schema),
    form,
    pattern === undefined || form !== undefined ? undefined : `matches \`${pattern}\``,
  ].filter((bound) => bound !== undefined);
}

/** Bounds that common number types imply, so the page omits them. */
const usual = [-0x8000_0000, 0x7fff_ffff, Number.MAX_SAFE_INTEGER, 2 ** 53, 8.64e15];

function rangeOf({ minimum, maximum }: FieldSchema): string | undefined {
  const [least, most] = [minimum, maximum].map((bound) =>
    bound === undefined || usual.includes(bound) ? undefined : bound,
  );
  if (least !== undefined && most !== undefined) return `from ${least} to ${most}`;
  if (least !== undefined) return `${least} or more`;
  return most === undefined ? undefined : `at most ${most}`;
}

/** Renders the fields of a schema as a table, or a sentence if it has none. */
export function fieldTable(schema: Schema): Html {
  const rows = fieldRows(schema);
  if (rows.length === 0) return html`<p>An object without declared fields.</p>`;
  return renderTable(
    ["Field", "Type", "Required", "Description"],
    rows.map(({ path, type, isRequired, about }) => [
      html`<code>${path}</code>`,
      renderSentence(type),
      isRequired ? "yes" : "no",
      about,
    ]),
  );
}
