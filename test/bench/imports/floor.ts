import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

import { Client } from "pg";
import { SaxesParser } from "saxes";

import { copyRows } from "../../../shared/platform/db/copy.ts";
import { answerCalls } from "../parts/answering.ts";
import { bareTables, storeTree } from "./store-tree.ts";

/** The program to compare with: parses the same files, and stores rows with COPY or not at all. */

const client = new Client(process.env["DATABASE_URL"]);
await client.connect();

answerCalls({
  /** Parses all XML files of a tree and stores nothing. @returns milliseconds */
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
  /**
   * Parses a tree and stores the same rows as the service, with one COPY per table.
   * @returns milliseconds
   */
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
  /**
   * Decodes a file of texts and copies them into a table with the same key as the service's.
   * @returns milliseconds
   */
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
