import { connect, type Socket } from "node:net";

import { quantile } from "../bench.ts";
import { answerCalls } from "../parts/answering.ts";

/**
 * Repeats a request on bare sockets. An HTTP client needs more CPU time than the measured servers, so this client
 * writes constant bytes and counts the bytes of the answers.
 */

export interface RequestLoad {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly connections: number;
  readonly ms: number;
  /**
   * The mean pause after an answer in milliseconds. By default there is none. Each pause is 0.5 to
   * 1.5 times as long, because real users are not synchronized.
   */
  readonly pauseMs?: number;
}

export interface LoadResult {
  readonly answers: number;
  readonly perSecond: number;
  /** The median delay in milliseconds. */
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

answerCalls({ ask });

/**
 * Sends requests on all connections for the given time. Each connection waits for its answer before
 * the next request.
 */
async function ask(asking: RequestLoad): Promise<LoadResult> {
  const { url, headers = {}, connections, ms, pauseMs = 0 } = asking;
  const { hostname, port, host, pathname } = new URL(url);
  const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}`);
  const request = Buffer.from(`GET ${pathname} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`);
  const took: number[] = [];
  const startedAt = performance.now();
  const askOn = (socket: Socket, at: number) => {
    const waitMs = (pauseMs * at) / connections;
    return askUntil(startedAt + ms, { socket, request, took, waitMs, pauseMs });
  };
  const sockets = Array.from({ length: connections }, () => connect(Number(port), hostname));
  await Promise.all(sockets.map(askOn));
  const seconds = (performance.now() - startedAt) / 1_000;
  for (const socket of sockets) socket.destroy();
  return {
    answers: took.length,
    perSecond: took.length / seconds,
    p50: quantile(took, 0.5),
    p95: quantile(took, 0.95),
    p99: quantile(took, 0.99),
  };
}

interface Connection {
  readonly socket: Socket;
  readonly request: Buffer;
  /** The delays of the answers on all connections, in milliseconds. */
  readonly took: number[];
  /** The delay before the first request. */
  readonly waitMs: number;
  readonly pauseMs: number;
}

function askUntil(endsAt: number, connection: Connection): Promise<void> {
  const { socket, request, took, waitMs, pauseMs } = connection;
  return new Promise((resolve, reject) => {
    let askedAt = 0;
    let received = "";
    const next = (): void => {
      askedAt = performance.now();
      if (askedAt >= endsAt) resolve();
      else socket.write(request);
    };
    socket.setNoDelay(true).setEncoding("latin1");
    socket.once("error", reject).once("connect", () => setTimeout(next, waitMs));
    socket.once("close", () => reject(new Error("the server hung up")));
    socket.on("data", (text: string) => {
      received += text;
      if (!isWhole(received)) return;
      if (!received.startsWith("HTTP/1.1 200 ")) reject(new Error(received));
      received = "";
      took.push(performance.now() - askedAt);
      if (pauseMs === 0) next();
      else setTimeout(next, pauseMs * (0.5 + Math.random()));
    });
  });
}

/** Returns true if the body of the answer has the length that its header states. */
function isWhole(answer: string): boolean {
  const bodyAt = answer.indexOf("\r\n\r\n") + 4;
  if (bodyAt < 4) return false;
  const length = /\r\ncontent-length: (\d+)/i.exec(answer)?.[1];
  if (length === undefined) throw new Error(`an answer of unknown length:\n${answer}`);
  return answer.length >= bodyAt + Number(length);
}
