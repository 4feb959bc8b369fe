import type { ServerResponse } from "node:http";

/** One block of an event stream. A block without `data` only updates the client's last event id. */
export interface SseBlock {
  readonly id?: number;
  /** The type of the block. Without it, the block has the default type, which `onmessage` receives. */
  readonly event?: string;
  /** Milliseconds that the client waits before it reconnects, from now on. */
  readonly retryMs?: number;
  readonly data?: object;
}

/** Encodes a block. JSON has no line breaks, so the data is one line. */
export function encodeBlock({ id, event, retryMs, data }: SseBlock): Buffer {
  const lines = [
    retryMs === undefined ? "" : `retry: ${retryMs}\n`,
    id === undefined ? "" : `id: ${id}\n`,
    event === undefined ? "" : `event: ${event}\n`,
    data === undefined ? "" : `data: ${JSON.stringify(data)}\n`,
  ];
  return Buffer.from(`${lines.join("")}\n`);
}

/** The media type that stream routes declare. */
export const streamMediaType = "text/event-stream";

/** A comment that keeps an idle connection open. Browsers do not pass it to the page. */
export const heartbeatBlock = Buffer.from(": hb\n\n");

/** Starts an event stream with 200. Any other status ends a browser's EventSource for good. */
export function openEventStream(response: ServerResponse): void {
  // Without chunked encoding, the body ends with the connection and its bytes are sent as written.
  response.removeHeader("Transfer-Encoding");
  response.socket?.setNoDelay(true);
  response.writeHead(200, {
    "Content-Type": `${streamMediaType}; charset=utf-8`,
    "Cache-Control": "no-store, no-transform",
    "X-Accel-Buffering": "no",
  });
  response.flushHeaders();
}
