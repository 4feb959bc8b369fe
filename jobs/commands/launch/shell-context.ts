import type { Context } from "../../../shared/platform/context.ts";

/** What a program of the operator's shell works with; it needs no queue and no listener. */
export type ShellContext = Pick<Context, "config" | "sequelize" | "models">;
