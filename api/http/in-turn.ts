import type { NextFunction, Request, RequestHandler, Response } from "express";

/** Handlers as one, in their order: Express's way from one to the next costs as much as they do. */
export const inTurn = (
  ...handlers: readonly [RequestHandler, ...RequestHandler[]]
): RequestHandler =>
  handlers.reduceRight((after, handler) => (request, response, next) => {
    const goOn: NextFunction = (error?: unknown) => {
      if (error === undefined) pass(after, { request, response, next });
      else next(error);
    };
    return handler(request, response, goOn);
  });

interface Passing {
  readonly request: Request;
  readonly response: Response;
  readonly next: NextFunction;
}

/** What a handler throws, at once or later, goes where Express would take it. */
function pass(handler: RequestHandler, { request, response, next }: Passing): void {
  try {
    const passed: unknown = handler(request, response, next);
    if (passed instanceof Promise) passed.catch(next);
  } catch (error) {
    next(error);
  }
}
