import { type Param, takesText } from "../../facts/param.ts";
import type { Values } from "../../facts/param.ts";
import { fill, textOf } from "./template.ts";

/**
 * Fills what is given for a parameter. Where text is asked for, a value that stands alone becomes text
 * as it does among other text, whatever its type; without a value there is still none.
 */
export function fillFor(
  param: Pick<Param, "type"> | undefined,
  given: unknown,
  values: Values,
): unknown {
  const filled = fill(given, values);
  const isWanting = filled === undefined || filled === null;
  const becomesText = typeof given === "string" && param !== undefined && takesText(param);
  return becomesText && !isWanting ? textOf(filled) : filled;
}
