/** An association of a row with a row of another model, through a foreign key. */
export interface ModelAssociation {
  /** Name of the other model in the catalogue. */
  readonly owner: string;
  /** Name of the association to the row of that model. */
  readonly as: string;
  readonly foreignKey: string;
  /** Name of the association in the other direction, if a query uses it. */
  readonly rows?: string;
  /** True if each row of the other model has at most one row of this model. */
  readonly isOne?: true;
  /** Action of the foreign key; absent without a foreign key. */
  readonly onDelete?: "CASCADE" | "SET NULL" | "NO ACTION";
  /** True if there is no foreign key: the row stays when the other row is deleted, and keeps the reference. */
  readonly isUnconstrained?: true;
  /** Column of the other model that `foreignKey` refers to; default the primary key. */
  readonly key?: string;
}
