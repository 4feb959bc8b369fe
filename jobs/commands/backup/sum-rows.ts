import { createHash, hash } from "node:crypto";

import { to as copyTo } from "pg-copy-streams";

import type { SqlClient } from "../../../shared/platform/db/sql.ts";
import type { BackupTable, TableChecksum } from "./format.ts";

const newline = 0x0a;

/** Counts and hashes rows. COPY writes each row as one line without inner line breaks. */
export class RowChecksum {
  readonly #hash = createHash("sha256");
  #rows = 0;

  add(piece: Buffer): void {
    this.#hash.update(piece);
    for (let at = piece.indexOf(newline); at >= 0; at = piece.indexOf(newline, at + 1)) {
      this.#rows += 1;
    }
  }

  get(): TableChecksum {
    return { rows: this.#rows, sha256: this.#hash.copy().digest("hex") };
  }
}

/** A hash that does not depend on the order of rows, because a partitioned table does not keep that order. */
export class UnorderedChecksum {
  #begun: Buffer[] = [];
  #sum = 0n;

  add(piece: Buffer): void {
    let from = 0;
    for (let at = piece.indexOf(newline); at >= 0; at = piece.indexOf(newline, from)) {
      const row = Buffer.concat([...this.#begun.splice(0), piece.subarray(from, at)]);
      this.#sum = BigInt.asUintN(256, this.#sum + BigInt(`0x${hash("sha256", row)}`));
      from = at + 1;
    }
    if (from < piece.length) this.#begun.push(piece.subarray(from));
  }

  get(): bigint {
    return this.#sum;
  }
}

export async function* readRows(
  { name, columns }: BackupTable,
  sql: SqlClient,
): AsyncGenerator<Buffer> {
  const statement = `copy (select ${columns.join(", ")} from ${name}) to stdout`;
  for await (const piece of sql.query(copyTo(statement))) yield piece as Buffer;
}
