import type { Context } from "../../../shared/platform/context.ts";

/** The context of an operator's command, without a queue or a listener. */
export type ShellContext = Pick<Context, "config" | "sequelize" | "models">;
