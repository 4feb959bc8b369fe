import type { Caller } from "../access/caller.ts";
import { isStaff } from "../access/roles.ts";
import type { StoredSiteMode } from "./catalogue.ts";

/** Whether the site is not for this caller: maintenance is for staff, a closed site for admins. */
export function isShutOut(
  caller: Pick<Caller, "role"> | null,
  { site_mode: mode }: Pick<StoredSiteMode, "site_mode">,
): boolean {
  if (mode === "live") return false;
  if (!caller) return true;
  return mode === "closed" ? caller.role !== "admin" : !isStaff(caller.role);
}
