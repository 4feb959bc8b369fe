import {
  DataTypes,
  type Model,
  type ModelAttributeColumnOptions,
  type ModelStatic,
  QueryTypes,
  Sequelize,
} from "sequelize";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { refuseColumnWrite } from "../../models/columns.ts";
import { defineModels, type Models } from "../../models/index.ts";
import { createTestDatabase, type TestDatabase } from "../support/database/database.ts";

/**
 * Tables without a model, by reason. Only a staging table, a counter that triggers maintain, or a
 * table of another program such as pg-boss may lack a model.
 */
const tablesWithoutModel: Readonly<Record<string, string>> = {
  asset_stage: "staging of an import, filled by COPY and read as a whole",
  cliloc_stage: "staging of an import, filled by COPY and read as a whole",
  creature_stage: "staging of an import, filled by COPY and read as a whole",
  left_slugs:
    "counters of the machinery: the last revision of each slug that was left, kept by triggers",
  listing_counts: "counters of the machinery: listings of an item or in a place, kept by triggers",
  listing_news:
    "staging of a job, which takes out and forgets the rows of a batch by one statement",
  listing_segments:
    "counters of the machinery: listings of each stretch of an order, kept by triggers",
  migrations: "another program's: the migration runner's own",
  rate_limits: "counters of the machinery, changed by atomic arithmetic alone",
  shard_event_keys:
    "machinery of the log: what the unique keys of full parts held, which a batch is compared with",
  shard_event_seqs: "counters of the machinery: numbers of full parts of the log, as ranges",
  snapshot_pages: "staging of a snapshot: pages wait there to be applied as a whole",
  snapshot_touched: "staging of a snapshot: what changed while its pages came in",
  sso_sessions: "another program's: connect-pg-simple alone reads and writes them",
  survival_boards: "machinery of the kept order of players: which totals triggers follow",
  survival_permission_pages: "staging of an inventory: its pages wait there for the last one",
  survival_standing_counts:
    "counters of the machinery: players by ranges of values, kept by triggers",
  survival_storage: "counters of the machinery, kept by triggers and by atomic arithmetic",
  survival_storage_days: "counters of the machinery, changed by atomic arithmetic alone",
  survival_standings: "machinery of the kept order of players: sums of figures, kept by triggers",
  survival_world_players: "counters of the machinery: players of each world, kept by triggers",
  wiki_counts: "counters of the machinery: pages, also by category and tag, kept by triggers",
};

/**
 * Columns without an attribute. The previous release still writes them, and a later release drops
 * them.
 */
const leavingColumns: Readonly<Record<string, readonly string[]>> = {
  users: ["tokens_valid_after"],
};

let database: TestDatabase;
let sequelize: Sequelize;
let models: Models;

beforeAll(async () => {
  database = await createTestDatabase();
  sequelize = new Sequelize(database.url, {
    logging: false,
    define: { underscored: true, timestamps: false },
  });
  models = defineModels(sequelize);
});

afterAll(async () => {
  await sequelize.close();
  await database.drop();
});

const select = <Row extends object>(sql: string): Promise<Row[]> =>
  sequelize.query<Row>(sql, { type: QueryTypes.SELECT });

interface Column {
  readonly type: string;
  readonly allowNull: boolean;
  readonly default: string | null;
  readonly counted: boolean;
  readonly generated: boolean;
}

interface Table {
  readonly columns: Record<string, Column>;
  /** The primary key, followed by the unique keys. */
  readonly keys: string[];
  readonly foreignKeys: string[];
}

/** Reads the tables after all migrations. The columns of `leavingColumns` are left out. */
async function readTables(): Promise<Record<string, Table>> {
  const tables = await readWholeTables();
  for (const [name, leaving] of Object.entries(leavingColumns)) {
    const table = tables[name] as Table;
    for (const column of leaving) delete table.columns[column];
    const foreignKeys = table.foreignKeys.filter(
      (key) => !leaving.some((column) => key.startsWith(`FOREIGN KEY (${column})`)),
    );
    tables[name] = { ...table, foreignKeys };
  }
  return tables;
}

async function readWholeTables(): Promise<Record<string, Table>> {
  const columns = await select<Column & { table: string; name: string }>(`
    select c.relname as table, a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
      not a.attnotnull as "allowNull", a.attidentity <> '' as counted,
      a.attgenerated <> '' as generated,
      case when a.attgenerated = '' then pg_get_expr(d.adbin, d.adrelid) end as default
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace
      and a.attnum > 0 and not a.attisdropped
    order by c.relname, a.attnum`);
  const tables: Record<string, Table> = {};
  for (const { table, name, ...column } of columns) {
    (tables[table] ??= { columns: {}, keys: [], foreignKeys: [] }).columns[name] = column;
  }
  const constraints = await select<{ table: string; type: string; text: string }>(`
    select conrelid::regclass::text as table, contype as type, pg_get_constraintdef(oid) as text
    from pg_constraint where connamespace = 'public'::regnamespace and contype in ('p', 'u', 'f')
    order by contype <> 'p', conname`);
  for (const { table, type, text } of constraints) {
    const { keys = [], foreignKeys = [] } = tables[table] ?? {};
    (type === "f" ? foreignKeys : keys).push(text);
  }
  return tables;
}

const textOfDefault = (value: unknown): string | null => {
  if (value === undefined) return null;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (typeof value === "string") return `'${value}'::text`;
  if (Array.isArray(value)) return "'{}'::text[]";
  const literal = (value as { val?: unknown }).val;
  return typeof literal === "string" ? literal : `'${JSON.stringify(value)}'::jsonb`;
};

const postgresNames: Readonly<Record<string, string>> = {
  BLOB: "bytea",
  "TEXT[]": "text[]",
  "TIMESTAMP WITH TIME ZONE": "timestamp with time zone",
};

const typeOf = ({ type }: ModelAttributeColumnOptions): string => {
  const name = type instanceof DataTypes.BLOB ? "BLOB" : (type as { toSql(): string }).toSql();
  return postgresNames[name] ?? name.toLowerCase();
};

type AnyModel = ModelStatic<Model>;

const modelList = () => Object.values(models) as unknown as AnyModel[];

const columnOf = (attribute: ModelAttributeColumnOptions): Column => ({
  type: typeOf(attribute),
  allowNull: attribute.allowNull ?? true,
  default: textOfDefault(attribute.defaultValue),
  counted: attribute.autoIncrement ?? false,
  generated: attribute.set === refuseColumnWrite,
});

const columnsOf = (model: AnyModel): Record<string, Column> =>
  Object.fromEntries(
    Object.entries(model.getAttributes() as Record<string, ModelAttributeColumnOptions>).map(
      ([name, attribute]) => [attribute.field ?? name, columnOf(attribute)],
    ),
  );

const fieldOf = (model: AnyModel, name: string): string =>
  (model.getAttributes() as Record<string, ModelAttributeColumnOptions>)[name]?.field ?? name;

function keysOf(model: AnyModel): string[] {
  const primary = model.primaryKeyAttributes.map((name) => fieldOf(model, name));
  const unique = (model.options.indexes ?? [])
    .filter((index) => index.unique)
    .map(({ fields = [] }) => `UNIQUE (${(fields as string[]).join(", ")})`);
  const single = Object.entries(model.getAttributes())
    .filter(([, attribute]) => attribute.unique === true)
    .map(([name]) => `UNIQUE (${fieldOf(model, name)})`);
  return [
    ...(primary.length > 0 ? [`PRIMARY KEY (${primary.join(", ")})`] : []),
    ...unique,
    ...single,
  ];
}

/**
 * Returns the foreign keys that the associations of a model require. Associations with links of
 * game accounts have no foreign key.
 */
function foreignKeysOf(model: AnyModel): string[] {
  return Object.values(model.associations)
    .filter((association) => {
      const { options } = association as unknown as { options: { constraints: boolean } };
      return association.associationType === "BelongsTo" && options.constraints;
    })
    .map((association) => {
      const { target, foreignKey, options } = association as unknown as {
        target: AnyModel;
        foreignKey: string;
        options: { onDelete: string };
      };
      const key = fieldOf(target, target.primaryKeyAttributes[0] ?? "");
      const end = options.onDelete === "NO ACTION" ? "" : ` ON DELETE ${options.onDelete}`;
      return `FOREIGN KEY (${fieldOf(model, foreignKey)}) REFERENCES ${target.tableName}(${key})${end}`;
    });
}

describe("models and the migrated schema", () => {
  it("every table has a model, or is listed with a reason", async () => {
    const tables = Object.keys(await readTables());
    const modelled = modelList().map(({ tableName }) => tableName);
    const expected = [...modelled, ...Object.keys(tablesWithoutModel)];
    expect(tables.toSorted()).toEqual(expected.toSorted());
    expect(new Set(expected).size).toBe(expected.length);
  });

  it("a model has the columns of its table with types, nullability, defaults and generation", async () => {
    const tables = await readTables();
    const ours = Object.fromEntries(modelList().map((m) => [m.tableName, columnsOf(m)]));
    const theirs = modelList().map(({ tableName }) => [tableName, tables[tableName]?.columns]);
    expect(ours).toEqual(Object.fromEntries(theirs));
  });

  it("a column that will be dropped still exists and is nullable", async () => {
    const tables = await readWholeTables();
    for (const [name, leaving] of Object.entries(leavingColumns)) {
      for (const column of leaving) {
        expect({ name, column, ...tables[name]?.columns[column] }).toMatchObject({
          name,
          column,
          allowNull: true,
        });
      }
    }
  });

  it("a model has the table's primary and unique keys", async () => {
    const tables = await readTables();
    const ours = modelList().map((m) => [m.tableName, keysOf(m).toSorted()]);
    const theirs = modelList().map(({ tableName }) => [
      tableName,
      tables[tableName]?.keys.toSorted(),
    ]);
    expect(Object.fromEntries(ours)).toEqual(Object.fromEntries(theirs));
  });

  it("each foreign key has an association, and each constrained association a foreign key", async () => {
    const tables = await readTables();
    const ours = modelList().map((m) => [m.tableName, foreignKeysOf(m).toSorted()]);
    const theirs = modelList().map(({ tableName }) => [
      tableName,
      tables[tableName]?.foreignKeys.toSorted(),
    ]);
    expect(Object.fromEntries(ours)).toEqual(Object.fromEntries(theirs));
  });

  it("a to-many or to-one association has its counterpart in the target model", () => {
    for (const model of modelList()) {
      for (const association of Object.values(model.associations)) {
        if (association.associationType === "BelongsTo") continue;
        const { target, foreignKey } = association as unknown as {
          target: AnyModel;
          foreignKey: string;
        };
        const there = Object.values(target.associations).filter(
          (other) =>
            (other as unknown as { foreignKey: string }).foreignKey === foreignKey &&
            other.associationType === "BelongsTo" &&
            other.target === model,
        );
        expect({ from: model.name, as: association.as, there: there.length }).toEqual({
          from: model.name,
          as: association.as,
          there: 1,
        });
      }
    }
  });

  it("a generated column cannot be written through its model", () => {
    expect(() => models.House.build({ stage: "IDOC" } as never)).toThrow(
      "the database computes this column",
    );
  });
});
