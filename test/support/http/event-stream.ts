import http from "node:http";

/** The boot id of events that tests store directly; their payloads need not match the description. */
export const madeUpBoot = "boot-1";

/** One block of an event stream as a client reads it; comments are kept for assertions. */
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

/** A client of an event stream that keeps everything it receives. */
export interface StreamClient {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly blocks: readonly Block[];
  /** The id that a browser sends when it reconnects. */
  readonly lastEventId: number | undefined;
  /** Resolves with the first matching block, received already or later. */
  waitFor(matches: (block: Block) => boolean): Promise<Block>;
  /** Resolves when the server ends the stream or the connection is lost. */
  readonly ended: Promise<void>;
  /** Stops reading without closing the connection. */
  pause(): void;
  close(): void;
}

/** Opens an event stream and resolves with the response's head. */
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

/** Returns the difference between a block and the API description. Events that tests made up are not checked. */
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

/** Parses a block by the standard: `data` is JSON; ids and waits are numbers. */
function readBlock(text: string): Block {
  const fields = text.split("\n").map((line): [string, unknown] => {
    const [, name = "", value = ""] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    if (name === "") return ["comment", value];
    if (name === "data") return [name, JSON.parse(value)];
    return [name, name === "event" ? value : Number(value)];
  });
  return Object.fromEntries(fields);
}
