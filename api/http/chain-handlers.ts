import type { NextFunction, Request, RequestHandler, Response } from "express";

/** Combines handlers into one. Express's own chaining would cost as much as the handlers do. */
export const chainHandlers = (
  ...handlers: readonly [RequestHandler, ...RequestHandler[]]
): RequestHandler =>
  handlers.reduceRight((after, handler) => (request, response, next) => {
    const goOn: NextFunction = (error?: unknown) => {
      if (error === undefined) pass(after, request, response, next);
      else next(error);
    };
    return handler(request, response, goOn);
  });

/** Passes errors on as Express does, whether they are thrown or rejected. */
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
