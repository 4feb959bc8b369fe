import type { Resolved } from "../params/resolve.ts";

/** Why a run cannot begin with these parameters; null when it can. */
export const unfitReasonOf = ({ faults }: Pick<Resolved, "faults">): string | null =>
  faults.length === 0 ? null : faults.map(({ message }) => message).join("; ");
