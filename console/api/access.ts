import type { AnswerOf, OperationName } from "./call.ts";
import { gates } from "./gates.ts";

export type Me = AnswerOf<"GET /auth/me">;
export type Role = Me["role"];

/** Returns true if a role may call an operation, as the description of the API says. */
export function mayCall(role: Role, name: OperationName): boolean {
  const gate = gates[name];
  if (gate.startsWith("roles:")) return gate.slice("roles:".length).split(",").includes(role);
  return gate === "staff" ? isStaff(role) : true;
}

export const isStaff = (role: Role): boolean => role !== "player";
