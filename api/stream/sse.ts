import type { ServerResponse } from "node:http";

/** One block of an event stream. A block without `data` moves the client's last event id alone. */
export interface Block {
  readonly id?: number;
  /** Absent: the default type, which `onmessage` hears. */
  readonly event?: string;
  /** Milliseconds the client waits before it connects again, from now on. */
  readonly retryMs?: number;
  readonly data?: object;
}

/** A block as it goes on the wire; JSON holds no line break, so its data is one line. */
export function encodeBlock({ id, event, retryMs, data }: Block): Buffer {
  const lines = [
    retryMs === undefined ? "" : `retry: ${retryMs}\n`,
    id === undefined ? "" : `id: ${id}\n`,
    event === undefined ? "" : `event: ${event}\n`,
    data === undefined ? "" : `data: ${JSON.stringify(data)}\n`,
  ];
  return Buffer.from(`${lines.join("")}\n`);
}

/** The media type that routes of streams declare. */
export const streamMediaType = "text/event-stream";

/** What keeps a quiet connection open; browsers do not show it to the page. */
export const heartbeat = Buffer.from(": hb\n\n");

/**
 * Answers 200 and leaves the body open. Whatever is wrong later is said in the stream: any other
 * status ends a browser's EventSource for good.
 */
export function openEventStream(response: ServerResponse): void {
  // A body that ends with its connection has no chunks: what follows the head goes out as it is.
  response.removeHeader("Transfer-Encoding");
  response.socket?.setNoDelay(true);
  response.writeHead(200, {
    "Content-Type": `${streamMediaType}; charset=utf-8`,
    "Cache-Control": "no-store, no-transform",
    "X-Accel-Buffering": "no",
  });
  response.flushHeaders();
}
