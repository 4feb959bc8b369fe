import type { Context } from "../../platform/context.ts";
import { countChanged } from "../../platform/db/rows.ts";
import { type ClaimedStep, leaseHolderValues, isLeaseHeldSql, leaseMs } from "./claim-step.ts";

const renewMs = 10_000;

const statement = `
  update event_steps set lease_until = clock_timestamp() + make_interval(secs => $4::float8)
  where ${isLeaseHeldSql("event_steps")}`;

interface HeldLease {
  /** Aborts when the lease is lost. */
  readonly signal: AbortSignal;
  release(): void;
}

/** Renews a worker's lease until it is released. */
export function startLeaseRenewal(
  claimed: ClaimedStep,
  { sequelize, log }: Pick<Context, "sequelize" | "log">,
): HeldLease {
  const lost = new AbortController();
  const renew = async (): Promise<void> => {
    const values = [...leaseHolderValues(claimed), leaseMs / 1_000];
    const renewed = await countChanged(sequelize, statement, values);
    if (renewed === 0) lost.abort(new Error("the lease was lost"));
  };
  const timer = setInterval(() => {
    // One failed renewal is harmless: the next one still comes in time.
    renew().catch((error: unknown) =>
      log.warn(
        { err: error, stepId: claimed.step.id },
        "the lease of a step could not be renewed and is tried again",
      ),
    );
  }, renewMs);
  return { signal: lost.signal, release: () => clearInterval(timer) };
}
