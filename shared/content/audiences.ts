import type { PageAudience } from "../../models/content/page.ts";
import type { Caller } from "../platform/access/caller.ts";
import { isStaff } from "../platform/access/roles.ts";

export const pageAudiences: readonly PageAudience[] = ["anonymous", "logged_in", "staff"];

/** The audiences a caller belongs to. */
export function audiencesOf(caller: Caller | null): readonly PageAudience[] {
  if (!caller) return ["anonymous"];
  return isStaff(caller.role) ? pageAudiences : ["anonymous", "logged_in"];
}
