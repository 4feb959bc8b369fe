import type { Values } from "../../facts/param.ts";
import { fillFor } from "../params/fill-for.ts";
import type { Action } from "./action.ts";

/** What an action is given, with what its templates name. */
export const fillParams = (
  action: Pick<Action, "params"> | undefined,
  given: Values,
  values: Values,
): Values =>
  Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      const param = action?.params.find((one) => one.name === name);
      return [name, fillFor(param, value, values)];
    }),
  );
