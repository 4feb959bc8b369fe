import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

import { Client } from "pg";
import { SaxesParser } from "saxes";

import { copyRows } from "../../../shared/platform/db/copy.ts";
import { answerCalls } from "../parts/answering.ts";
import { bareTables, storeTree } from "./store-tree.ts";

/** The floor: reads and parses the same files, with at most one COPY. */

const client = new Client(process.env["DATABASE_URL"]);
await client.connect();

answerCalls({
  /** Parses every XML file of a tree without keeping anything. @returns milliseconds */
  parseTree: ({ folder }: { folder: string }) => {
    const startedAt = performance.now();
    let elements = 0;
    for (const name of xmlFiles(folder)) {
      const parser = new SaxesParser({ position: false });
      parser.on("opentag", () => void (elements += 1));
      parser.write(readFileSync(path.join(folder, name), "utf8")).close();
    }
    if (elements === 0) throw new Error(`${folder} holds no element`);
    return performance.now() - startedAt;
  },
  /** Also stores the rows of the service, each table by one COPY. @returns milliseconds */
  storeTree: async ({ folder }: { folder: string }) => {
    await client.query(bareTables);
    const startedAt = performance.now();
    const spawns = xmlFiles(folder).slice(1);
    await storeTree(
      spawns.map((name) => path.join(folder, name)),
      client,
    );
    return performance.now() - startedAt;
  },
  /** Decodes a table of texts and copies it into a table with the same key. @returns milliseconds */
  copyTable: async ({ file }: { file: string }) => {
    await client.query("drop table if exists bare_clilocs");
    await client.query(
      "create table bare_clilocs (number integer primary key, text text not null)",
    );
    const startedAt = performance.now();
    const texts = [...readRecords(readFileSync(file))];
    await copyRows("bare_clilocs", texts, client);
    return performance.now() - startedAt;
  },
});

const xmlFiles = (folder: string): string[] => [
  "Data/Regions.xml",
  ...readdirSync(path.join(folder, "Spawns")).map((name) => `Spawns/${name}`),
];

const headOfTable = 6;
const headOfRecord = 7;

function* readRecords(bytes: Buffer): Generator<[number, string]> {
  for (let at = headOfTable; at < bytes.length;) {
    const end = at + headOfRecord + bytes.readUInt16LE(at + 5);
    yield [bytes.readInt32LE(at), bytes.toString("utf8", at + headOfRecord, end)];
    at = end;
  }
}
