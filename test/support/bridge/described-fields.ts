import type Joi from "joi";

/** The part of a Joi description that contains the fields. */
interface Described {
  readonly keys?: Readonly<Record<string, Described>>;
  readonly items?: readonly Described[];
  readonly matches?: readonly { readonly schema?: Described }[];
  readonly flags?: { readonly description?: string; readonly presence?: string };
  readonly metas?: readonly { readonly jsonSchema?: { readonly description?: string } }[];
}

/** Returns the fields of a schema that have no description, as paths such as `items[].price`. */
export const undescribedFields = (schema: Joi.Schema): string[] => within(schema.describe(), "");

const within = ({ keys = {}, items = [], matches = [] }: Described, path: string): string[] => [
  ...Object.entries(keys).flatMap(([name, inner]) => {
    const place = path === "" ? name : `${path}.${name}`;
    return [...(isDescribed(inner) ? [] : [place]), ...within(inner, place)];
  }),
  ...items.flatMap((inner) => within(inner, `${path}[]`)),
  ...matches.flatMap(({ schema }) => (schema ? within(schema, path) : [])),
];

const isDescribed = ({ flags, metas = [] }: Described): boolean =>
  [flags?.description, ...metas.map(({ jsonSchema }) => jsonSchema?.description)].some(
    (text) => text !== undefined && text !== "",
  );
