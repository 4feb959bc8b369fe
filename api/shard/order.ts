import type { Request, Response } from "express";

import { type Caller, callerKey } from "../../shared/platform/access/caller.ts";
import { idempotencyKeyOf } from "../../shared/platform/bridge/calls/call.ts";
import type { CharacterReader } from "../../shared/shard/players/characters.ts";
import type { CommandRequest } from "../../shared/shard/staff/commands.ts";
import type { Route } from "../http/route.ts";
import { readRequestOrigin } from "../origin/origin.ts";

interface OrderInput {
  readonly caller: Caller;
  readonly request: Request;
  readonly response: Response;
}

/** Returns the id of the request. The shard gets the same id. */
export const requestIdOf = ({ response }: Pick<OrderInput, "response">): string =>
  String(response.locals["requestId"]);

/** Creates a shard command for the request. The client's idempotency key makes it run only once. */
export function createCommandRequest({ caller, request, response }: OrderInput): CommandRequest {
  const { method, path } = response.locals["route"] as Route;
  const clientKey = request.get("idempotency-key") || undefined;
  return {
    caller,
    requestId: requestIdOf({ response }),
    idempotencyKey: idempotencyKeyOf(callerKey(caller), `${method} ${path}`, clientKey),
    address: readRequestOrigin(request).address,
  };
}

/**
 * Returns the reader of characters: an administrator on a staff path may read any account, other callers only
 * their own.
 */
export const createCharacterReader = ({ caller, response }: OrderInput): CharacterReader => ({
  caller,
  readsAny: caller.role === "admin" && isStaffPath(response.locals["route"] as Route),
  requestId: requestIdOf({ response }),
});

const isStaffPath = ({ path }: Route): boolean => path.startsWith("/api/v1/admin/");
