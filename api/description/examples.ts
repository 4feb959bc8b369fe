import type { Schema } from "../http/json-schema.ts";
import { fieldExamples } from "./field-examples.ts";

type Schemas = Readonly<Record<string, unknown>>;

const isSchema = (given: unknown): given is Schema => typeof given === "object" && given !== null;

/** Makes examples of schemas: a schema's own example, or one made from the field's name. */
export class ExampleBuilder {
  readonly #schemas: Schemas;

  constructor(schemas: Schemas) {
    this.#schemas = schemas;
  }

  /**
   * Returns an example of a schema.
   * @param name the field's name, which selects its example
   * @param isInput true to include only required fields
   * @throws if neither the schema nor the catalog has an example
   */
  of(schema: Schema, name = "", isInput = false): unknown {
    const known = this.resolve(schema);
    if ("example" in known) return known["example"];
    const values = known["enum"] as readonly unknown[] | undefined;
    if (values) return values.find((value) => value === fieldExamples[name]) ?? values[0];
    const [form] = (known["oneOf"] ?? known["anyOf"] ?? []) as readonly Schema[];
    if (form) return this.of(form, name, isInput);
    const parts = known["allOf"] as readonly Schema[] | undefined;
    if (parts) return Object.assign({}, ...parts.map((part) => this.of(part, name))) as object;
    if (known["type"] === "object") return this.#object(known, name, isInput);
    if (known["type"] === "array") return this.#array(known, name, isInput);
    return plainExample(known, name);
  }

  /**
   * Returns one example for each alternative (`oneOf`) of an answer's schema, by component name; undefined
   * without alternatives.
   */
  formsOf(schema: Schema): Readonly<Record<string, unknown>> | undefined {
    const forms = this.resolve(schema)["oneOf"] as readonly Schema[] | undefined;
    if (!forms?.every((form) => "$ref" in form)) return undefined;
    return Object.fromEntries(forms.map((form) => [readComponentName(form), this.of(form)]));
  }

  resolve(schema: Schema): Schema {
    if (!("$ref" in schema)) return schema;
    const found = this.#schemas[readComponentName(schema)];
    if (!isSchema(found)) throw new Error(`there is no component ${readComponentName(schema)}`);
    return this.resolve(found);
  }

  #object(schema: Schema, name: string, isInput: boolean): object {
    if (fieldExamples[name] !== undefined && !schema["properties"]) {
      return fieldExamples[name] as object;
    }
    const {
      properties = {},
      required = [],
      additionalProperties: rest,
    } = schema as {
      properties?: Readonly<Record<string, Schema>>;
      required?: readonly string[];
      additionalProperties?: unknown;
    };
    const fields = Object.entries(properties).filter(
      ([field]) => !isInput || required.includes(field),
    );
    const example = fields.map(([field, part]) => [field, this.of(part, field, isInput)]);
    if (fields.length === 0 && isSchema(rest)) example.push(["name", this.of(rest, "", isInput)]);
    return Object.fromEntries(example) as object;
  }

  #array(schema: Schema, name: string, isInput: boolean): unknown[] {
    const known = fieldExamples[name];
    const isOfTexts = this.resolve(schema["items"] as Schema)["type"] === "string";
    if (Array.isArray(known) && isOfTexts) return known;
    return [this.of(schema["items"] as Schema, name.replace(/s$/, ""), isInput)];
  }
}

/** Returns the name of the component that a schema refers to; empty without a reference. */
export const readComponentName = ({ $ref: reference }: Schema): string =>
  typeof reference === "string" ? (reference.split("/").at(-1) ?? "") : "";

const byFormat: Readonly<Record<string, string>> = {
  "date-time": "2026-11-22T10:00:00.000Z",
  uuid: "3f1c1d0e-1b9f-4c37-9d2c-7d9a3b1c5e10",
  email: "robin@example.org",
};

function plainExample(schema: Schema, name: string): unknown {
  const known = fieldExamples[name];
  const type = schema["type"];
  const format = byFormat[String(schema["format"])];
  if (format !== undefined) return format;
  if (known !== undefined && typeof known === typeOf(type)) return known;
  if (type === "boolean") return schema["default"] ?? true;
  if (type === "integer" || type === "number") return schema["default"] ?? schema["minimum"] ?? 3;
  if (schema["default"] !== undefined) return schema["default"];
  if (schema["nullable"] === true) return null;
  throw new Error(`there is no example for the field ${name}: ${JSON.stringify(schema)}`);
}

const typeOf = (type: unknown): string => (type === "integer" ? "number" : String(type));
