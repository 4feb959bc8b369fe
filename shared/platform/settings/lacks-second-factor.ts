import type { Caller } from "../access/caller.ts";
import { isStaff } from "../access/roles.ts";
import type { Settings } from "./catalogue.ts";

/** Whether the site asks for a second factor of this caller, who has none. */
export const lacksSecondFactor = (
  { role, totpEnabled }: Pick<Caller, "role" | "totpEnabled">,
  { staff_second_factor_required: isRequired }: Settings,
): boolean => isRequired && isStaff(role) && !totpEnabled;
