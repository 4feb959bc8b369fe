import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";

import ipaddr from "ipaddr.js";

/** The answer to queries for a name: its addresses, or a way to fail. */
type DnsResult = readonly string[] | "fails" | "is silent";

const types = { A: 1, AAAA: 28 } as const;
const codes = { ok: 0, failed: 2, unknown: 3 } as const;

/** Resolves a name that no test has set. */
type ResolveName = (name: string) => Promise<readonly string[]>;

/** A DNS server whose answers a test sets. */
export class NameServer {
  readonly #socket: Socket;
  readonly #ask: ResolveName;
  readonly #names = new Map<string, DnsResult>();
  /** The number of queries, by name. */
  readonly asked = new Map<string, number>();

  private constructor(socket: Socket, ask: ResolveName) {
    this.#socket = socket;
    this.#ask = ask;
    socket.on("message", (query, { port, address }) => {
      const send = async (): Promise<void> => {
        const answer = await this.#answer(query);
        if (answer) socket.send(answer, port, address);
      };
      void send();
    });
  }

  /** @param ask looks up names that no test has set; by default such names do not exist */
  static async start(port = 0, ask: ResolveName = async () => []): Promise<NameServer> {
    const socket = createSocket("udp4");
    socket.bind(port, "127.0.0.1");
    await once(socket, "listening");
    return new NameServer(socket, ask);
  }

  /** The address of the server, as a value for `PUSH_DNS`. */
  get address(): string {
    return `127.0.0.1:${this.#socket.address().port}`;
  }

  say(name: string, known: DnsResult): void {
    this.#names.set(name, known);
  }

  stop(): void {
    this.#socket.close();
  }

  async #answer(query: Buffer): Promise<Buffer | null> {
    const { name, type, end } = readQuestion(query);
    this.asked.set(name, (this.asked.get(name) ?? 0) + 1);
    const known = this.#names.get(name) ?? (await this.#ask(name).catch(() => []));
    if (known === "is silent") return null;
    const all = known === "fails" ? [] : known;
    const records = all.filter((one) => typeOf(one) === type);
    const code = known === "fails" ? codes.failed : all.length > 0 ? codes.ok : codes.unknown;
    const head = Buffer.from(query.subarray(0, 12));
    head.writeUInt16BE(0x8180 | code, 2);
    head.writeUInt16BE(records.length, 6);
    head.fill(0, 8);
    return Buffer.concat([head, query.subarray(12, end), ...records.map(recordOf)]);
  }
}

const typeOf = (address: string): number => (address.includes(":") ? types.AAAA : types.A);

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join(".").toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

/** Builds an answer record for the name of the query. It is valid for an hour. */
function recordOf(address: string): Buffer {
  const bytes = Buffer.from(ipaddr.parse(address).toByteArray());
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(typeOf(address), 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(3_600, 6);
  head.writeUInt16BE(bytes.length, 10);
  return Buffer.concat([head, bytes]);
}
