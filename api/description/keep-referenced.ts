import type { Schema } from "../http/json-schema.ts";
import type { OpenApiDescription } from "./openapi.ts";

/** Removes components that no route of this description uses. */
export function removeUnusedComponents(description: OpenApiDescription): OpenApiDescription {
  const { components } = description;
  const kept = new Set<string>();
  const follow = (part: unknown): void => {
    for (const [, kind = "", name = ""] of JSON.stringify(part).matchAll(
      /"#\/components\/([A-Za-z]+)\/([^"]+)"/g,
    )) {
      if (kept.has(`${kind}/${name}`)) continue;
      kept.add(`${kind}/${name}`);
      follow(components[kind]?.[name] ?? {});
    }
  };
  follow(description.paths);
  const parts = ["schemas", "responses", "headers", "examples"].map((kind) => [
    kind,
    only(components[kind], (name) => kept.has(`${kind}/${name}`)),
  ]);
  const required = requiredSchemes(description);
  const securitySchemes = only(components["securitySchemes"], (name) => required.has(name));
  return { ...description, components: { ...Object.fromEntries(parts), securitySchemes } };
}

const only = (part: Readonly<Record<string, Schema>> = {}, keeps: (name: string) => boolean) =>
  Object.fromEntries(Object.entries(part).filter(([name]) => keeps(name)));

const requiredSchemes = ({ paths }: OpenApiDescription): ReadonlySet<string> =>
  new Set(
    Object.values(paths).flatMap((methods) =>
      Object.values(methods).flatMap(({ security }) => (security as Schema[]).flatMap(Object.keys)),
    ),
  );
