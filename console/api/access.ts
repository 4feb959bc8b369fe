import type { AnswerOf, OperationName } from "./call.ts";
import { gates } from "./gates.ts";

export type CurrentUser = AnswerOf<"GET /auth/me">;
export type Role = CurrentUser["role"];

/** Returns true if a role may call an operation, as the description of the API says. */
export function canCallOperation(role: Role, name: OperationName): boolean {
  const gate = gates[name];
  if (gate.startsWith("roles:")) return gate.slice("roles:".length).split(",").includes(role);
  return gate === "staff" ? isStaff(role) : true;
}

export const isStaff = (role: Role): boolean => role !== "player";
