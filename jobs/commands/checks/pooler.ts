import { randomUUID } from "node:crypto";

import { hasPooler } from "../../../shared/platform/db/connection/session-settings.ts";
import { firstRow } from "../../../shared/platform/db/rows.ts";
import { onPoolConnection, type SqlClient } from "../../../shared/platform/db/sql.ts";
import { type DoctorCheck, faultResult, okResult } from "./check.ts";

/** The number of attempts: a pooler may by chance give a connection the same session again. */
const tries = 5;

/**
 * Checks if each connection to `DATABASE_URL` has its own session. Behind a transaction pooler,
 * DATABASE_LISTEN_URL must be set.
 */
export const poolerCheck: DoctorCheck = {
  name: "pooler",
  async run({ config, sequelize }) {
    const found = await onPoolConnection(sequelize, (one) =>
      onPoolConnection(sequelize, (other) => testSessions(one, other)),
    );
    if (!found.isShared) {
      return okResult(hasPooler(config) ? `${sessions}; the service uses none` : sessions);
    }
    const keeps = found.isNameLost ? "loses" : "keeps";
    const detail = `a transaction pooler, which ${keeps} named statements`;
    if (hasPooler(config)) return okResult(`${detail}; the service uses none`);
    return faultResult(detail, "set DATABASE_LISTEN_URL to a direct connection");
  },
};

const sessions = "each connection has its own session and keeps its named statements";

interface PoolerResult {
  readonly isShared: boolean;
  readonly isNameLost: boolean;
}

/** Runs a named statement twice on one connection, the second time while another connection has a transaction. */
async function testSessions(one: SqlClient, other: SqlClient): Promise<PoolerResult> {
  const statement = { name: `doctor ${randomUUID()}`, text: "select pg_backend_pid() as pid" };
  const seen = new Set<number>();
  try {
    for (let turn = 0; turn < tries; turn += 1) {
      seen.add(await pidOf(one, statement));
      await other.query("begin");
      try {
        await pidOf(other, statement.text);
        seen.add(await pidOf(one, statement));
      } finally {
        await other.query("rollback");
      }
    }
  } catch (error) {
    if (!isUnknownName(error)) throw error;
    return { isShared: true, isNameLost: true };
  }
  return { isShared: seen.size > 1, isNameLost: false };
}

async function pidOf(sql: SqlClient, statement: Parameters<typeof firstRow>[1]): Promise<number> {
  return (await firstRow<{ pid: number }>(sql, statement))?.pid ?? 0;
}

/** Returns true for the error of a session in which the named statement was not prepared. */
const isUnknownName = (error: unknown): boolean => (error as { code?: unknown }).code === "26000";
