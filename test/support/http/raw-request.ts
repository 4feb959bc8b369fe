import { type IncomingHttpHeaders, request } from "node:http";
import { text } from "node:stream/consumers";

import type { TestServer } from "../service/server.ts";
import { headersOf } from "./call.ts";
import { checkAnswer } from "./check-answer.ts";

export interface RawRequest {
  readonly method: string;
  readonly path: string;
  /** The headers. They are sent unchanged, even if they contain invalid bytes. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** True if the test expects the status 500. */
  readonly mayFail?: boolean | undefined;
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/**
 * Sends a request that `fetch` would refuse, for example one with an unusual method, a forbidden header, or a
 * body in a GET.
 */
export function sendRaw(
  { url }: Pick<TestServer, "url">,
  { method, path, headers, body, mayFail }: RawRequest,
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const length = body === undefined ? {} : { "content-length": Buffer.byteLength(body) };
    const all = { ...length, ...headers };
    const sent = request({ hostname, port, method, path, headers: all, agent: false });
    sent.on("response", (response) => {
      const { statusCode: status = 0 } = response;
      const isStream = response.headers["content-type"] === "text/event-stream";
      if (isStream) response.destroy();
      const read = isStream ? Promise.resolve("") : text(response);
      const settle = (answer: string) => {
        // The server has answered, so do not send the rest of the body.
        sent.destroy();
        if (!isStream) {
          const given = { status, headers: headersOf(response.headers), text: answer };
          checkAnswer(url + path, method, given, { mayFail });
        }
        resolve({ status, headers: response.headers, text: answer });
      };
      read.then(settle).catch(reject);
    });
    sent.on("error", reject);
    sent.end(body);
  });
}
