import { BridgeError } from "../../../shared/platform/bridge/bridge-error.ts";
import type {
  CallInput,
  CommandCall,
  FileCall,
  ReadCall,
  ReceivedFile,
} from "../../../shared/platform/bridge/calls/call.ts";
import type { ControlClient } from "../../../shared/platform/bridge/calls/control.ts";
import { refusalError } from "../../../shared/platform/bridge/refusals.ts";
import { faultsOf } from "../payloads/payload-faults.ts";
import { excerptOf, formatValueExcerpt } from "../report/excerpt.ts";
import type { Finding } from "../report/requirement.ts";

export interface CallRequest {
  readonly method: string;
  /** The path, with `:name` for each parameter. */
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: object | undefined;
}

export interface CallAnswer {
  readonly status: number;
  /** The JSON value of the body; undefined if it is not JSON. */
  readonly body: unknown;
  readonly text: string;
  /** The file in the answer, for calls that return a file. */
  readonly file?: ReceivedFile | undefined;
}

/** Makes a call to the program under test; returns undefined on timeout. */
export type CallFunction = (asked: CallRequest) => Promise<CallAnswer | undefined>;

type AnyCall = ReadCall<unknown, unknown> | CommandCall<unknown, unknown>;

export function toCallRequest({ method, path }: AnyCall, input: CallInput = {}): CallRequest {
  const query = Object.entries(input.query ?? {}).flatMap(([name, value]) =>
    value === null || value === undefined ? [] : [[name, String(value)]],
  );
  const { params = {}, body } = input;
  return { method, path, params, query: Object.fromEntries(query), body };
}

/** The result of checking an answer: it is as declared, it is a known refusal, or it is wrong. */
export type AnswerJudgement =
  | { readonly how: "good"; readonly value: unknown }
  | { readonly how: "refused"; readonly error: BridgeError }
  | { readonly how: "wrong"; readonly finding: Finding };

/** The codes that `refusalError` sets for answers that the protocol does not define. */
const unknownCodes: ReadonlySet<string> = new Set([
  "UNAVAILABLE",
  "MALFORMED",
  "UNAUTHORIZED",
  "PROTOCOL",
]);

export function judgeAnswer(made: AnyCall, answered: CallAnswer | undefined): AnswerJudgement {
  const name = `${made.method} ${made.path}`;
  if (!answered) return wrongAnswer(`an answer to ${name} in time`, "none");
  const { status, body, text } = answered;
  if (status < 200 || status > 299) {
    const error = refusalError({ status, text: bodyText(answered), retryAfter: undefined });
    if (!unknownCodes.has(error.code)) return { how: "refused", error };
    return wrongAnswer(`${name}: 2xx, or a status and code of a refusal`, `status ${status}`, text);
  }
  const { value, error } = made.answer.validate(body ?? {}, {
    convert: false,
    stripUnknown: true,
    presence: "required",
    abortEarly: false,
  });
  const [fault] = faultsOf(error);
  if (!fault) return { how: "good", value };
  const got = `${fault.path} is ${formatValueExcerpt(fault.value)}`;
  return wrongAnswer(`${name}: ${fault.message}`, got, text);
}

const wrongAnswer = (expected: string, got: string, text?: string): AnswerJudgement => ({
  how: "wrong",
  finding: { expected, got, bytes: text === undefined ? undefined : excerptOf(text) },
});

async function download({ method, path }: FileCall, ask: CallFunction): Promise<ReceivedFile> {
  const answered = await ask({ method, path, params: {}, query: {}, body: undefined });
  if (!answered) throw new BridgeError("SHARD_DOWN", { reason: "no answer in time" });
  const { status, text, file } = answered;
  if (status < 200 || status > 299) {
    throw refusalError({ status, text: bodyText(answered), retryAfter: undefined });
  }
  if (file) return file;
  throw new BridgeError("MALFORMED", { reason: `no file: ${excerptOf(text)}` });
}

const bodyText = ({ body }: CallAnswer): string => JSON.stringify(body ?? {});

/** Creates a client of the program under test for the site's import code. It supports only reads. */
export function createCheckControl(ask: CallFunction, protocol: number): ControlClient {
  return {
    protocol,
    read: async <Answer, Input extends CallInput>(
      made: ReadCall<Answer, Input>,
      input: CallInput = {},
    ): Promise<Answer> => {
      const judged = judgeAnswer(made, await ask(toCallRequest(made, input)));
      if (judged.how === "good") return judged.value as Answer;
      if (judged.how === "refused") throw judged.error;
      const { expected, got } = judged.finding;
      throw new BridgeError("MALFORMED", { reason: `${expected}; got ${got}` });
    },
    command: () => Promise.reject(new Error("a check makes no commands this way")),
    download: (made) => download(made, ask),
    close: () => undefined,
  };
}
