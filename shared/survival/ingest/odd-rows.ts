import type Joi from "joi";

import { checkAgainst } from "../../platform/bridge/check-payload.ts";
import type { JsonObject } from "../../platform/bridge/json-text.ts";

/** A payload without the rows that its kind does not allow. */
interface Shortened {
  readonly payload: JsonObject;
  readonly rowsLeftOut: number;
}

/**
 * Leaves out the rows of a payload that hold an odd value, so that the others are not lost with them. Rows
 * are the entries of each list that a schema declares in the payload itself; a row is left out whole.
 * @returns undefined where an odd value stands outside of such a list
 */
export function withoutOddRows(schema: Joi.ObjectSchema, given: JsonObject): Shortened | undefined {
  const odd = findOddRows(schema, given);
  if (!odd) return undefined;
  const shortened = Object.entries(given).map(([name, value]) => {
    const places = odd.get(name);
    const isCut = places !== undefined && Array.isArray(value);
    return [name, isCut ? value.filter((_row, place) => !places.has(place)) : value];
  });
  const checked = checkAgainst(schema, Object.fromEntries(shortened));
  if ("reason" in checked) return undefined;
  const rowsLeftOut = [...odd.values()].reduce((sum, { size }) => sum + size, 0);
  return { payload: checked.payload, rowsLeftOut };
}

/** The places of odd rows by the name of their list. */
function findOddRows(
  schema: Joi.ObjectSchema,
  given: JsonObject,
): ReadonlyMap<string, ReadonlySet<number>> | undefined {
  const { error } = schema.validate(given, {
    abortEarly: false,
    allowUnknown: true,
    convert: false,
    presence: "required",
    // Nobody reads the messages, and a frame may hold a hundred thousand odd rows.
    errors: { render: false },
  });
  const odd = new Map<string, Set<number>>();
  for (const { path } of error?.details ?? []) {
    const [list, place] = path;
    if (typeof list !== "string" || typeof place !== "number") return undefined;
    odd.set(list, (odd.get(list) ?? new Set()).add(place));
  }
  return odd;
}
