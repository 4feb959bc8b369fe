import { globSync, readFileSync } from "node:fs";
import path from "node:path";

import swaggerJsdoc from "swagger-jsdoc";

import type { Schema } from "../http/json-schema.ts";

type Schemas = Readonly<Record<string, Schema>>;

/** The folder `api`. In it, `@openapi` blocks stand above functions that build answers, routes and constants. */
const folder = path.join(import.meta.dirname, "..");

let read: Schemas | undefined;

/**
 * The component schemas of the `@openapi` blocks. They are read once in a process, and file by file:
 * swagger-jsdoc copies all that it has read so far for each block that it adds.
 * @throws where the YAML is broken, or a schema is described twice
 */
export function readAnnotatedSchemas(): Schemas {
  read ??= readSchemas();
  return read;
}

function readSchemas(): Schemas {
  const schemas: Record<string, Schema> = {};
  for (const file of globSync("**/*.ts", { cwd: folder }).toSorted()) {
    for (const [name, schema] of Object.entries(schemasIn(path.join(folder, file)))) {
      if (name in schemas) throw new Error(`${name} is described twice, and again in ${file}`);
      schemas[name] = schema;
    }
  }
  return schemas;
}

function schemasIn(file: string): Schemas {
  if (!readFileSync(file, "utf8").includes("@openapi")) return {};
  const description = swaggerJsdoc({
    failOnErrors: true,
    apis: [file],
    definition: { openapi: "3.0.3", info: { title: file, version: "0" }, components: {} },
  }) as { readonly components?: { readonly schemas?: Schemas } };
  return description.components?.schemas ?? {};
}
