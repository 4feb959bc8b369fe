import { rmSync } from "node:fs";
import path from "node:path";

import type { Client } from "pg";

import { newFolder } from "../../imports/import-test-site.ts";
import { startImportService } from "../imports/service.ts";
import { atlasTree } from "../imports/tree.ts";
import { type DomainWriter, pathOf } from "./site.ts";

/** The width of the part of the map that a visitor sees, in tiles. */
const viewTiles = 600;

/** Imports the data of a server over the API. */
export const writeAtlas: DomainWriter = async ({ databaseUrl, client }) => {
  const folder = newFolder();
  const service = await startImportService(databaseUrl);
  try {
    await service.readFrom("atlas", await atlasTree(path.join(folder, "tree")));
    await service.importAnew("atlas");
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  const facets = await readTexts("select name from atlas_facets order by 1", client);
  const creatures = await readTexts("select type_key from atlas_creatures order by 1", client);
  return {
    "a page": (random) =>
      pathOf("atlas", { facet: random.pick(facets), offset: random.int(0, 240) }),
    "spawners of a creature": (random) =>
      pathOf("atlas", { facet: random.pick(facets), creature: random.pick(creatures) }),
    "a search": (random) => {
      const q = random.pick(creatures).slice(-random.int(3, 6));
      return pathOf("atlas", { facet: random.pick(facets), q });
    },
    "a part of the map": (random) => {
      const [x, y] = [random.int(0, 5_400), random.int(0, 3_400)];
      const bbox = [x, y, x + viewTiles, y + viewTiles].join(",");
      return pathOf("atlas", { facet: random.pick(facets), bbox });
    },
  };
};

async function readTexts(statement: string, client: Client): Promise<string[]> {
  const { rows } = await client.query<[string]>({ text: statement, rowMode: "array" });
  return rows.map(([text]) => text);
}
