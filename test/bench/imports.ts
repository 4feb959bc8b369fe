import { rmSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { newFolder } from "../imports/import-test-site.ts";
import { type Bench, compareWithFloor, figureAlone, quantile, type BenchRow } from "./bench.ts";
import { sendRequestsAtFixedRate } from "./imports/pace.ts";
import { type ImportName, type ImportService, startImportService } from "./imports/service.ts";
import { writeTable } from "./imports/table.ts";
import { atlasTree } from "./imports/tree.ts";
import { memoryOf } from "./parts/memory.ts";
import { BenchProgram } from "./parts/remote.ts";

const name = "imports";
/** The number of texts in the table. A full run has as many texts as a real client. */
const texts = { full: 120_000, short: 20_000 } as const;

/**
 * Measures imports over the API, including the work of the job. The baseline (floor) is a program that only reads
 * the same files.
 */
export const bench: Bench = {
  name,
  async run({ short, databaseUrl }) {
    const folder = newFolder();
    const [floor, service] = await Promise.all([
      BenchProgram.start("imports/floor.ts", { DATABASE_URL: databaseUrl }),
      startImportService(databaseUrl),
    ]);
    try {
      const sources = await layOut(folder, service, short ? texts.short : texts.full);
      const rounds = short ? 1 : 7;
      return [
        await peakOf("atlas", service),
        ...(await compareAtlas(sources.tree, { service, floor, rounds })),
        await peakOf("clilocs", service),
        ...(await compareClilocs(sources.table, { service, floor, rounds })),
        ...(await readWhileImporting("atlas", service, short)),
        ...(await readWhileImporting("clilocs", service, short)),
      ];
    } finally {
      await Promise.all([service.stop(), floor.stop()]);
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

interface Sources {
  readonly tree: string;
  readonly table: string;
}

async function layOut(folder: string, service: ImportService, count: number): Promise<Sources> {
  const tree = await atlasTree(path.join(folder, "tree"));
  const table = path.join(folder, "Cliloc.enu");
  await writeTable(table, count);
  await service.readFrom("atlas", tree);
  await service.readFrom("clilocs", table);
  return { tree, table };
}

interface Sides {
  readonly service: ImportService;
  readonly floor: BenchProgram;
  readonly rounds: number;
}

function compareAtlas(folder: string, { service, floor, rounds }: Sides): Promise<BenchRow[]> {
  const parsed = "atlas of a server's tree";
  const stored = "atlas of a server's tree, beside COPY into such tables";
  return compareWithFloor(
    name,
    {
      [parsed]: { unit: "ms", better: "lower", target: 2 },
      [stored]: { unit: "ms", better: "lower" },
    },
    {
      rounds,
      ours: async () => {
        const took = await service.importAnew("atlas");
        return { [parsed]: took, [stored]: took };
      },
      floor: async () => ({
        [parsed]: await floor.call<number>("parseTree", { folder }),
        [stored]: await floor.call<number>("storeTree", { folder }),
      }),
    },
  );
}

function compareClilocs(file: string, { service, floor, rounds }: Sides): Promise<BenchRow[]> {
  const first = "a client's texts";
  const again = "a client's texts, again";
  const copy = () => floor.call<number>("copyTable", { file });
  return compareWithFloor(
    name,
    {
      [first]: { unit: "ms", better: "lower", target: 2 },
      [again]: { unit: "ms", better: "lower", target: 2 },
    },
    {
      rounds,
      ours: async () => {
        await service.forgetClilocs();
        return {
          [first]: await service.importAnew("clilocs"),
          [again]: await service.importAnew("clilocs"),
        };
      },
      floor: async () => ({ [first]: await copy(), [again]: await copy() }),
    },
  );
}

/** Measures the peak memory of a worker during its first import. */
async function peakOf(kind: ImportName, service: ImportService): Promise<BenchRow> {
  const worker = await service.freshWorker();
  await service.importAnew(kind);
  const ours = memoryOf(worker.pid).peak;
  const figure = `${kind}, peak of the worker`;
  return figureAlone({ bench: name, figure, ours, unit: "MiB", better: "lower", target: 250 });
}

/** Measures the delays of visitors' requests during imports that follow each other. */
function readWhileImporting(
  kind: ImportName,
  service: ImportService,
  isShort: boolean,
): Promise<BenchRow[]> {
  const figure = `status while importing ${kind}, p99 beside quiet`;
  const ms = isShort ? 400 : 4_000;
  const read = async (meanwhile: () => Promise<unknown>) => {
    const ended = new AbortController();
    const url = `${service.web.url}/api/v1/public/shard/status`;
    const reading = sendRequestsAtFixedRate(ended.signal, url);
    await meanwhile();
    ended.abort();
    return { [figure]: quantile(await reading, 0.99) };
  };
  const importOnAndOn = async () => {
    const endsAt = performance.now() + ms;
    while (performance.now() < endsAt) await service.importAnew(kind);
  };
  return compareWithFloor(
    name,
    { [figure]: { unit: "ms", better: "lower", target: 3 } },
    {
      rounds: isShort ? 1 : 3,
      ours: () => read(importOnAndOn),
      floor: () => read(() => sleep(ms)),
    },
  );
}
