import type { NextFunction, Request, RequestHandler, Response } from "express";

/** Handlers as one, in their order: Express's way from one to the next costs as much as they do. */
export const inTurn = (
  ...handlers: readonly [RequestHandler, ...RequestHandler[]]
): RequestHandler =>
  handlers.reduceRight((after, handler) => (request, response, next) => {
    const goOn: NextFunction = (error?: unknown) => {
      if (error === undefined) pass(after, request, response, next);
      else next(error);
    };
    return handler(request, response, goOn);
  });

/** What a handler throws, at once or later, goes where Express would take it. */
function pass(
  handler: RequestHandler,
  request: Request,
  response: Response,
  next: NextFunction,
): void {
  try {
    const passed: unknown = handler(request, response, next);
    if (passed instanceof Promise) void tellFailure(passed, next);
  } catch (error) {
    next(error);
  }
}

async function tellFailure(passed: Promise<unknown>, next: NextFunction): Promise<void> {
  try {
    await passed;
  } catch (error) {
    next(error);
  }
}
