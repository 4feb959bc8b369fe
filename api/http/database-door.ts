import { AsyncLocalStorage } from "node:async_hooks";

import type { RequestHandler } from "express";

import type { Context } from "../../shared/context.ts";

/** Whether a request is being answered. */
const answering = new AsyncLocalStorage<true>();

/**
 * While it is known that the database cannot be used, a request that asks for one of its connections
 * is refused at once; one that needs none is answered as ever. What the process does by itself goes
 * on trying.
 */
export function databaseDoor({ sequelize, database }: Context): RequestHandler {
  sequelize.addHook("beforePoolAcquire", "database door", () => {
    if (answering.getStore()) database.requireUsable();
  });
  return (_request, _response, next) => answering.run(true, () => next());
}
