import { randomUUID } from "node:crypto";

import { parseDeepObject } from "../../../shared/platform/bridge/json-text.ts";
import { fetchMapImageCall } from "../../../shared/survival/calls/server-calls.ts";
import type { CallAnswer, CallRequest } from "../calls/call-request.ts";
import { excerptOf } from "../report/excerpt.ts";
import type { ResultRecorder } from "../report/report.ts";
import type { BridgeRequirement } from "./requirements.ts";

export interface SidecarClientOptions {
  readonly baseUrl: string;
  readonly token: string;
  readonly protocol: number;
  readonly report: ResultRecorder<BridgeRequirement>;
}

interface CallOptions {
  readonly token?: string;
  readonly protocol?: number;
  /** The idempotency key of a command. */
  readonly key?: string;
}

/** The timeout of a call. It equals the site's timeout for calls that fetch pictures. */
const callMs = 60_000;

const filePaths: ReadonlySet<string> = new Set([fetchMapImageCall.path]);

export class SidecarClient {
  readonly #options: SidecarClientOptions;

  constructor(options: SidecarClientOptions) {
    this.#options = options;
  }

  /** Makes a call; returns undefined if no answer arrives. */
  async call(asked: CallRequest, options: CallOptions = {}): Promise<CallAnswer | undefined> {
    const { method, body } = asked;
    try {
      const response = await fetch(`${this.#options.baseUrl}${addressOf(asked)}`, {
        method,
        redirect: "manual",
        headers: this.#headers(options),
        signal: AbortSignal.timeout(callMs),
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return this.#read(asked, response, Buffer.from(await response.arrayBuffer()));
    } catch {
      return undefined;
    }
  }

  #headers({ token, protocol, key }: CallOptions): Record<string, string> {
    const actor = { userId: null, username: "check", role: "service" };
    return {
      accept: "application/json",
      "content-type": "application/json",
      authorization: `Bearer ${token ?? this.#options.token}`,
      "x-bridge-protocol": String(protocol ?? this.#options.protocol),
      "x-request-id": randomUUID(),
      ...(key !== undefined && {
        "idempotency-key": key,
        "x-bridge-actor": Buffer.from(JSON.stringify(actor)).toString("base64url"),
      }),
    };
  }

  #read({ method, path }: CallRequest, { status, headers }: Response, bytes: Buffer): CallAnswer {
    const text = bytes.toString();
    const type = headers.get("content-type") ?? "nothing";
    const body = parseDeepObject(text);
    const isJson = text === "" || (/^application\/json\b/i.test(type) && body !== undefined);
    const isFile = filePaths.has(path) && status === 200 && !isJson;
    const isRight = (isJson || isFile) && (status < 300 || status > 399);
    this.#options.report.judge("control.json", isRight, () => ({
      expected: `${method} ${path}: a JSON object of the type application/json`,
      got: `status ${status}, ${type}`,
      bytes: excerptOf(text),
    }));
    return { status, body, text, file: { headers: Object.fromEntries(headers), bytes } };
  }
}

function addressOf({ path, params, query }: CallRequest): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ""),
  );
  const search = new URLSearchParams(query).toString();
  return search === "" ? filled : `${filled}?${search}`;
}
