import { firstRow } from "../../db/rows.ts";
import { readAliveProcesses } from "../../processes/processes.ts";
import { type Check, fault, ok } from "./check.ts";

/** What a process holds beside its pool: the queue's own pool, LISTEN, the ingest's lock. */
const besidePool = 9;

/** Whether the server gives each process as many connections as it may come to hold. */
export const connectionsCheck: Check = {
  name: "connections",
  async run({ config, sequelize, models }) {
    const [alive, row] = await Promise.all([
      readAliveProcesses(models),
      firstRow<{ given: number }>(sequelize, givenSql),
    ]);
    const given = row?.given ?? 0;
    const wanted = Math.max(3, alive.length) * (config.DATABASE_POOL + besidePool);
    if (given >= wanted) return ok(`${given} given, at most ${wanted} used`);
    return fault(
      `${given} given, up to ${wanted} may be used`,
      "lower DATABASE_POOL, or raise max_connections",
    );
  },
};

/** The least of the limits of server, database and user; -1 stands for none. */
const givenSql = `
  select least(
    current_setting('max_connections')::int
      - current_setting('superuser_reserved_connections')::int,
    (select nullif(datconnlimit, -1) from pg_database where datname = current_database()),
    (select nullif(rolconnlimit, -1) from pg_roles where rolname = current_user)
  ) as given`;
