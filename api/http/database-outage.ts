import { AsyncLocalStorage } from "node:async_hooks";

import type { RequestHandler } from "express";

import type { Context } from "../../shared/platform/context.ts";

const answering = new AsyncLocalStorage<true>();

/** Returns true if the current code runs on behalf of a request. */
export const isHandlingRequest = (): boolean => answering.getStore() === true;

/** Refuses requests that need the database during a known outage. The process's own work keeps trying. */
export function refuseDuringOutage({ sequelize, database }: Context): RequestHandler {
  sequelize.addHook("beforePoolAcquire", "database door", () => {
    if (isHandlingRequest()) database.requireAvailable();
  });
  return (_request, _response, next) => answering.run(true, () => next());
}
