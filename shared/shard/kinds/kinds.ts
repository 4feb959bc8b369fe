import {
  checkPayloadAgainstSchema,
  type CheckedPayload,
} from "../../platform/bridge/check-payload.ts";
import { accountKinds } from "./accounts.ts";
import { championKinds } from "./champions.ts";
import { characterKinds } from "./characters.ts";
import { deedKinds } from "./deeds.ts";
import { economyKinds } from "./economy.ts";
import { governorKinds } from "./governors.ts";
import { guildKinds } from "./guilds.ts";
import { houseKinds } from "./houses.ts";
import type { ShardKind } from "./kind.ts";
import { marketKinds } from "./market.ts";
import { pointsKinds } from "./points.ts";
import { presenceKinds } from "./presence.ts";
import { serverKinds } from "./server.ts";
import { staffKinds } from "./staff.ts";
import { worldKinds } from "./world.ts";

/** CATALOGUE of the shard's kinds of event. Events of unknown kinds are stored and never public. */
export const kinds = {
  ...serverKinds,
  ...economyKinds,
  ...worldKinds,
  ...presenceKinds,
  ...characterKinds,
  ...accountKinds,
  ...houseKinds,
  ...marketKinds,
  ...pointsKinds,
  ...championKinds,
  ...governorKinds,
  ...guildKinds,
  ...deedKinds,
  ...staffKinds,
} satisfies Readonly<Record<string, ShardKind>>;

export type ShardKindName = keyof typeof kinds;

export type ShardPayload<Name extends ShardKindName> =
  (typeof kinds)[Name] extends ShardKind<infer Payload> ? Payload : never;

export const kindNames = Object.keys(kinds) as ShardKindName[];

/** Returns the declaration of a kind; undefined for a kind of a newer plugin. */
export const findShardKind = (name: string): ShardKind | undefined =>
  Object.hasOwn(kinds, name) ? kinds[name as ShardKindName] : undefined;

/**
 * Checks a payload against its kind and returns the form to store: serials, points and "never" are
 * normalized. The payload of an unknown kind is unchanged.
 */
export const checkPayload = (kind: string, payload: unknown): CheckedPayload =>
  checkPayloadAgainstSchema(findShardKind(kind)?.payload, payload);
