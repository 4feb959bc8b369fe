import type { Model, ModelStatic } from "sequelize";

export type AnyModel = ModelStatic<Model>;

/** A foreign key read from both ends. */
export interface Association {
  readonly owner: AnyModel;
  /** What the owner calls its rows: plural where it may have several. */
  readonly rows: string;
  readonly row: AnyModel;
  /** What a row calls its owner. */
  readonly as: string;
  readonly foreignKey: string;
  readonly onDelete: "CASCADE" | "SET NULL" | "NO ACTION";
  readonly isOne?: true;
  /** The table has no such foreign key: a row outlives its owner and goes on naming it. */
  readonly isUnconstrained?: true;
}
