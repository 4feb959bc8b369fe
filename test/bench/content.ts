import markdownIt from "markdown-it";
import { Client } from "pg";
import sanitizeHtml from "sanitize-html";

import { loadConfig } from "../../shared/platform/config/config.ts";
import { createConnectionPool } from "../../shared/platform/db/connection/connection.ts";
import { createRandom } from "../simulator/random.ts";
import { createTestUser, logIn } from "../support/accounts/sign-in.ts";
import { callRoute } from "../support/http/call.ts";
import { testEnvironment } from "../support/service/server.ts";
import { type Bench, type BenchOptions, compareWithFloor, median, type BenchRow } from "./bench.ts";
import {
  type ContentSize,
  fillSearchIndex,
  longMarkdown,
  searchTermGenerators,
} from "./content/world.ts";
import type { LoadResult } from "./http/load-client.ts";
import { measureMarketLoad } from "./market/load.ts";
import { startServiceProcess } from "./parts/processes.ts";
import { BenchProgram } from "./parts/remote.ts";

const name = "content";
const full: ContentSize = { posts: 5_000, pages: 20_000 };
const short: ContentSize = { posts: 500, pages: 2_000 };

/** Measures reads, searches and saves of content over HTTP. The baseline (floor) is a minimal program. */
export const bench: Bench = {
  name,
  async run({ short: isShort, databaseUrl }: BenchOptions): Promise<BenchRow[]> {
    const client = new Client(databaseUrl);
    await client.connect();
    const parts: { stop(): Promise<void> }[] = [];
    const started = <Part extends { stop(): Promise<void> }>(part: Part): Part => {
      parts.push(part);
      return part;
    };
    try {
      await fillSearchIndex(isShort ? short : full, client);
      const environment = { DATABASE_URL: databaseUrl };
      const web = started(
        await startServiceProcess("web", databaseUrl, { RL_SEARCH_MAX: "1000000" }),
      );
      const byHand = started(await BenchProgram.start("content/floor-process.ts", environment));
      const bare = started(await BenchProgram.start("http/floor.ts", environment));
      const asker = started(await BenchProgram.start("http/load-client.ts"));
      const headers = await signInEditor(web.url, databaseUrl);
      const floor = await byHand.call<string>("listen");
      const editor = { url: web.url, headers, isShort };
      return [
        ...(await compareReads(editor, bare, asker)),
        ...(await compareSearches({ ours: web.url, floor }, isShort)),
        ...(await compareSaves(editor, client)),
      ];
    } finally {
      await Promise.all([client.end(), ...parts.map((part) => part.stop())]);
    }
  },
};

interface Editor {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly isShort: boolean;
}

async function signInEditor(url: string, databaseUrl: string): Promise<Editor["headers"]> {
  const config = loadConfig(testEnvironment(databaseUrl));
  const sequelize = createConnectionPool(config, name);
  const user = await createTestUser({ context: { config, sequelize } }, { role: "editor" });
  await sequelize.close();
  return { cookie: await logIn({ url }, user) };
}

async function write(editor: Editor, route: string, body: object): Promise<string> {
  const { headers } = editor;
  const answered = await callRoute(editor, route, { headers, body });
  if (answered.status >= 300) throw new Error(answered.text);
  return (answered.body as { slug: string }).slug;
}

/**
 * Compares reads of a post and of a page of 5,000 characters. The baseline is an Express without middleware that
 * sends the same bytes.
 */
async function compareReads(
  editor: Editor,
  bare: BenchProgram,
  asker: BenchProgram,
): Promise<BenchRow[]> {
  const origin = await bare.call<string>("listen");
  const text = { title: "Read", body: longMarkdown("read", 5_000), status: "published" };
  const rows: BenchRow[] = [];
  for (const [what, kind] of [
    ["post read", "posts"],
    ["page read", "pages"],
  ]) {
    const slug = await write(editor, `POST /admin/${kind}`, text);
    const url = `${editor.url}/api/v1/public/${kind}/${slug}`;
    const response = await fetch(url);
    const headers = { "content-type": response.headers.get("content-type") };
    await bare.call("keep", { text: await response.text(), headers });
    const ask = (asked: string) => async () => {
      const connections = 16;
      const ms = editor.isShort ? 700 : 2_000;
      const { perSecond, p99 } = await asker.call<LoadResult>("ask", {
        url: asked,
        connections,
        ms,
      });
      return { [`${what}, rate`]: perSecond, [`${what}, p99`]: p99 };
    };
    const sides = { ours: ask(url), floor: ask(`${origin}/plain`) };
    await sides.ours();
    await sides.floor();
    const figures = {
      [`${what}, rate`]: { unit: "reads/s", better: "higher", target: 0.8 },
      [`${what}, p99`]: { unit: "ms", better: "lower" },
    } as const;
    rows.push(
      ...(await compareWithFloor(name, figures, { rounds: editor.isShort ? 1 : 5, ...sides })),
    );
  }
  return rows;
}

async function compareSearches(
  origins: Readonly<Record<"ours" | "floor", string>>,
  isShort: boolean,
): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const [mix, draw] of Object.entries(searchTermGenerators)) {
    const random = createRandom(mix);
    const paths = Array.from({ length: 2_000 }, () => pathOf(draw(random)));
    const ask = (origin: string) => async () => {
      let next = 0;
      const asked = () => paths[next++ % paths.length] ?? "/";
      const { p50, p99 } = await measureMarketLoad(origin, asked, {
        connections: 2,
        ms: isShort ? 1_000 : 4_000,
      });
      return { [`search, ${mix}, p50`]: p50, [`search, ${mix}, p99`]: p99 };
    };
    const figures = {
      [`search, ${mix}, p50`]: { unit: "ms", better: "lower", target: targetOf(mix) },
      [`search, ${mix}, p99`]: { unit: "ms", better: "lower" },
    } as const;
    const sides = { ours: ask(origins.ours), floor: ask(origins.floor) };
    rows.push(...(await compareWithFloor(name, figures, { rounds: isShort ? 1 : 3, ...sides })));
  }
  return rows;
}

/** Returns the limit of the ratio. Two words are the usual search. */
const targetOf = (mix: string): number => (mix === "two words" ? 1.5 : 2);

const pathOf = (q: string): string =>
  `/api/v1/public/search?${new URLSearchParams({ q: q.padEnd(2, "a") }).toString()}`;

/**
 * Compares saves of a page of 100,000 characters. The baseline uses the same two Markdown libraries and three
 * plain statements.
 */
async function compareSaves(editor: Editor, client: Client): Promise<BenchRow[]> {
  const what = "saving 100,000 characters";
  const bodies = Array.from({ length: 4 }, (_, index) => longMarkdown(`save ${index}`, 100_000));
  const slug = await write(editor, "POST /admin/wiki", {
    title: "Long",
    body: bodies[0],
    status: "published",
  });
  await client.query(`create table floor_pages as select * from wiki_pages`);
  await client.query(`create table floor_revisions as select * from wiki_revisions`);
  await client.query(`create table floor_words (words tsvector)`);
  await client.query("create index on floor_words using gin (words)");
  let revision = 1;
  const markdown = markdownIt({ linkify: true });
  const figures = { [what]: { unit: "ms", better: "lower", target: 3 } } as const;
  const times = editor.isShort ? 4 : 12;
  const ours = async (body: string) => {
    await write(editor, `PUT /admin/wiki/${slug}`, { body, base_revision: revision++ });
  };
  const floor = async (body: string) => {
    const html = sanitizeHtml(markdown.render(body));
    await client.query("begin");
    await client.query("update floor_pages set body = $1, body_html = $2", [body, html]);
    await client.query(
      "insert into floor_revisions (page_id, revision, title, body) values (1, 1, 'Long', $1)",
      [body],
    );
    await client.query("insert into floor_words select to_tsvector('simple', $1)", [body]);
    await client.query("commit");
  };
  const run = (save: (body: string) => Promise<void>) => async () => {
    const took: number[] = [];
    for (let at = 0; at < times; at++) {
      const startedAt = performance.now();
      await save(bodies[at % bodies.length] ?? "");
      took.push(performance.now() - startedAt);
    }
    return { [what]: median(took) };
  };
  return compareWithFloor(name, figures, {
    rounds: editor.isShort ? 1 : 3,
    ours: run(ours),
    floor: run(floor),
  });
}
