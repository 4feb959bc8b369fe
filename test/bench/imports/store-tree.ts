import { readFileSync } from "node:fs";

import type { Client } from "pg";

import { copyRows, type CopyValue } from "../../../shared/platform/db/copy.ts";
import { createSpawnsXmlParser } from "../../../shared/shard/atlas/parsers/spawns-xml.ts";
import type { AtlasSpawner } from "../../../shared/shard/calls/atlas-records.ts";
import { createAtlasCollector } from "../../imports/collect.ts";

/** Tables for the same rows as in the service, with the same keys and indexes and nothing else. */
export const bareTables = `
  drop table if exists bare_spawners, bare_entries;
  create table bare_spawners (like atlas_spawners including indexes);
  create table bare_entries (like atlas_entries including indexes)`;

/** Reads the data that the service reads from spawn files, and stores the rows with one COPY per table. */
export async function storeTree(files: readonly string[], client: Client): Promise<void> {
  const { sink, spawners } = createAtlasCollector();
  for (const file of files) {
    const parser = createSpawnsXmlParser(file, sink);
    parser.write(readFileSync(file, "utf8"));
    parser.end();
  }
  await copyRows("bare_spawners", spawners.map(spawnerRow), client);
  const entries = spawners.flatMap((spawner, id) => entryRows(spawner, id));
  await copyRows("bare_entries", entries, client);
}

const generation = 1;

/** Returns the values of a spawner's row, in the order of the columns. */
function spawnerRow(spawner: AtlasSpawner, id: number): CopyValue[] {
  const { key, facet, name, x, y, z, rect, homeRange, walkRange, count } = spawner;
  const { minDelaySec, maxDelaySec, running, region } = spawner;
  const place = [facet, name, x, y, z, rect && JSON.stringify(rect)];
  const numbers = [homeRange, walkRange, count, minDelaySec, maxDelaySec];
  const names = [name, region, ...spawner.entries.map(({ typeKey }) => typeKey)];
  const searchText = names.flatMap((text) => text?.toLowerCase() ?? []).join("\n");
  return [generation, id, key, ...place, ...numbers, running, region, searchText];
}

const entryRows = ({ entries }: AtlasSpawner, id: number): CopyValue[][] =>
  entries.map(({ type, typeKey, max, probability }, place) => [
    generation,
    id,
    place,
    type,
    typeKey,
    max,
    probability,
  ]);
