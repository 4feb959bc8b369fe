import type { Request, Response } from "express";

import { TextAnswer } from "../cache/text-answer.ts";
import { Answer, alreadySentAnswer } from "./answer.ts";
import { findCookie } from "./cookies.ts";
import { matchesEtag } from "./etag.ts";

/** Sends a result. @param conditional the request, if the answer has an ETag */
export function sendResponse(
  result: Answer | TextAnswer | object | null,
  response: Response,
  conditional?: Request,
): void {
  if (result === alreadySentAnswer) return;
  if (result instanceof Answer) {
    sendAnswer(result, response);
    return;
  }
  sendText(toTextAnswer(result), response, conditional);
}

function sendAnswer({ status, body, headers, cookies }: Answer, response: Response): void {
  response.set(headers);
  for (const { name, formerName, value, options } of cookies) {
    if (value === undefined) response.clearCookie(name, options);
    else response.cookie(name, value, options);
    const hasFormer =
      formerName !== undefined && findCookie(formerName, response.req) !== undefined;
    if (hasFormer) response.clearCookie(formerName, options);
  }
  response.status(status);
  if (body === null && status !== 200) response.end();
  else sendText(toTextAnswer(body), response);
}

/** Sends a text without Express, which would compute the type, length and freshness of every answer. */
export function sendText(answer: TextAnswer, response: Response, conditional?: Request): void {
  if (conditional) {
    response.setHeader("ETag", answer.etag);
    if (matchesEtag(answer.etag, conditional)) {
      response.status(304).end();
      return;
    }
  }
  response.setHeader("Content-Type", answer.contentType);
  response.end(answer.content);
}

/** Converts a body to JSON, unless it is a text already. */
export const toTextAnswer = (body: unknown): TextAnswer =>
  body instanceof TextAnswer ? body : new TextAnswer("application/json", JSON.stringify(body));
