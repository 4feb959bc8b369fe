import {
  type Attributes,
  type FindOptions,
  literal,
  type Model,
  type ModelStatic,
  type Utils,
} from "sequelize";

type Expression = Utils.Literal | Utils.Fn | Utils.Col;

/** An SQL expression that a query selects in addition to a row's columns, or instead of a column. */
export interface ComputedColumn<Value> {
  readonly sql: Expression;
  /** Never set. The property only carries the type of the SQL value. */
  readonly valueType?: Value;
}

export const computeColumn = <Value>(sql: string | Expression): ComputedColumn<Value> => ({
  sql: typeof sql === "string" ? literal(sql) : sql,
});

type AllComputed = Readonly<Record<string, ComputedColumn<unknown>>>;

/** A row with exactly the selected columns and values. */
export type PlainRow<M extends Model, Name extends keyof M, All extends AllComputed> = Omit<
  Pick<M, Name>,
  keyof All
> & { readonly [Key in keyof All]: All[Key] extends ComputedColumn<infer Value> ? Value : never };

interface PlainRowsOptions<
  M extends Model,
  Name extends keyof M,
  All extends AllComputed,
> extends Omit<FindOptions<Attributes<M>>, "attributes" | "raw"> {
  readonly columns: readonly Name[];
  readonly computed: All;
}

/** Reads rows as plain objects whose type has only the selected fields. */
export async function readPlainRows<
  M extends Model,
  Name extends keyof Attributes<M> & keyof M & string,
  All extends AllComputed,
>(
  model: ModelStatic<M>,
  { columns, computed: values, ...options }: PlainRowsOptions<M, Name, All>,
): Promise<PlainRow<M, Name, All>[]> {
  const computedColumns = Object.entries(values).map(([name, { sql }]) => [sql, name] as const);
  const own = columns.filter((name) => !(name in values));
  const read = { ...options, attributes: [...own, ...computedColumns], raw: true };
  return (await model.findAll(read)) as PlainRow<M, Name, All>[];
}
