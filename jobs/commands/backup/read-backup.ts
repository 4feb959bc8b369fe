import { createReadStream } from "node:fs";
import { createGunzip } from "node:zlib";

import { type BackupTrailer, type BackupHeader, endOfRows, type TableChecksum } from "./format.ts";
import { RowChecksum } from "./sum-rows.ts";

/** The file is not a backup, or it is damaged. */
export class BrokenBackupError extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(`The backup cannot be used: ${reason}`, options);
    this.name = "BrokenBackupError";
  }
}

const newline = 0x0a;

/** Reads a backup from start to end and detects changes of the file. */
export class BackupReader {
  readonly #pieces: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(file: string) {
    const source = createReadStream(file);
    const whole = createGunzip();
    source.on("error", (error) => whole.destroy(error));
    this.#pieces = source.pipe(whole)[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  }

  async readHeader(): Promise<BackupHeader> {
    const header = await this.#readJson<BackupHeader>();
    if (header.backup === "guildhall" && header.format === 1) return header;
    throw new BrokenBackupError(
      "it is not a backup of this service, or its format is unknown to this release",
    );
  }

  /** Yields the rows of the next table. @throws {BrokenBackupError} after the last row if any row was changed */
  async *readTable(name: string): AsyncGenerator<Buffer> {
    const { table } = await this.#readJson<{ table: string }>();
    if (table !== name) {
      throw new BrokenBackupError(`it contains the table ${table} instead of ${name}`);
    }
    const sum = new RowChecksum();
    for await (const piece of this.#readRows()) {
      sum.add(piece);
      yield piece;
    }
    const [written, found] = [await this.#readJson<TableChecksum>(), sum.get()];
    if (written.rows === found.rows && written.sha256 === found.sha256) return;
    throw new BrokenBackupError(`the rows of ${name} were changed after the backup was written`);
  }

  async skipTable(name: string): Promise<void> {
    for await (const piece of this.readTable(name)) void piece;
  }

  async readClosing(): Promise<BackupTrailer> {
    const closing = await this.#readJson<BackupTrailer>();
    if ((await this.#next()) === undefined && this.#rest.length === 0) return closing;
    throw new BrokenBackupError("the file contains data after the end of the backup");
  }

  /** Yields the rows of a table up to the line that ends COPY's output. */
  async *#readRows(): AsyncGenerator<Buffer> {
    for (;;) {
      const { length, isLast } = measureWholeLines(this.#rest);
      const rows = this.#rest.subarray(0, length);
      this.#rest = this.#rest.subarray(isLast ? length + endOfRows.length + 1 : length);
      if (rows.length > 0) yield rows;
      if (isLast) return;
      await this.#readOn();
    }
  }

  async #readJson<T>(): Promise<T> {
    for (;;) {
      const end = this.#rest.indexOf(newline);
      if (end >= 0) {
        const line = this.#rest.subarray(0, end).toString("utf8");
        this.#rest = this.#rest.subarray(end + 1);
        return parse(line) as T;
      }
      await this.#readOn();
    }
  }

  /** Reads to the end of the next line. It joins the chunks only once, because a picture is a single long line. */
  async #readOn(): Promise<void> {
    const pieces = [this.#rest];
    for (let isWhole = false; !isWhole;) {
      const piece = await this.#next();
      if (piece === undefined) {
        throw new BrokenBackupError("the file ends before the end of the backup");
      }
      pieces.push(piece);
      isWhole = piece.includes(newline);
    }
    this.#rest = Buffer.concat(pieces);
  }

  async #next(): Promise<Buffer | undefined> {
    try {
      const { value, done } = await this.#pieces.next();
      return done ? undefined : value;
    } catch (cause) {
      throw new BrokenBackupError((cause as Error).message, { cause });
    }
  }
}

function measureWholeLines(text: Buffer): { length: number; isLast: boolean } {
  let length = 0;
  for (;;) {
    const end = text.indexOf(newline, length);
    if (end < 0) return { length, isLast: false };
    const isMark = end - length === endOfRows.length;
    if (isMark && text.toString("latin1", length, end) === endOfRows) {
      return { length, isLast: true };
    }
    length = end + 1;
  }
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (cause) {
    throw new BrokenBackupError("a line of it cannot be read", { cause });
  }
}
