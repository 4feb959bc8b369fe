/** A column that names a row of another model. `models/index.ts` makes associations of it. */
export interface Tie {
  /** The other model, by its name in the catalogue. */
  readonly owner: string;
  /** The name of the association that leads to the other row. */
  readonly as: string;
  readonly foreignKey: string;
  /** The name of the association that leads back, where a query includes it. */
  readonly rows?: string;
  /** The other row has at most one of these rows. */
  readonly isOne?: true;
  /** The action of the foreign key. Absent where the table has no foreign key. */
  readonly onDelete?: "CASCADE" | "SET NULL" | "NO ACTION";
  /** The table has no foreign key: a row outlives its owner and goes on naming it. */
  readonly isUnconstrained?: true;
  /** The column of the other model that `foreignKey` holds. Without it, the primary key. */
  readonly key?: string;
}
