import { checkAgainst } from "../../bridge/check-payload.ts";
import type { JsonObject } from "../../bridge/json-text.ts";
import type { SurvivalKind } from "../kinds/kind.ts";

/** A payload without the rows that its kind does not allow. */
interface Shortened {
  readonly payload: JsonObject;
  readonly rowsLeftOut: number;
}

/**
 * Leaves out the rows of a payload that hold an odd value, so that the others are not lost with them.
 * Undefined where what is wrong stands elsewhere, or no list of the kind has rows of their own.
 */
export function withoutOddRows(
  { payload: schema, rows = [] }: SurvivalKind,
  given: JsonObject,
): Shortened | undefined {
  if (rows.length === 0) return undefined;
  const { error } = schema.validate(given, {
    abortEarly: false,
    allowUnknown: true,
    convert: false,
    presence: "required",
  });
  const odd = new Map<string, Set<number>>(rows.map((list) => [list, new Set()]));
  for (const { path } of error?.details ?? []) {
    const [list, place] = path;
    const places = odd.get(String(list));
    if (!places || typeof place !== "number") return undefined;
    places.add(place);
  }
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
