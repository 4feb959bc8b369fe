import express, { type Request, type Response } from "express";

import { nestsDeeper } from "../../shared/bridge/json-text.ts";
import { AppError } from "../../shared/errors.ts";
import { limits } from "../../shared/limits.ts";

const parserUpTo = (limit: number) =>
  express.json({ limit, strict: false, type: () => true, inflate: false });

const parseUsual = parserUpTo(limits.bodyBytes);

export const hasBody = (request: Request): boolean =>
  request.headers["transfer-encoding"] !== undefined ||
  Number(request.headers["content-length"] ?? 0) > 0;

/**
 * Reads the JSON body, after the gate let the caller in. Every check of a body that follows calls itself
 * for each level, so a body that nests too deep is refused here.
 * @param largest bytes it may have, where that is not what others may
 * @returns undefined when there is none
 * @throws AppError 400 beyond `limits.jsonDepth` levels
 */
export async function readBody(
  request: Request,
  response: Response,
  largest?: number,
): Promise<unknown> {
  if (!hasBody(request)) return undefined;
  refuseForms(request);
  const parse = largest === undefined ? parseUsual : parserUpTo(largest);
  await new Promise<void>((resolve, reject) => {
    parse(request, response, (error?: unknown) => {
      if (error) {
        reject(error instanceof Error ? error : new AppError("malformed_body", "Invalid JSON"));
      } else resolve();
    });
  });
  const body: unknown = request.body;
  if (nestsDeeper(body, limits.jsonDepth)) {
    throw new AppError("malformed_body", `The body is nested deeper than ${limits.jsonDepth}`);
  }
  return body;
}

/** Refuses a body that is not JSON: a form of any page can send the other types. */
export function refuseForms(request: Request): void {
  if (!hasBody(request) || request.is(["application/json", "application/*+json"])) return;
  throw new AppError("unsupported_media_type", "The body must be application/json");
}
