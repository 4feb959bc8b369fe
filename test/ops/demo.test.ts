import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";

import { afterAll, afterEach, describe, expect, it } from "vitest";

import { ensureFirstAdmin } from "../../jobs/commands/accounts/first-admin.ts";
import { demoShardScript } from "../../jobs/commands/machine/demo.ts";
import { createLaunchPlan } from "../../jobs/commands/machine/plan.ts";
import { storeAnnouncements, type Announcement } from "../../shared/facts/publish-facts.ts";
import { inTransaction } from "../../shared/platform/db/transaction.ts";
import { findAdmin } from "../demo/accounts.ts";
import { ensureAppeal } from "../demo/appeal.ts";
import { ensureContent } from "../demo/content.ts";
import { importWorld } from "../demo/import-world.ts";
import { linkProvider } from "../demo/provider.ts";
import { keepReceiver, readReceiver, receiverName } from "../demo/receiver-kept.ts";
import { type Artwork, startArtwork } from "../imports/artwork.ts";
import { readArguments } from "../simulator/arguments.ts";
import { createTestUser, signIn } from "../support/accounts/sign-in.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { callRoute } from "../support/http/call.ts";
import { takeFreePort } from "../support/network/ports.ts";
import { trustCertificate } from "../support/receiver/receiver.ts";
import { readCommands } from "../support/runner/typed-commands.ts";
import { ChildProgram } from "../support/service/own-process.ts";
import { startTestServer } from "../support/service/server.ts";
import { startTestWorker } from "../support/service/worker.ts";
import { startTestIngest } from "../support/shard/ingest.ts";
import { startLinkedShard } from "../support/shard/linked-shard.ts";

const folder = mkdtempSync(path.join(tmpdir(), "guildhall-demo-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the demo's shard", () => {
  it.each(["plain", "-dash", "--port=1"])("accepts %j as its token", async (token) => {
    const environment = { DATA_FOLDER: folder, PORT: "0", INTERNAL_PORT: "0" };
    const plan = await createLaunchPlan({ demo: true, verbose: false }, environment);
    const player = { id: 4, username: "player", role: "player", hasDemoPassword: true };
    const { arguments: given = [] } = demoShardScript(plan, { port: 4_242, token }, [player]);
    expect(readArguments(given)).toMatchObject({
      port: 4_242,
      token,
      bufferFile: path.join(plan.folder, "simulator.json"),
      links: [
        { account: "maple", userId: 4 },
        { account: "O'Neil_77", userId: 4 },
      ],
    });
  });
});

describe("the imports of the demo's world", () => {
  let art: Artwork;
  afterEach(() => art.stop());

  async function start(hasWorker: boolean) {
    art = await startArtwork({ hasWorker });
    const { context } = art.shard.server;
    await context.models.User.update({ role: "player" }, { where: {} });
    await ensureFirstAdmin(context);
    return { context, admin: await findAdmin(context) };
  }

  async function asked() {
    const { ActivityEntry, ImportRun } = art.shard.server.context.models;
    const runs = await ImportRun.findAll({ order: ["askedAt"] });
    const told = runs.map(async ({ jobId, kind, result }) => {
      const where = { action: `import.${kind}.asked`, targetId: jobId };
      const line = await ActivityEntry.findOne({ where, include: "actor", rejectOnEmpty: true });
      return { kind, username: line.actor?.username, status: result?.["status"] };
    });
    return Promise.all(told);
  }

  it("run in the name of its administrator and are not repeated", async () => {
    const { context, admin } = await start(true);
    const ingest = await startTestIngest(context);
    try {
      const all = ["clilocs", "atlas", "assets", "item-art"];
      expect(await importWorld(admin, context)).toEqual(all);
      const runs = all.map((kind) => ({ kind, username: "admin", status: "imported" }));
      expect(await asked()).toEqual(runs);
      const [pictures] = await art.rows(
        `select count(*) filter (where key is null) as lacking, count(key) > 0 as warmed
         from listings left join item_art
           on key = 'item:' || item_id || case when hue = 0 then '' else ':' || hue end
         where item_id between 0 and 65535 and hue between 0 and 65535`,
      );
      expect(pictures).toEqual({ lacking: 0, warmed: true });
      expect(await importWorld(admin, context)).toEqual([]);
      expect(await asked()).toEqual(runs);
    } finally {
      await ingest.stop();
    }
  });

  it("run only for sources that are not imported yet", async () => {
    const { context, admin } = await start(true);
    const { ImportedSource, ItemArt } = context.models;
    await ImportedSource.create({ kind: "clilocs", fingerprint: "", loaded: {} });
    await ItemArt.create({ key: "item:1", catalog: "", outcome: "absent" });
    expect(await importWorld(admin, context)).toEqual(["atlas", "assets"]);
  });

  it("report in one line why nothing is imported", async () => {
    const { context, admin } = await start(false);
    await expect(importWorld(admin, context)).rejects.toThrow(
      /^clilocs: unavailable, No import worker is running: .+$/,
    );
    expect(await asked()).toEqual([]);
  });
});

describe("the content of the demo", () => {
  it("fills every list of news, wiki and pages, and is not duplicated by a second run", async () => {
    const server = await startTestServer();
    try {
      const { context } = server;
      await ensureFirstAdmin(context);
      const admin = await findAdmin(context);
      const count = async () => {
        const { Post, WikiPage, Page, ActivityEntry } = context.models;
        return Promise.all([Post.count(), WikiPage.count(), Page.count(), ActivityEntry.count()]);
      };
      await ensureContent(admin, context);
      const made = await count();
      await ensureContent(admin, context);
      expect(await count()).toEqual(made);
      const [posts, wiki, categories, navigation, search, renamed] = await Promise.all(
        ["posts", "wiki", "wiki/categories", "pages", "search?q=moongate", "wiki/gold"].map(
          async (place) => (await callRoute(server, `GET /public/${place}`)).body,
        ),
      );
      expect(posts).toMatchObject({ total: 12 });
      expect(wiki).toMatchObject({ total: 9 });
      expect(categories).toHaveLength(3);
      expect(navigation).toMatchObject([{ slug: "rules" }, { slug: "how-to-connect" }]);
      expect((search as { total: number }).total).toBeGreaterThan(2);
      expect(renamed).toMatchObject({ slug: "gold-and-banks", redirected_from: "gold" });
    } finally {
      await server.stop();
    }
  });
});

describe("the demo's identity provider", () => {
  it("keeps its linked users when its port changes", async () => {
    const server = await startTestServer({ environment: { OIDC_ALLOW_INSECURE: "true" } });
    try {
      const { context } = server;
      await ensureFirstAdmin(context);
      const admin = await findAdmin(context);
      const { userId: id, username } = await createTestUser(server);
      const { userId: guest } = await createTestUser(server);
      const account = { id, username, role: "player", hasDemoPassword: true } as const;
      const startAt = (port: number) =>
        linkProvider(
          { issuer: `http://localhost:${port}`, clientSecret: "x" },
          [account],
          admin,
          context,
        );
      const { Identity } = context.models;
      const linked = async () => {
        const rows = await Identity.findAll({ order: ["userId"] });
        return rows.map(({ userId, issuer, subject }) => [userId, issuer, subject]);
      };
      await startAt(1);
      const other = { providerId: "harbour", issuer: "http://localhost:1", subject: "guest" };
      await Identity.create({ ...other, userId: guest, providerName: "Harbour ID" });
      await startAt(2);
      expect(await linked()).toEqual([
        [id, "http://localhost:2", username],
        [guest, "http://localhost:2", "guest"],
      ]);
    } finally {
      await server.stop();
    }
  });
});

describe("the demo's appeal", () => {
  it("is open against an active ban and is created once", async () => {
    const shard = await startLinkedShard();
    try {
      const { context } = shard.server;
      await ensureFirstAdmin(context);
      const admin = await findAdmin(context);
      const player = await signIn(shard.server);
      await shard.link(player, "O'Neil_77");
      expect(await ensureAppeal(admin, context)).toBe(true);
      expect(await ensureAppeal(admin, context)).toBe(false);
      expect(shard.account("O'Neil_77").ban).not.toBeNull();
      const { body } = await shard.as(player, "GET /player/appeals");
      expect(body).toMatchObject({ appeals: [{ account: "O'Neil_77", state: "open" }] });
      expect((body as { appeals: unknown[] }).appeals).toHaveLength(1);
    } finally {
      await shard.stop();
    }
  });
});

/** Starts the demo's receiver, a worker, and a site that may send messages to the receiver. */
async function startReceiver() {
  const [port, relay] = [await takeFreePort(), await takeFreePort()];
  keepReceiver(folder);
  trustCertificate(readReceiver(folder).certificate);
  const page = `http://127.0.0.1:${port}`;
  const given = { host: "127.0.0.1", port, relay, folder };
  const receiver = new ChildProgram({
    name: "receiver",
    file: "test/demo/receive.ts",
    arguments: Object.entries(given).map(([name, value]) => `--${name}=${value}`),
    environment: { PATH: process.env["PATH"] },
    readyAt: `${page}/`,
  });
  await receiver.start();
  const origin = `https://${receiverName}:${relay}`;
  const server = await startTestServer({
    environment: {
      PUSH_ALLOWED_ORIGINS: origin,
      PUSH_DNS: `127.0.0.1:${relay}`,
      PUSH_ALLOW_PRIVATE_FOR_TESTS: "true",
    },
  });
  const worker = await startTestWorker(server, ["push"]);
  return {
    server,
    origin,
    shown: async (place = "/") => (await (await fetch(page + place)).json()) as object[],
    /** Runs shell commands. @returns their output */
    type: async (commands: string, password: string) => {
      const typed = commands
        .replaceAll("http://localhost:3000", server.url)
        .replaceAll("http://localhost:3081", page)
        .replaceAll("…", password);
      return (await promisify(execFile)("sh", ["-ec", typed], { cwd: folder })).stdout;
    },
    announce: (...news: Announcement[]) =>
      inTransaction(server.context.sequelize, (transaction) =>
        storeAnnouncements(news, transaction, server.context),
      ),
    stop: async () => {
      await worker.stop();
      await server.stop();
      await receiver.stop();
    },
  };
}

const championStarts = { stream: "champ.start", ref: "0x40000001", key: "demo" } as const;

describe("the demo program that receives push messages and webhooks", () => {
  it("shows push messages once the documented commands have subscribed it", async () => {
    const { server, origin, shown, type, announce: tell, stop } = await startReceiver();
    try {
      const { password } = await createTestUser(server, { username: "player" });
      expect(await shown()).toEqual([]);
      const stdout = await type(readCommands("/subscription |"), password);
      expect(stdout).toContain('{"streams":["idoc.warning","champ.start","vendor.sale"]}');
      expect(stdout).toContain('{"delivered":true,"status":201}');
      const message = {
        receivedAt: expect.stringMatching(/Z$/),
        payload: { stream: "test", ref: "1" },
        ttl: "60",
        urgency: "high",
        topic: expect.stringMatching(/^[\w-]{32}$/),
        signedFor: origin,
      };
      expect(await shown()).toEqual([message]);
      await tell(championStarts);
      await waitUntil("it is shown", async () => (await shown()).length === 2);
      const payload = { stream: "champ.start", ref: "0x40000001" };
      expect(await shown()).toEqual([
        { ...message, payload, ttl: "900", urgency: "normal" },
        message,
      ]);
    } finally {
      await stop();
    }
  });

  it("shows webhook deliveries, and whether their signatures are valid, once the commands have created a webhook", async () => {
    const { server, shown, type, announce: tell, stop } = await startReceiver();
    try {
      const { password } = await createTestUser(server, { username: "admin", role: "admin" });
      const stdout = await type(readCommands("admin/webhooks | curl"), password);
      expect(stdout).toContain('{"delivered":true,"status":204}');
      const delivery = (event: string, ref: string) => ({
        receivedAt: expect.stringMatching(/Z$/),
        isSigned: true,
        id: expect.stringMatching(/^msg_/),
        body: {
          id: expect.stringMatching(/^msg_/),
          type: event,
          timestamp: expect.stringMatching(/Z$/),
          data: { ref, event: null },
        },
      });
      expect(await shown("/deliveries")).toEqual([delivery("test", "1")]);
      await tell(championStarts);
      await waitUntil("it is shown", async () => (await shown("/deliveries")).length === 2);
      expect(await shown("/deliveries")).toEqual([
        delivery("champ.start", "0x40000001"),
        delivery("test", "1"),
      ]);
      await type('curl -s -d \'{"secret":"whsec_AAAA"}\' http://localhost:3081/webhook', "");
      await tell({ ...championStarts, key: "forged" });
      await waitUntil("it is shown", async () => (await shown("/deliveries")).length === 3);
      expect((await shown("/deliveries"))[0]).toMatchObject({ isSigned: false });
    } finally {
      await stop();
    }
  });
});
