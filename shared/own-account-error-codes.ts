import type { CodeSpec } from "./code-spec.ts";

/** The part of the CATALOGUE of error codes about what a caller's own account may and may not do. */
export const ownAccountErrorCodes = {
  reauthentication_required: {
    kind: "forbidden",
    meaning:
      "The sign-in is too old for this operation: send the password or a code in the body, or " +
      "sign in again.",
  },
  wrong_password: {
    kind: "forbidden",
    meaning: "The password is not the caller's; the session stays valid.",
  },
  wrong_code: {
    kind: "forbidden",
    meaning: "The caller's second factor was refused; the session stays valid.",
  },
  own_account: {
    kind: "forbidden",
    meaning:
      "The operation concerns the caller's own account: `error` says where the caller can change " +
      "it, or that another staff member must act.",
  },
} as const satisfies Record<string, CodeSpec>;
