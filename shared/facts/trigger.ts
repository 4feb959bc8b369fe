import type { ParamType } from "./param.ts";

/** What is known of an event that opened a gate: public fields of its kind, never an account. */
export interface Variable {
  readonly name: string;
  readonly type: ParamType;
  /** Whether each such event has it. */
  readonly required: boolean;
  readonly description: string;
  /** Of an enum. */
  readonly values?: readonly string[];
  /** Whether it is a list of such values; in text they stand beside each other. */
  readonly list?: boolean;
}

/** A kind of event that a phase can wait for. */
export interface Trigger {
  readonly id: string;
  /** Raised when its variables change. Variables are added, never removed or given another type. */
  readonly version: number;
  readonly label: string;
  readonly description: string;
  /** The module that brought it. */
  readonly owner: string;
  readonly variables: readonly Variable[];
}

export const always = (name: string, type: ParamType, description: string): Variable => ({
  name,
  type,
  required: true,
  description,
});

export const sometimes = (name: string, type: ParamType, description: string): Variable => ({
  name,
  type,
  required: false,
  description,
});
