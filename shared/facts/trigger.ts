import type { ParamType } from "./param.ts";

/**
 * A variable that a trigger gives to a waiting run: a public field of the event. It never contains an account.
 */
export interface TriggerVariable {
  readonly name: string;
  readonly type: ParamType;
  /** True if every event of the trigger has the variable. */
  readonly required: boolean;
  readonly description: string;
  /** For `enum`. */
  readonly values?: readonly string[];
  /** True if the value is a list. Texts show its items joined. */
  readonly list?: boolean;
}

/** A kind of event for which a phase can wait. */
export interface EventTrigger {
  readonly id: string;
  /**
   * Increased when the trigger's variables change. Variables are only added: none is removed or changes its type.
   */
  readonly version: number;
  readonly label: string;
  readonly description: string;
  readonly owner: string;
  readonly variables: readonly TriggerVariable[];
}

export const requiredVariable = (
  name: string,
  type: ParamType,
  description: string,
): TriggerVariable => ({
  name,
  type,
  required: true,
  description,
});

export const optionalVariable = (
  name: string,
  type: ParamType,
  description: string,
): TriggerVariable => ({
  name,
  type,
  required: false,
  description,
});
