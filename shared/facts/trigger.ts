import type { ParamType } from "./param.ts";

/** A value of an event that opens a gate: a public field of its kind, never an account. */
export interface TriggerVariable {
  readonly name: string;
  readonly type: ParamType;
  /** True if every such event has it. */
  readonly required: boolean;
  readonly description: string;
  /** For `enum`. */
  readonly values?: readonly string[];
  /** True for a list of such values. In text they are joined. */
  readonly list?: boolean;
}

/** A kind of event for which a phase can wait. */
export interface EventTrigger {
  readonly id: string;
  /** Increased when its variables change. Variables are only added: none is removed or changes its type. */
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
