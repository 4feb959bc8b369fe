import { Op } from "sequelize";

import { LaunchError } from "../../jobs/commands/launch/launch-error.ts";
import type { ImportName } from "../../shared/imports/results/kinds.ts";
import { requestImport, awaitImport } from "../../shared/imports/runs/request-import.ts";
import type { SiteContext } from "../../shared/ops/site-context.ts";
import type { Caller } from "../../shared/platform/access/caller.ts";
import type { Context } from "../../shared/platform/context.ts";
import { limits } from "../../shared/platform/limits.ts";
import type { ImportFlags } from "../../shared/platform/queue/queues.ts";
import { waitUntil } from "../support/clock/wait.ts";

/**
 * The imports in the order in which they must run. For example, pictures need the creatures of the
 * atlas.
 */
const imports: readonly ImportName[] = ["clilocs", "atlas", "assets", "item-art"];

/**
 * Imports the texts, the atlas and the pictures of the shard, as an administrator does. Skips
 * imports that were made before.
 * @returns the names of the imports it made
 * @throws {LaunchError} if an import fails
 */
export async function importWorld(admin: Caller, context: SiteContext): Promise<ImportName[]> {
  const there = await readImportedKinds(context);
  const lacking = imports.filter((name) => !there.has(name));
  for (const name of lacking) {
    if (name === "item-art") await awaitMarket(context);
    await importOne(name, admin, context);
  }
  return lacking;
}

async function readImportedKinds({ models }: Context): Promise<ReadonlySet<string>> {
  const sources = await models.ImportedSource.findAll({ attributes: ["kind"] });
  const kinds = new Set(sources.map(({ kind }) => kind));
  return (await models.ItemArt.count()) > 0 ? kinds.add("item-art") : kinds;
}

const marketWithinMs = 60_000;

/** Waits for the whole market, because the pictures of items are fetched for the items on sale. */
const awaitMarket = (context: SiteContext): Promise<void> =>
  waitUntil("the shard's market has arrived", () => isMarketWhole(context), marketWithinMs);

async function isMarketWhole({ models }: Context): Promise<boolean> {
  const read = await models.IngestSource.findAll({ where: { epoch: { [Op.not]: null } } });
  return read.some(({ stale }) => !stale.includes("market"));
}

const flagsOf: Readonly<Partial<Record<ImportName, ImportFlags>>> = {
  "item-art": { limit: limits.itemArt.max },
};

const importWithinMs = 10 * 60_000;

async function importOne(name: ImportName, admin: Caller, context: SiteContext): Promise<void> {
  const asked = await requestImport(name, flagsOf[name] ?? {}, admin, context);
  const { signal } = new AbortController();
  const waiting = { waitMs: importWithinMs, signal };
  const result =
    "refused" in asked ? asked.refused : await awaitImport(name, asked.jobId, waiting, context);
  if (!result) throw new LaunchError(`${name} takes too long`);
  const { status, reason } = result;
  if (status === "imported" || status === "unchanged") return;
  throw new LaunchError(`${name}: ${[status, reason].filter(Boolean).join(", ")}`);
}
