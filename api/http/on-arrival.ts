import type { Request, RequestHandler, Response } from "express";

/** Something that is done to every request, whatever becomes of it. */
export type ArrivalStep = (request: Request, response: Response) => void;

/** All of them as one handler, in their order: Express's way from one to the next costs as much as they do. */
export const onArrival =
  (...steps: readonly ArrivalStep[]): RequestHandler =>
  (request, response, next) => {
    for (const step of steps) step(request, response);
    next();
  };
