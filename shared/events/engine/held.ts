import type { ClaimedStep } from "./claim-step.ts";

/**
 * THE condition on a step, under its name in a statement, for a worker to hold it: the lease is of
 * this attempt and has not run out. The values are those of `heldAs`, as the first parameters.
 */
export const isHeld = (step: string): string => `
  ${step}.id = $1 and ${step}.lease_owner = $2 and ${step}.attempts = $3
    and ${step}.status = 'running' and ${step}.lease_until > clock_timestamp()`;

export const heldAs = ({ step, owner, attempt }: ClaimedStep): readonly unknown[] => [
  step.id,
  owner,
  attempt,
];
