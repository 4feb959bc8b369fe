import { type BridgeCode, BridgeError } from "./bridge-error.ts";
import { type JsonObject, parseObject, storable, storableText } from "./json-text.ts";

export interface Refusal {
  readonly status: number;
  readonly text: string;
  /** The `Retry-After` header. */
  readonly retryAfter: string | undefined;
}

/** CATALOGUE of refusals: which codes a sidecar may give with which status. */
const codesOf: Readonly<Record<number, readonly BridgeCode[]>> = {
  400: ["INVALID"],
  403: ["PROTECTED", "WRITES_DISABLED", "SIGNUP_CLOSED"],
  404: ["NOT_FOUND"],
  409: ["TAKEN", "CONFLICT", "PROTOCOL", "BUSY"],
  422: ["UNSUPPORTED", "DISABLED", "NO_SOURCE", "NO_IMAGING", "NO_IMAGE"],
  429: ["LIMIT"],
  503: ["SHARD_DOWN"],
};

/** What an answer other than 2xx means. */
export function refusalError({ status, text, retryAfter }: Refusal): BridgeError {
  const parsed = parseObject(text);
  const body = parsed ? storable(parsed, text) : {};
  const code = codeOf(status, body);
  const reason = reasonIn(status, body);
  const answered = status;
  if (code === "INVALID") return invalidError(body, { reason, answered });
  if (code !== "LIMIT" && code !== "SHARD_DOWN") {
    return new BridgeError(code, { reason, answered, helper: textField(body, "helper") });
  }
  const seconds = /^\d{1,5}$/.test(retryAfter ?? "") ? Number(retryAfter) : 10;
  return new BridgeError(code, { reason, answered, retryAfter: Math.max(1, seconds) });
}

/** The sentence an operator is shown for an answer other than 2xx. */
export function refusalReason(status: number, text: string): string {
  const parsed = parseObject(text);
  return reasonIn(status, parsed ? storable(parsed, text) : {});
}

export const protocolMismatch = (theirs: number, ours: number): string =>
  `the sidecar speaks protocol ${theirs}, this link is set to ${ours}`;

function reasonIn(status: number, body: JsonObject): string {
  const { code, server, client } = body;
  if (status === 401) return "the sidecar refused the token";
  if (status === 423) return "another client holds the stream";
  if (code === "PROTOCOL" && Number.isInteger(server) && Number.isInteger(client)) {
    return protocolMismatch(Number(server), Number(client));
  }
  return textField(body, "reason") ?? `the sidecar answered ${status}`;
}

function codeOf(status: number, { code }: JsonObject): BridgeCode {
  if (status === 401) return "UNAUTHORIZED";
  const known = codesOf[status]?.find((each) => each === code);
  // A status and code that the catalogue lacks, and that is no failure of a server, is no sidecar's.
  return known ?? (status >= 500 ? "UNAVAILABLE" : "MALFORMED");
}

interface Said {
  readonly reason: string;
  readonly answered: number;
}

function invalidError(body: JsonObject, { reason, answered }: Said): BridgeError {
  const field = textField(body, "field");
  return new BridgeError("INVALID", {
    reason,
    answered,
    fault: field === undefined ? undefined : { path: field, message: reason },
  });
}

function textField(body: JsonObject, name: string): string | undefined {
  const value = body[name];
  if (typeof value !== "string" || value === "") return undefined;
  return storableText(value.slice(0, 256));
}
