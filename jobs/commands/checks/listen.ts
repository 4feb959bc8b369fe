import { randomUUID } from "node:crypto";

import type { Client } from "pg";

import { createClient } from "../../../shared/platform/db/connection/client.ts";
import { directUrlOf } from "../../../shared/platform/db/connection/session-settings.ts";
import { rows } from "../../../shared/platform/db/rows.ts";
import { type DoctorCheck, faultResult, okResult } from "./check.ts";

const notificationTimeoutMs = 3_000;

/** Checks if a notification that one connection sends arrives on another, as every process requires. */
export const listenCheck: DoctorCheck = {
  name: "listen",
  async run({ config, sequelize }) {
    const url = directUrlOf(config);
    const channel = `doctor_${randomUUID().replaceAll("-", "")}`;
    const client = createClient({
      url,
      applicationName: "guildhall doctor",
      patience: { statementMs: notificationTimeoutMs },
    });
    try {
      await client.connect();
      const startedAt = performance.now();
      const heard = waitForNotification(client);
      await client.query(`listen ${channel}`);
      await rows(sequelize, "select pg_notify($1, '')", [channel]);
      if (await heard) {
        return okResult(
          `a notification arrived after ${Math.ceil(performance.now() - startedAt)} ms`,
        );
      }
      return faultResult(
        "a notification was sent and did not arrive",
        config.DATABASE_LISTEN_URL === undefined
          ? "DATABASE_URL goes through a transaction pooler: set DATABASE_LISTEN_URL to a direct connection"
          : "set DATABASE_LISTEN_URL to a direct connection to the server and database of DATABASE_URL",
      );
    } finally {
      await client.end();
    }
  },
};

function waitForNotification(client: Client): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), notificationTimeoutMs);
    client.once("notification", () => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}
