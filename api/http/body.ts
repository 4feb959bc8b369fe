import express, { type Request, type Response } from "express";

import { invalid } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";

const parse = express.json({
  limit: limits.bodyBytes,
  strict: false,
  type: () => true,
  inflate: false,
});

const hasBody = (request: Request): boolean =>
  request.headers["transfer-encoding"] !== undefined ||
  Number(request.headers["content-length"] ?? 0) > 0;

/**
 * Reads the JSON body, after the gate let the caller in.
 * @returns undefined when there is none
 */
export async function readBody(request: Request, response: Response): Promise<unknown> {
  if (!hasBody(request)) return undefined;
  refuseForms(request);
  await new Promise<void>((resolve, reject) => {
    parse(request, response, (error?: unknown) => {
      if (error) reject(error instanceof Error ? error : invalid("Invalid JSON"));
      else resolve();
    });
  });
  return request.body as unknown;
}

/** Refuses a body that is not JSON: a form of any page can send the other types. */
export function refuseForms(request: Request): void {
  if (!hasBody(request) || request.is(["application/json", "application/*+json"])) return;
  throw Object.assign(new Error("unsupported media type"), { type: "media.unsupported" });
}
