import { refusalReason } from "../refusals.ts";
import type { Ending } from "./connection.ts";
import type { StreamFault } from "./intake.ts";

/** How a connection ended: by itself, or ended by us because of a frame. */
export type Outcome = Ending | ({ readonly how: "faulted" } & StreamFault);

/** Whether only an administrator can mend it: the token or the protocol is wrong. */
export const isConfigurationFault = (outcome: Outcome): boolean =>
  outcome.how === "refused"
    ? outcome.status === 401 || outcome.status === 409
    : outcome.how === "faulted" && outcome.code === "protocol";

/** The sentence an operator is shown. */
export const reasonOf = (outcome: Outcome): string =>
  outcome.how === "refused" ? refusalReason(outcome.status, outcome.body) : outcome.reason;
