type Given<Columns> = { [Name in keyof Columns]?: Exclude<Columns[Name], undefined> };

/** The columns that a change names: those that it does not name are left as they are. */
export const givenColumns = <Columns extends object>(columns: Columns): Given<Columns> =>
  Object.fromEntries(
    Object.entries(columns).filter(([, value]) => value !== undefined),
  ) as Given<Columns>;
