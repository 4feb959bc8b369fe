import { statusByErrorKind } from "../../../api/http/errors.ts";
import { type ErrorCode, errorCodes } from "../../../shared/platform/errors/error-codes.ts";
import { faultOfHeaders } from "./closed-headers.ts";
import { causeOf } from "./failures.ts";

export interface AnswerToCheck {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export interface Leniency {
  /** True if the test expects the status 500. */
  readonly mayFail?: boolean | undefined;
  /** True if the answer has no description, because the test itself or another release sends it. */
  readonly isUndescribed?: boolean | undefined;
}

/**
 * Compares an answer with the API description.
 * @throws if they differ; for an unexpected 500, the error contains its cause
 */
export function checkAnswer(
  url: string,
  method: string,
  answer: AnswerToCheck,
  leniency: Leniency = {},
): void {
  const { pathname, search } = new URL(url);
  const { status, text } = answer;
  const headerFault = leniency.isUndescribed ? undefined : faultOfHeaders(answer.headers);
  const fault = faultOf(new URL(url), method, answer, leniency) ?? headerFault;
  if (fault === undefined) return;
  const [asked, told] = [`${method} ${pathname}${search}`, text.slice(0, 1_000)];
  throw new Error(`${asked} answered ${status}, and ${fault}\n${told}`);
}

function faultOf(
  { origin, pathname, search }: URL,
  method: string,
  { status, headers, text }: AnswerToCheck,
  { mayFail = false, isUndescribed = false }: Leniency,
): string | undefined {
  if (status === 500 && !mayFail && !pathname.startsWith(pathsOfTests)) {
    return `the service logged:\n${causeOf(origin, headers.get("x-request-id"))}`;
  }
  const errorCode = headers.get("x-error-code") ?? undefined;
  if (status >= 400 && !isCodeOf(errorCode, status)) return `its error code is ${errorCode}`;
  if (isUndescribed) return undefined;
  const contentType = headers.get("content-type") ?? undefined;
  const path = pathname + search;
  const given = { method, path, status, contentType, errorCode, text };
  return globalThis.faultOfAnswer?.(given);
}

/** The beginning of the paths that tests add, for example for routes that fail or are slow. */
const pathsOfTests = "/api/v1/test/";

/** Returns true if a refusal has an error code that may have this status. */
const isCodeOf = (code: string | undefined, status: number): boolean =>
  code !== undefined &&
  Object.hasOwn(errorCodes, code) &&
  statusByErrorKind[errorCodes[code as ErrorCode].kind] === status;
