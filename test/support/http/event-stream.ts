import http from "node:http";

/**
 * The boot id of events that tests store directly. Their payloads may differ from the API
 * description.
 */
export const madeUpBoot = "boot-1";

/**
 * A block of an event stream, as a client reads it. Comments are kept, because tests check them.
 */
export interface Block {
  readonly id?: number;
  readonly event?: string;
  readonly retry?: number;
  readonly comment?: string;
  readonly data?: unknown;
}

export interface OpenOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly lastEventId?: number | string | undefined;
}

/** A client of an event stream. It keeps all blocks that it receives. */
export interface StreamClient {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly blocks: readonly Block[];
  /** The id that a browser would send when it reconnects now. */
  readonly lastEventId: number | undefined;
  /**
   * Resolves with the first block for which `matches` returns true. The block may have arrived
   * before.
   */
  waitFor(matches: (block: Block) => boolean): Promise<Block>;
  /** Resolves when the server ends the stream or the connection breaks. */
  readonly ended: Promise<void>;
  /** Stops reading. The connection stays open. */
  pause(): void;
  close(): void;
}

/** Opens an event stream. Resolves when the headers of the answer have arrived. */
export function openStream(url: string, options: OpenOptions = {}): Promise<StreamClient> {
  const { headers = {}, lastEventId } = options;
  const resume = lastEventId === undefined ? {} : { "last-event-id": String(lastEventId) };
  return new Promise((resolve, reject) => {
    const request = http.get(url, { headers: { ...headers, ...resume }, agent: false });
    request.once("error", reject);
    request.once("response", (response) => resolve(follow(url, request, response)));
  });
}

function follow(
  url: string,
  request: http.ClientRequest,
  response: http.IncomingMessage,
): StreamClient {
  const blocks: Block[] = [];
  const waiting = new Set<(block: Block) => void>();
  const faults: string[] = [];
  let unread = "";
  response.setEncoding("utf8");
  response.on("data", (text: string) => {
    const parts = (unread + text).split("\n\n");
    unread = parts.pop() ?? "";
    for (const block of parts.map(readBlock)) {
      blocks.push(block);
      const fault = faultOf(block, new URL(url).pathname);
      if (fault !== undefined) faults.push(fault);
      for (const look of waiting) look(block);
    }
  });
  response.on("error", () => undefined);
  request.on("error", () => undefined);
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    get blocks() {
      failOn(faults);
      return blocks;
    },
    get lastEventId() {
      return blocks.findLast(({ id }) => id !== undefined)?.id;
    },
    waitFor: async (matches) => {
      const block = await waitFor(matches, blocks, waiting);
      failOn(faults);
      return block;
    },
    ended: new Promise((resolve) => {
      response.once("close", resolve);
    }),
    pause: () => response.pause(),
    close: () => request.destroy(),
  };
}

/**
 * Returns how a block differs from the API description. Events that tests have made up are not
 * compared.
 */
function faultOf(block: Block, path: string): string | undefined {
  const isMadeUp = (block.data as { bootId?: unknown } | undefined)?.bootId === madeUpBoot;
  if (block.data === undefined || isMadeUp) return undefined;
  const fault = globalThis.faultOfBlock?.({ path, block: { event: "message", ...block } });
  return fault && `${path} sent ${JSON.stringify(block)}, and ${fault}`;
}

function failOn(faults: readonly string[]): void {
  if (faults.length > 0) throw new Error(faults.join("\n"));
}

function waitFor(
  matches: (block: Block) => boolean,
  blocks: readonly Block[],
  waiting: Set<(block: Block) => void>,
): Promise<Block> {
  const found = blocks.find(matches);
  if (found) return Promise.resolve(found);
  return new Promise((resolve) => {
    const look = (block: Block) => {
      if (!matches(block)) return;
      waiting.delete(look);
      resolve(block);
    };
    waiting.add(look);
  });
}

/**
 * Parses a block as the standard of event streams defines. `data` is parsed as JSON; ids and
 * reconnection times are numbers.
 */
function readBlock(text: string): Block {
  const fields = text.split("\n").map((line): [string, unknown] => {
    const [, name = "", value = ""] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    if (name === "") return ["comment", value];
    if (name === "data") return [name, JSON.parse(value)];
    return [name, name === "event" ? value : Number(value)];
  });
  return Object.fromEntries(fields);
}
