import { checkAgainst, type CheckedPayload } from "../../platform/bridge/check-payload.ts";
import { findKind } from "./kinds.ts";

/**
 * Checks a payload against its kind. The answer is what is stored: serials, points and "never" in
 * their one spelling. An unknown kind passes as it is.
 */
export const checkPayload = (kind: string, payload: unknown): CheckedPayload =>
  checkAgainst(findKind(kind)?.payload, payload);
