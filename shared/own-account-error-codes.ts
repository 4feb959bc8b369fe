import type { CodeSpec } from "./code-spec.ts";

/** The part of the CATALOGUE of error codes about what a caller's own account may and may not do. */
export const ownAccountErrorCodes = {
  reauthentication_required: {
    kind: "forbidden",
    meaning: "Send the password or a code in the body, or sign in afresh.",
  },
  wrong_password: {
    kind: "forbidden",
    meaning: "The caller's own password is another; the session stands.",
  },
  wrong_code: {
    kind: "forbidden",
    meaning: "The caller's own second factor was refused; the session stands.",
  },
  own_account: {
    kind: "forbidden",
    meaning:
      "It concerns the caller's own account: `error` says where the caller changes it, or that " +
      "somebody else decides.",
  },
} as const satisfies Record<string, CodeSpec>;
