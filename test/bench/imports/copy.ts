import { type Client, type Connection, Query } from "pg";

/** What `pg` itself can do on a connection and its types leave out. */
interface CopyingConnection extends Connection {
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

class CopyIn extends Query {
  readonly #rows: Buffer;

  constructor(statement: string, rows: Buffer, done: (error: Error | undefined) => void) {
    super({ text: statement }, [], done);
    this.#rows = rows;
  }

  /** Without it `pg` refuses, for want of a source. */
  handleCopyInResponse(connection: CopyingConnection): void {
    connection.sendCopyFromChunk(this.#rows);
    connection.endCopyFrom();
  }
}

/** Sends the rows of one `copy ... from stdin`, in the server's text form. */
export const copyFrom = (statement: string, rows: Buffer, client: Client): Promise<void> =>
  new Promise((resolve, reject) => {
    client.query(new CopyIn(statement, rows, (error) => (error ? reject(error) : resolve())));
  });

export type CopyValue = string | number | null;

/** Rows in the text form that COPY reads. */
export const rowsOf = (rows: readonly (readonly CopyValue[])[]): Buffer =>
  Buffer.from(rows.map((row) => `${row.map(textOf).join("\t")}\n`).join(""));

const textOf = (value: CopyValue): string =>
  typeof value === "string"
    ? value.replace(/[\\\n\r\t]/g, (sign) => escapes[sign] as string)
    : String(value ?? "\\N");

const escapes: Readonly<Record<string, string>> = {
  "\\": "\\\\",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
};
