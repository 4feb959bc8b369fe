import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";

import { WebSocket } from "ws";

import type { RunningSidecar } from "./hosting.ts";

/** A client for the simulator's own tests. It checks nothing. */

type Frame = Readonly<Record<string, unknown>>;

/** The simulator to connect to, and the protocol version. By default the version is 8. */
type Target = Pick<RunningSidecar, "baseUrl" | "wsUrl" | "simUrl" | "token"> & {
  readonly protocol?: number;
};

interface Opening {
  readonly epoch?: string;
  readonly after?: number | string;
  readonly protocol?: number | string;
  readonly token?: string;
  readonly path?: string;
}

export interface StreamClient {
  readonly frames: Frame[];
  /** The received frames that were no JSON objects, and the binary frames. */
  readonly stray: unknown[];
  readonly socket: WebSocket;
  /**
   * Resolves with the first frame for which `claim` returns true. The frame may have arrived
   * before.
   */
  readonly until: (claim: (frame: Frame) => boolean) => Promise<Frame>;
  /** Waits for the frame `live`. Resolves with all frames up to it. */
  readonly caughtUp: () => Promise<Frame[]>;
  readonly events: () => Frame[];
  readonly closed: Promise<number>;
  readonly close: () => Promise<number>;
}

export async function openStream(simulator: Target, opening: Opening = {}): Promise<StreamClient> {
  const socket = dial(simulator, opening);
  const frames: Frame[] = [];
  const stray: unknown[] = [];
  const waiting = new Set<() => void>();
  socket.on("message", (data: Buffer, isBinary) => {
    const frame = isBinary ? undefined : parse(data.toString("utf8"));
    if (frame === undefined) stray.push(data.toString("utf8"));
    else frames.push(frame);
    for (const look of waiting) look();
  });
  const closed = new Promise<number>((resolve) => socket.on("close", resolve));
  await new Promise((resolve, reject) => {
    socket.on("open", resolve);
    socket.on("error", reject);
  });
  const until = (claim: (frame: Frame) => boolean): Promise<Frame> =>
    new Promise((resolve) => {
      const look = (): void => {
        const found = frames.find(claim);
        if (found === undefined) return;
        waiting.delete(look);
        resolve(found);
      };
      waiting.add(look);
      look();
    });
  return {
    frames,
    stray,
    socket,
    until,
    closed,
    events: () => frames.filter((frame) => frame["type"] === "event"),
    caughtUp: async () => {
      await until((frame) => frame["type"] === "live");
      return frames;
    },
    close: () => {
      socket.close();
      return closed;
    },
  };
}

/** Opens a stream that the sidecar refuses. @returns the HTTP answer */
export function refusedStream(
  simulator: Target,
  opening: Opening = {},
): Promise<{ status: number; body: unknown }> {
  const socket = dial(simulator, opening);
  return new Promise((resolve, reject) => {
    socket.on("open", () => {
      socket.close();
      reject(new Error("the stream was opened"));
    });
    socket.on("error", reject);
    socket.on("unexpected-response", (_, response) => void readRefusal(response).then(resolve));
  });
}

function dial(simulator: Target, opening: Opening): WebSocket {
  const { token = simulator.token, path = simulator.wsUrl, ...query } = opening;
  const url = new URL(path);
  for (const [name, value] of Object.entries({ protocol: simulator.protocol ?? 8, ...query })) {
    url.searchParams.set(name, String(value));
  }
  const headers = { authorization: `Bearer ${token}` };
  return new WebSocket(url, { headers, perMessageDeflate: false });
}

async function readRefusal(response: IncomingMessage): Promise<{ status: number; body: unknown }> {
  const chunks: Buffer[] = [];
  for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString("utf8");
  return { status: response.statusCode ?? 0, body: JSON.parse(text) };
}

function parse(text: string): Frame | undefined {
  try {
    const frame: unknown = JSON.parse(text);
    const isObject = typeof frame === "object" && frame !== null && !Array.isArray(frame);
    return isObject ? (frame as Frame) : undefined;
  } catch {
    return undefined;
  }
}

export const moderator = { userId: 7, username: "mod", role: "moderator" };

interface CallOptions {
  readonly body?: unknown;
  /** The idempotency key. By default, commands get a random one. Null leaves the header out. */
  readonly key?: string | null;
  readonly actor?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface SimulatorAnswer {
  readonly status: number;
  readonly body: unknown;
}

export async function callControl(
  simulator: Target,
  method: string,
  path: string,
  { body, key, actor, headers }: CallOptions = {},
): Promise<SimulatorAnswer> {
  const response = await fetch(`${simulator.baseUrl}${path}`, {
    method,
    redirect: "manual",
    headers: {
      authorization: `Bearer ${simulator.token}`,
      "x-bridge-protocol": String(simulator.protocol ?? 8),
      "x-request-id": randomUUID(),
      ...(isRead(method, path) ? {} : commandHeaders(key, actor)),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json") === true;
  return { status: response.status, body: isJson ? JSON.parse(text) : text };
}

export const buildOkAnswer = (body: unknown): SimulatorAnswer => ({ status: 200, body });

export const refused = (
  status: number,
  code: string,
  details: Readonly<Record<string, unknown>> = {},
): SimulatorAnswer => ({ status, body: { code, ...details } });

export const buildInvalidAnswer = (field: string, reason: string): SimulatorAnswer =>
  refused(400, "INVALID", { field, reason });

/** Calls a route of the simulator that only tests use. */
export async function callSim(
  simulator: Target,
  method: string,
  path: string,
  body?: unknown,
): Promise<SimulatorAnswer> {
  const given = body === undefined ? {} : { body: JSON.stringify(body) };
  const response = await fetch(`${simulator.simUrl}${path}`, { method, ...given });
  return { status: response.status, body: await response.json() };
}

const isRead = (method: string, path: string): boolean =>
  method === "GET" || path === "/v1/assets/images" || path === "/v1/bodies/resolve";

function commandHeaders(
  key: string | null | undefined,
  actor: unknown = moderator,
): Record<string, string> {
  const encoded = Buffer.from(JSON.stringify(actor)).toString("base64url");
  return {
    ...(key === null ? {} : { "idempotency-key": key ?? randomUUID() }),
    ...(actor === null ? {} : { "x-bridge-actor": encoded }),
  };
}
