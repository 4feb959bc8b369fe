import { afterAll, afterEach, beforeAll, expect, it } from "vitest";

import { waitUntil } from "../support/clock/wait.ts";
import { expireWorkerHeartbeats } from "../support/database/lost-worker.ts";
import { query } from "../support/database/query.ts";
import type { ChildProgram } from "../support/service/own-process.ts";
import { startProgram } from "../support/service/processes.ts";
import { ContentTestSite } from "./desk.ts";

let desk: ContentTestSite;
const workers: ChildProgram[] = [];
beforeAll(async () => {
  desk = await ContentTestSite.open();
});
afterEach(async () => {
  for (const worker of workers.splice(0)) await worker.kill();
});
afterAll(() => desk.stop());

const count = 250;

async function startWorker(): Promise<ChildProgram> {
  const { database } = desk.server;
  const worker = await startProgram("worker", { database, arguments: ["upkeep"] });
  workers.push(worker);
  return worker;
}

it("a killed rendering run is continued by the next run, and no text is changed or lost", async () => {
  const { WikiPage } = desk.server.context.models;
  await desk.make("/admin/wiki", { title: "Page 0", body: "ตลาดน้ำ", status: "published" });
  await query(
    desk.server,
    `insert into wiki_pages (slug, title, body, body_html, toc, renderer, folded, status, updated_by,
       updated_at)
     select 'page-' || n, 'Page ' || n, 'ตลาดน้ำ', 'old', '[]', 3, 'page', 'published', 1,
       '2026-01-02T03:04:05Z'
     from generate_series(1, ${count}) n`,
  );
  const stale = () => WikiPage.count({ where: { bodyHtml: "old" } });
  // Lock one page as an editor would. The job must skip the locked page.
  const held = await desk.server.context.sequelize.transaction();
  await WikiPage.findOne({ where: { slug: "page-9" }, transaction: held, lock: held.LOCK.UPDATE });
  // Make each update slow, so that the worker is killed in the middle of the job.
  await query(
    desk.server,
    `create function take_a_moment() returns trigger language plpgsql as
     'begin perform pg_sleep(0.02); return new; end'`,
  );
  await query(
    desk.server,
    `create trigger take_a_moment before update on wiki_pages for each row
     execute function take_a_moment()`,
  );
  const first = await startWorker();
  await desk.server.context.queue.enqueue("content.render-texts", {});
  await waitUntil("some pages are rendered", async () => (await stale()) < count - 20);
  await first.kill();
  const left = await stale();
  expect(left).toBeGreaterThan(1);
  await expireWorkerHeartbeats(desk.server);
  await startWorker();
  await waitUntil("all pages but the held one are rendered", async () => (await stale()) === 1);
  // The job has skipped the locked page. Before the next job, an editor writes it, and that job must keep the text.
  await held.rollback();
  const written = await desk.ask("PUT /admin/wiki/page-9", { body: "ดาบ", base_revision: 1 });
  expect(written).toMatchObject({ status: 200, body: { revision: 2, body_html: "<p>ดาบ</p>\n" } });
  await desk.server.context.queue.enqueue("content.render-texts", {});
  const pages = await WikiPage.findAll({ where: { body: "ตลาดน้ำ" }, order: ["id"] });
  expect(pages).toHaveLength(count);
  for (const { slug, bodyHtml, revision, updatedAt } of pages.slice(1)) {
    expect([slug, bodyHtml, revision, updatedAt]).toEqual([
      slug,
      "<p>ตลาดน้ำ</p>\n",
      1,
      new Date("2026-01-02T03:04:05Z"),
    ]);
  }
  const { body } = await desk.read(`/public/search?q=${encodeURIComponent("ตลาด")}`);
  expect(body).toMatchObject({ total: count });
});
