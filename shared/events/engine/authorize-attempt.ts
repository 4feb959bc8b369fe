import type { Role, User } from "../../../models/auth/user.ts";
import type { EventActionSetting } from "../../../models/events/event-action-setting.ts";
import type { EventRun } from "../../../models/events/event-run.ts";
import { validTokenSql } from "../../auth/administration/token-caller.ts";
import type { CommandActor } from "../../platform/bridge/calls/call.ts";
import type { Context } from "../../platform/context.ts";
import { executeStatement, firstRow } from "../../platform/db/rows.ts";
import type { Action } from "../actions/action.ts";
import { changesWorld } from "../vocabulary.ts";
import { type ClaimedStep, leaseHolderValues, isLeaseHeldSql } from "./claim-step.ts";

/** Thrown if the lease has expired: another worker has the step or may take it. */
export class LeaseLostError extends Error {}

/** Thrown if an attempt is not allowed; it is not retried. */
export class AttemptRefusedError extends Error {
  readonly reason: "refused" | "budget";

  constructor(reason: "refused" | "budget", message: string) {
    super(message);
    this.reason = reason;
  }
}

interface AdmissionRow extends Pick<EventRun, "startedAs"> {
  readonly userId: User["id"] | null;
  readonly username: User["username"] | null;
  readonly role: Role | null;
  readonly isDisabled: boolean;
  /** True if an API token created the run and is now invalid or deleted. */
  readonly isTokenOver: boolean;
  readonly isEnabled: EventActionSetting["enabled"] | null;
  /** The dimensions that a cap of the run limits. */
  readonly capped: readonly string[];
}

const statement = {
  name: "admit step",
  text: `
  select starter.id as "userId", starter.username, starter.role, run.started_as as "startedAs",
    starter.disabled_at is not null as "isDisabled", setting.enabled as "isEnabled",
    run.started_as is not null and not ${validTokenSql("run.started_token")} as "isTokenOver",
    array(select dimension from event_budgets where run_id = run.id) as capped
  from event_steps step
  join event_runs run on run.id = step.run_id
  left join users starter on starter.id = run.started_by
  left join event_action_settings setting on setting.action_id = step.action_id
  where ${isLeaseHeldSql("step")}`,
};

/**
 * Checks just before an attempt that it is allowed: the action is switched on, and the user who
 * started the run still may use the action. Charges the step to the run's budget.
 * @returns the user for whom the action acts
 * @throws AttemptRefusedError, or LeaseLostError
 */
export async function authorizeAttempt(
  claimed: ClaimedStep,
  action: Action,
  context: Pick<Context, "sequelize">,
): Promise<CommandActor> {
  const standing = await firstRow<AdmissionRow>(
    context.sequelize,
    statement,
    leaseHolderValues(claimed),
  );
  if (!standing) throw new LeaseLostError();
  const actor = requireAuthorized(standing, action);
  const spends = Object.entries(action.spendOf(claimed.step.params)).filter(
    ([dimension, amount]) => amount > 0 && standing.capped.includes(dimension),
  );
  if (spends.length > 0) await spendBudget(claimed, spends, context);
  return actor;
}

function requireAuthorized(standing: AdmissionRow, { id, risk }: Action): CommandActor {
  const { userId, username, role, startedAs, isDisabled, isTokenOver, isEnabled } = standing;
  const isWorld = changesWorld(risk);
  if (!(isEnabled ?? !isWorld)) throw new AttemptRefusedError("refused", `${id} is switched off`);
  if (userId === null || username === null || role === null) {
    throw new AttemptRefusedError("refused", "the user who started the run no longer exists");
  }
  if (isDisabled) {
    throw new AttemptRefusedError("refused", "the user who started the run is disabled");
  }
  if (isTokenOver) {
    throw new AttemptRefusedError(
      "refused",
      "the API token that started the run is no longer valid",
    );
  }
  // A token never has more rights than its user, so check the role of both.
  const allowed: readonly Role[] = isWorld ? ["admin"] : ["admin", "editor"];
  if (![role, startedAs ?? role].every((held) => allowed.includes(held))) {
    throw new AttemptRefusedError(
      "refused",
      `${id} needs a run that ${isWorld ? "an administrator" : "staff"} started`,
    );
  }
  return { userId, username, role };
}

/** A retry spends nothing. If a cap is exceeded, a constraint undoes the whole statement. */
const spendStatement = `
  with spent as (
    insert into event_spends (step_id, dimension, amount)
    select $1, given.key, given.value::integer from jsonb_each_text($3::jsonb) as given
    on conflict do nothing
    returning dimension, amount
  )
  update event_budgets budget set spent = budget.spent + spent.amount
  from spent where budget.run_id = $2 and budget.dimension = spent.dimension`;

type Spends = readonly (readonly [dimension: string, amount: number])[];

async function spendBudget(
  { step }: ClaimedStep,
  spends: Spends,
  { sequelize }: Pick<Context, "sequelize">,
): Promise<void> {
  const amounts = JSON.stringify(Object.fromEntries(spends));
  try {
    await executeStatement(sequelize, spendStatement, [step.id, step.runId, amounts]);
  } catch (error) {
    if (!isCheckViolation(error)) throw error;
    const dimensions = spends.map(([dimension]) => dimension).join(", ");
    throw new AttemptRefusedError("budget", `the run's budget of ${dimensions} is too small`);
  }
}

function isCheckViolation(error: unknown): boolean {
  const { parent } = (error ?? {}) as { parent?: { code?: unknown } };
  return parent?.code === "23514";
}
