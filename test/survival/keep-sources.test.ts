import { afterAll, beforeAll, expect, it } from "vitest";

import { SourceSupervisor } from "../../shared/platform/ingest/source-supervisor.ts";
import type { Logger } from "../../shared/platform/log.ts";
import { createSurvivalSource } from "../../shared/survival/ingest/survival-source.ts";
import { sourceNameOf } from "../../shared/survival/server-locks.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { buildSurvivalServer } from "../support/factories/survival.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";
import { sourceWaits } from "../support/shard/waiting-sources.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

it("a server that is disabled and enabled at once is ingested again without waiting as a standby", async () => {
  const { context } = server;
  const { id } = await buildSurvivalServer(server);
  const said: string[] = [];
  const log = Object.create(context.log, {
    info: { value: (_facts: object, text: string) => said.push(text) },
  }) as Logger;
  const { config, listener, sequelize } = context;
  const supervisor = new SourceSupervisor({ config, listener, log, sequelize });
  const source = createSurvivalSource(id, context);
  const taken = () =>
    said.filter((text) => text === "this process ingests the events of the source").length;
  supervisor.keep([source]);
  await waitUntil("it is owned", () => taken() === 1);
  const other = createSurvivalSource((await buildSurvivalServer(server)).id, context);
  const transaction = await context.sequelize.transaction();
  const lock = transaction.LOCK.UPDATE;
  await context.models.IngestSource.findByPk(sourceNameOf(id), { transaction, lock });
  await waitUntil("its owner waits within a statement", () => sourceWaits(server, id));
  supervisor.keep([]);
  supervisor.keep([source, other]);
  // Both sources have started together. So once `other` is owned, the first source has found that its old lock is
  // still held.
  await waitUntil("another is owned", () => taken() === 2);
  await transaction.rollback();
  await waitUntil("it is owned again", () => taken() === 3);
  await supervisor.stop();
  expect(said).toEqual(Array(3).fill("this process ingests the events of the source"));
});
