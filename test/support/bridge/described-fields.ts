import type Joi from "joi";

/** What Joi says of a schema, as far as its fields go. */
interface Described {
  readonly keys?: Readonly<Record<string, Described>>;
  readonly items?: readonly Described[];
  readonly matches?: readonly { readonly schema?: Described }[];
  readonly flags?: { readonly description?: string; readonly presence?: string };
  readonly metas?: readonly { readonly jsonSchema?: { readonly description?: string } }[];
}

/** The fields of a schema that nothing describes, as paths such as `items[].price`. */
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
