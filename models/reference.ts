/** A reference to a row of another model. `models/index.ts` makes associations of it. */
export interface ModelReference {
  /** Name of the other model in the catalogue. */
  readonly owner: string;
  /** Name of the association to the other row. */
  readonly as: string;
  readonly foreignKey: string;
  /** Name of the reverse association, if a query includes it. */
  readonly rows?: string;
  /** The other row has at most one of these rows. */
  readonly isOne?: true;
  /** Action of the foreign key. Absent if there is none. */
  readonly onDelete?: "CASCADE" | "SET NULL" | "NO ACTION";
  /** There is no foreign key: the row outlives its owner and keeps the reference. */
  readonly isUnconstrained?: true;
  /** Column of the other model that `foreignKey` refers to; default the primary key. */
  readonly key?: string;
}
