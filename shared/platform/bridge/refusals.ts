import { type BridgeCode, BridgeError } from "./bridge-error.ts";
import { type JsonObject, parseObject, toStorableJson, toStorableText } from "./json-text.ts";

export interface CallRefusal {
  readonly status: number;
  readonly text: string;
  readonly retryAfter: string | undefined;
}

/** CATALOGUE of the codes with which a game may refuse a call, each with its status and meaning. */
export const callRefusals = {
  INVALID: {
    status: 400,
    means:
      "A field of the body is invalid. The body of the refusal also contains `field`, the name " +
      "of the field, and `reason`, a text for people.",
  },
  PROTECTED: { status: 403, means: "The game account belongs to the game's staff." },
  WRITES_DISABLED: { status: 403, means: "The game currently accepts no writes from the site." },
  SIGNUP_CLOSED: {
    status: 403,
    means: "The game does not let users of the site create game accounts.",
  },
  NOT_FOUND: {
    status: 404,
    means: "The account, character or other object that the call names does not exist.",
  },
  TAKEN: {
    status: 409,
    means:
      "The name is already in use, the game account is linked to another user, or the player is " +
      "already banned.",
  },
  CONFLICT: {
    status: 409,
    means:
      "The idempotency key was used for another call, other parameters or another body. For `PUT " +
      "/v1/config/:plugin`: the file is not the one that `baseHash` names.",
  },
  PROTOCOL: {
    status: 409,
    means: "The sidecar does not support the site's protocol version.",
  },
  BUSY: {
    status: 409,
    means: "The game is reading the files of the source. The import fails and can be repeated.",
  },
  UNSUPPORTED: {
    status: 422,
    means: "The plugin or sidecar does not have this call, or the game cannot carry it out.",
  },
  DISABLED: { status: 422, means: "The game server's configuration turns this call off." },
  NO_SOURCE: { status: 422, means: "The game server has no files for this source." },
  NO_IMAGING: { status: 422, means: "The game server's machine cannot create pictures." },
  NO_IMAGE: { status: 422, means: "The requested picture does not exist." },
  LIMIT: {
    status: 429,
    means: "A limit of the game is reached, such as the number of accounts of one IP address.",
  },
  SHARD_DOWN: {
    status: 503,
    means: "The game currently cannot carry out the call, and has not changed anything.",
  },
} as const satisfies {
  readonly [Code in BridgeCode]?: { readonly status: number; readonly means: string };
};

export type CallRefusalCode = keyof typeof callRefusals;

interface RefusableCall {
  readonly isCommand: boolean;
  readonly docs?: { readonly body?: unknown; readonly codes?: readonly CallRefusalCode[] };
}

/** Returns the refusal codes of a call: the call's own codes, and the codes of all reads or of all commands. */
export const listRefusalCodes = ({
  isCommand,
  docs: { body, codes = [] } = {},
}: RefusableCall): CallRefusalCode[] => [
  ...(body === undefined ? [] : (["INVALID"] as const)),
  ...codes,
  ...(isCommand ? (["CONFLICT", "WRITES_DISABLED"] as const) : []),
  "UNSUPPORTED",
  "SHARD_DOWN",
];

/** Returns the error for an answer with a status other than 2xx. */
export function refusalError({ status, text, retryAfter }: CallRefusal): BridgeError {
  const parsed = parseObject(text);
  const body = parsed ? toStorableJson(parsed, text) : {};
  const code = codeOf(status, body);
  const reason = readReason(status, body);
  const answered = status;
  if (code === "INVALID") return invalidError(body, { reason, answered });
  if (code !== "LIMIT" && code !== "SHARD_DOWN") {
    return new BridgeError(code, { reason, answered, helper: textField(body, "helper") });
  }
  const seconds = /^\d{1,5}$/.test(retryAfter ?? "") ? Number(retryAfter) : 10;
  return new BridgeError(code, { reason, answered, retryAfter: Math.max(1, seconds) });
}

/** Returns a text for administrators about an answer with a status other than 2xx. */
export function describeRefusal(status: number, text: string): string {
  const parsed = parseObject(text);
  return readReason(status, parsed ? toStorableJson(parsed, text) : {});
}

export const describeProtocolMismatch = (theirs: number, ours: number): string =>
  `the sidecar speaks protocol ${theirs}, this link is set to ${ours}`;

function readReason(status: number, body: JsonObject): string {
  const { code, server, client } = body;
  if (status === 401) return "the sidecar refused the token";
  if (status === 423) return "another client holds the stream";
  if (code === "PROTOCOL" && Number.isInteger(server) && Number.isInteger(client)) {
    return describeProtocolMismatch(Number(server), Number(client));
  }
  return textField(body, "reason") ?? `the sidecar answered ${status}`;
}

function codeOf(status: number, { code }: JsonObject): BridgeCode {
  if (status === 401) return "UNAUTHORIZED";
  const known = (Object.keys(callRefusals) as CallRefusalCode[]).find((each) => each === code);
  if (known && callRefusals[known].status === status) return known;
  // If the status is below 500 and the catalogue lacks the code, the answer is not from a sidecar.
  return status >= 500 ? "UNAVAILABLE" : "MALFORMED";
}

interface RefusalDetails {
  readonly reason: string;
  readonly answered: number;
}

function invalidError(body: JsonObject, { reason, answered }: RefusalDetails): BridgeError {
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
  return toStorableText(value.slice(0, 256));
}
