import { countNeededServerConnections } from "../../../shared/platform/db/connection/connection.ts";
import { hasPooler } from "../../../shared/platform/db/connection/session-settings.ts";
import { firstRow } from "../../../shared/platform/db/rows.ts";
import {
  type ProcessKind,
  processKinds,
  readAliveProcesses,
} from "../../../shared/platform/job-records/processes.ts";
import { type DoctorCheck, faultResult, okResult } from "./check.ts";

/** Checks if the server allows enough connections for all processes of the Procfile and all running processes. */
export const connectionsCheck: DoctorCheck = {
  name: "connections",
  async run({ config, sequelize, models }) {
    const [alive, survivalServers, row] = await Promise.all([
      readAliveProcesses(models),
      models.SurvivalServer.count({ where: { enabled: true } }),
      firstRow<{ given: number }>(sequelize, givenSql),
    ]);
    const given = row?.given ?? 0;
    const running = alive.map(({ kind }) => kind as ProcessKind);
    const missing = processKinds.filter((kind) => !running.includes(kind));
    const needs = [...running, ...missing].map((kind) =>
      countNeededServerConnections(kind, config, 1 + survivalServers),
    );
    const wanted = needs.reduce((sum, need) => sum + need, 0);
    const others = hasPooler(config) ? ", in addition to those of the pooler" : "";
    if (given >= wanted) {
      return okResult(
        `PostgreSQL allows ${given} connections, and the processes use at most ${wanted}${others}`,
      );
    }
    return faultResult(
      `PostgreSQL allows ${given} connections, but the processes may use up to ${wanted}${others}`,
      "lower DATABASE_POOL, or raise max_connections",
    );
  },
};

/** The lowest connection limit of server, database and user. -1 means no limit. */
const givenSql = `
  select least(
    current_setting('max_connections')::int
      - current_setting('superuser_reserved_connections')::int,
    (select nullif(datconnlimit, -1) from pg_database where datname = current_database()),
    (select nullif(rolconnlimit, -1) from pg_roles where rolname = current_user)
  ) as given`;
