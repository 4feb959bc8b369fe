import { locationView } from "../../shared/shard/kinds/fields.ts";
import type { ShardKind } from "../../shared/shard/kinds/kind.ts";
import type { ShardKindName } from "../../shared/shard/kinds/kinds.ts";
import { kinds } from "../../shared/shard/kinds/kinds.ts";
import type { FieldView, PayloadView } from "../../shared/shard/visibility/view.ts";
import { toNullableSchema, type Schema, toOpenApi } from "../http/json-schema.ts";

/** Returns the schema of a kind's stored payload. */
export function describeStoredPayload(name: ShardKindName): Schema {
  const { payload, feeds } = kinds[name] as ShardKind;
  const schema = toOpenApi(payload, { isPayload: true });
  if (feeds?.as !== "page") return schema;
  // The rows of a page have tables of their own, so the payload holds only their number.
  const rows = { type: "integer", description: "Number of rows on the page of the snapshot." };
  return { ...schema, properties: { ...(schema["properties"] as object), rows } };
}

/** Returns the schema of the payload on the public stream. A field that a rule can hide is optional. */
export const describePublicPayload = (name: ShardKindName): Schema =>
  seenOf(describeStoredPayload(name), (kinds[name] as ShardKind).view);

function seenOf(stored: Schema, view: PayloadView): Schema {
  const given = stored["properties"] as Readonly<Record<string, Schema>>;
  const required = (stored["required"] ?? []) as readonly string[];
  const fields = Object.entries(view).map(([name, shown]) => {
    const from = shown.from ?? name;
    const isSure = required.includes(from) && isAlwaysShown(shown);
    return { name, isSure, schema: fieldOf(given[from] ?? {}, shown) };
  });
  const sure = fields.filter(({ isSure }) => isSure).map(({ name }) => name);
  return {
    type: "object",
    additionalProperties: false,
    ...(sure.length > 0 && { required: sure }),
    properties: Object.fromEntries(fields.map(({ name, schema }) => [name, schema])),
  };
}

/**
 * Returns true if no rule or condition can hide the field. The field is omitted all the same if the view does not
 * accept the type of its value.
 */
const isAlwaysShown = ({ gate, when }: FieldView): boolean =>
  gate === undefined && when === undefined;

function fieldOf(stored: Schema, shown: FieldView): Schema {
  const forms = (stored["anyOf"] as readonly Schema[] | undefined) ?? [stored];
  const isNullable = forms.some((form) => form["nullable"] === true);
  const fitting = [shown, ...(shown.or ? [shown.or] : [])].flatMap(({ as, fields = {} }) =>
    forms.filter((form) => fits(form, as)).map((form) => shownAs(form, as, fields)),
  );
  const [first = {}, ...others] = fitting;
  // Do not change a reference to a component: the component itself says whether null is allowed.
  const schema = isNullable && !("$ref" in first) ? toNullableSchema(first) : first;
  return others.length > 0 ? { anyOf: [schema, ...others] } : schema;
}

function fits({ type }: Schema, as: FieldView["as"]): boolean {
  if (as === "value") return type !== "object" && type !== "array";
  return as === "values" || as === "list" ? type === "array" : type === "object";
}

/**
 * @openapi
 * components:
 *   schemas:
 *     Place:
 *       type: object
 *       nullable: true
 *       description: A location in the world of the shard.
 *       additionalProperties: false
 *       properties:
 *         map: { $ref: '#/components/schemas/FacetName' }
 *         x: { $ref: '#/components/schemas/Coordinate' }
 *         y: { $ref: '#/components/schemas/Coordinate' }
 *         z: { $ref: '#/components/schemas/Coordinate' }
 *         region: { $ref: '#/components/schemas/RegionName' }
 *     FacetName:
 *       type: string
 *       nullable: true
 *       description: Name of a facet (world map) of the shard. Null if unknown.
 *       example: Malas
 *     Coordinate:
 *       type: integer
 *       nullable: true
 *       description: >-
 *         Coordinate: `x` and `y` are in tiles on the facet, `z` is a height. Null if unknown.
 *     RegionName:
 *       type: string
 *       nullable: true
 *       description: Name of the region. Null if the location is outside all regions.
 *       example: Luna
 */
function shownAs(stored: Schema, as: FieldView["as"], fields: PayloadView): Schema {
  if (fields === locationView.fields) return { $ref: "#/components/schemas/Place" };
  if (as === "object") return seenOf(stored, fields);
  if (as === "list") return { type: "array", items: seenOf(stored["items"] as Schema, fields) };
  return stored;
}
