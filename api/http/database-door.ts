import { AsyncLocalStorage } from "node:async_hooks";

import type { RequestHandler } from "express";

import type { Context } from "../../shared/platform/context.ts";

const answering = new AsyncLocalStorage<true>();

/** Whether what runs here was begun by a request, which is being answered. */
export const isAnswering = (): boolean => answering.getStore() === true;

/**
 * While it is known that the database cannot be used, a request that asks for one of its connections
 * is refused at once; one that needs none is answered as ever. What the process does by itself goes
 * on trying.
 */
export function databaseDoor({ sequelize, database }: Context): RequestHandler {
  sequelize.addHook("beforePoolAcquire", "database door", () => {
    if (isAnswering()) database.requireUsable();
  });
  return (_request, _response, next) => answering.run(true, () => next());
}
