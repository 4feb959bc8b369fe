import express, { type Request, type RequestHandler, type Response } from "express";

import { nestsDeeper } from "../../shared/platform/bridge/json-text.ts";
import { AppError } from "../../shared/platform/errors/errors.ts";
import { limits } from "../../shared/platform/limits.ts";

const parserUpTo = (limit: number) =>
  kept(`json ${limit}`, () => express.json({ ...usual, limit, strict: false }));

const textUpTo = (limit: number) => kept(`text ${limit}`, () => express.text({ ...usual, limit }));

const usual = { type: () => true, inflate: false } as const;

const parsers = new Map<string, RequestHandler>();

/** Returns the parser with this name, which is created at the first call. */
function kept(name: string, make: () => RequestHandler): RequestHandler {
  const parser = parsers.get(name) ?? make();
  parsers.set(name, parser);
  return parser;
}

export const hasBody = (request: Request): boolean =>
  request.headers["transfer-encoding"] !== undefined ||
  Number(request.headers["content-length"] ?? 0) > 0;

/** The media type of a URL-encoded form. */
export const formMediaType = "application/x-www-form-urlencoded";

/**
 * Checks the headers of a form, whose bytes the handler reads.
 * @throws AppError unsupported_media_type; body_too_large if the announced size exceeds `largest` bytes
 */
export function checkForm(request: Request, largest: number = limits.bodyBytes): void {
  const encoding = request.headers["content-encoding"] ?? "identity";
  if (!request.is(formMediaType) || encoding.toLowerCase() !== "identity") {
    throw new AppError("unsupported_media_type", `The body must be ${formMediaType}`);
  }
  if (Number(request.headers["content-length"] ?? 0) > largest) {
    throw new AppError("body_too_large", "Request body is too large");
  }
}

/**
 * Reads the JSON body once the gate has admitted the caller. Later checks are recursive, so the depth is
 * limited here.
 * @param largest the maximum size in bytes, if it differs from the default
 * @param as `text` to return the JSON text without parsing or checking it
 * @returns undefined without a body
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

/** Refuses other types than JSON, because a form of any website can send them. */
export function refuseForms(request: Request): void {
  if (!hasBody(request) || request.is(["application/json", "application/*+json"])) return;
  throw new AppError("unsupported_media_type", "The body must be application/json");
}
