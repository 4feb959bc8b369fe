import { findSurvivalKind } from "./kinds.ts";

/**
 * What leaves of a stored payload: the fields that its kind declares, at any depth. What a newer plugin
 * adds, and all that a kind holds which nobody declared, is kept and told to nobody.
 */
export function declaredPayload(
  kind: string,
  payload: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const declared = findSurvivalKind(kind)?.payload;
  if (!declared) return {};
  // An older release may have stored what this one would refuse: that is no reason to show more.
  const { value } = declared.validate(payload, {
    stripUnknown: { objects: true },
    convert: false,
    abortEarly: false,
  });
  return value as Readonly<Record<string, unknown>>;
}
