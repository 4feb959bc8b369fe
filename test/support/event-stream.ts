import http from "node:http";

/** One block of an event stream as a client reads it; comments are kept, to be asserted. */
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

/** A client of an event stream that remembers everything it was sent. */
export interface StreamClient {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly blocks: readonly Block[];
  /** The id a browser would come back with. */
  readonly lastEventId: number | undefined;
  /** Resolves with the first block that `matches`, among those received or to come. */
  waitFor(matches: (block: Block) => boolean): Promise<Block>;
  /** Resolves when the server has ended the stream or the connection is lost. */
  readonly ended: Promise<void>;
  /** Reads no more, without closing. */
  pause(): void;
  /** Cuts the connection. */
  close(): void;
}

/** Opens an event stream; resolves with the response's head. */
export function openStream(url: string, options: OpenOptions = {}): Promise<StreamClient> {
  const { headers = {}, lastEventId } = options;
  const resume = lastEventId === undefined ? {} : { "last-event-id": String(lastEventId) };
  return new Promise((resolve, reject) => {
    const request = http.get(url, { headers: { ...headers, ...resume }, agent: false });
    request.once("error", reject);
    request.once("response", (response) => resolve(follow(request, response)));
  });
}

function follow(request: http.ClientRequest, response: http.IncomingMessage): StreamClient {
  const blocks: Block[] = [];
  const waiting = new Set<(block: Block) => void>();
  let unread = "";
  response.setEncoding("utf8");
  response.on("data", (text: string) => {
    const parts = (unread + text).split("\n\n");
    unread = parts.pop() ?? "";
    for (const block of parts.map(readBlock)) {
      blocks.push(block);
      for (const look of waiting) look(block);
    }
  });
  response.on("error", () => undefined);
  request.on("error", () => undefined);
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    blocks,
    get lastEventId() {
      return blocks.findLast(({ id }) => id !== undefined)?.id;
    },
    waitFor: (matches) => waitFor(matches, blocks, waiting),
    ended: new Promise((resolve) => {
      response.once("close", resolve);
    }),
    pause: () => response.pause(),
    close: () => request.destroy(),
  };
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

/** The fields of a block as the standard reads them: `data` is JSON, ids and waits are numbers. */
function readBlock(text: string): Block {
  const fields = text.split("\n").map((line): [string, unknown] => {
    const [, name = "", value = ""] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    if (name === "") return ["comment", value];
    if (name === "data") return [name, JSON.parse(value)];
    return [name, name === "event" ? value : Number(value)];
  });
  return Object.fromEntries(fields);
}
