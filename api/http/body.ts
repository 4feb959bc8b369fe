import express, { type Request, type RequestHandler, type Response } from "express";

import { nestsDeeper } from "../../shared/platform/bridge/json-text.ts";
import { AppError } from "../../shared/platform/errors/errors.ts";
import { limits } from "../../shared/platform/limits.ts";

const parserUpTo = (limit: number) =>
  kept(`json ${limit}`, () => express.json({ ...usual, limit, strict: false }));

const textUpTo = (limit: number) => kept(`text ${limit}`, () => express.text({ ...usual, limit }));

const usual = { type: () => true, inflate: false } as const;

const parsers = new Map<string, RequestHandler>();

/** Each parser is made once. */
function kept(name: string, make: () => RequestHandler): RequestHandler {
  const parser = parsers.get(name) ?? make();
  parsers.set(name, parser);
  return parser;
}

export const hasBody = (request: Request): boolean =>
  request.headers["transfer-encoding"] !== undefined ||
  Number(request.headers["content-length"] ?? 0) > 0;

/**
 * Reads the JSON body, after the gate let the caller in. Every check of a body that follows calls itself
 * for each level, so a body that nests too deep is refused here.
 * @param largest bytes it may have, where that is not what others may
 * @param as `text` for the text of the JSON, which is neither parsed nor checked
 * @returns undefined when there is none
 * @throws AppError 400 beyond `limits.jsonDepth` levels
 */
export async function readBody(
  request: Request,
  response: Response,
  largest: number = limits.bodyBytes,
  as: "json" | "text" = "json",
): Promise<unknown> {
  if (!hasBody(request)) return undefined;
  refuseForms(request);
  const parse = as === "text" ? textUpTo(largest) : parserUpTo(largest);
  await new Promise<void>((resolve, reject) => {
    parse(request, response, (error?: unknown) => {
      if (error) {
        reject(error instanceof Error ? error : new AppError("malformed_body", "Invalid JSON"));
      } else resolve();
    });
  });
  const body: unknown = request.body;
  if (as === "json" && nestsDeeper(body, limits.jsonDepth)) {
    throw new AppError("malformed_body", `The body is nested deeper than ${limits.jsonDepth}`);
  }
  return body;
}

/** Refuses a body that is not JSON: a form of any page can send the other types. */
export function refuseForms(request: Request): void {
  if (!hasBody(request) || request.is(["application/json", "application/*+json"])) return;
  throw new AppError("unsupported_media_type", "The body must be application/json");
}
