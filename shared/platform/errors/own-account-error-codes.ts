import type { CodeSpec } from "./code-spec.ts";

/** The part of the CATALOGUE of error codes about what a caller's own account may and may not do. */
export const ownAccountErrorCodes = {
  reauthentication_required: {
    kind: "forbidden",
    meaning:
      "The caller's sign-in is too old for this operation: send the password or a code of the " +
      "second factor in the body, or sign in again.",
  },
  wrong_password: {
    kind: "forbidden",
    meaning: "The password is wrong. The caller's session stays valid.",
  },
  wrong_code: {
    kind: "forbidden",
    meaning:
      "The code of the second factor is wrong or was already used. The caller's session stays " +
      "valid.",
  },
  own_account: {
    kind: "forbidden",
    meaning:
      "The operation is not allowed on the caller's own account. `error` names the operation to " +
      "use instead, or says that another staff member must do this.",
  },
} as const satisfies Record<string, CodeSpec>;
