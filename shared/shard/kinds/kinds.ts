import { checkAgainst, type CheckedPayload } from "../../platform/bridge/check-payload.ts";
import { accountKinds } from "./accounts.ts";
import { championKinds } from "./champions.ts";
import { characterKinds } from "./characters.ts";
import { deedKinds } from "./deeds.ts";
import { economyKinds } from "./economy.ts";
import { governorKinds } from "./governors.ts";
import { guildKinds } from "./guilds.ts";
import { houseKinds } from "./houses.ts";
import type { Kind } from "./kind.ts";
import { marketKinds } from "./market.ts";
import { pointsKinds } from "./points.ts";
import { presenceKinds } from "./presence.ts";
import { serverKinds } from "./server.ts";
import { staffKinds } from "./staff.ts";
import { worldKinds } from "./world.ts";

/** CATALOGUE of the shard's kinds of event; one that is not here is stored and never public. */
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
} satisfies Readonly<Record<string, Kind>>;

export type KindName = keyof typeof kinds;

/** What a kind's payload holds once checked. */
export type PayloadOf<Name extends KindName> =
  (typeof kinds)[Name] extends Kind<infer Payload> ? Payload : never;

export const kindNames = Object.keys(kinds) as KindName[];

/** The declaration of a kind; undefined for one that a newer plugin brought. */
export const findKind = (name: string): Kind | undefined =>
  Object.hasOwn(kinds, name) ? kinds[name as KindName] : undefined;

/**
 * Checks a payload against its kind. The answer is what is stored: serials, points and "never" in
 * their one spelling. An unknown kind passes as it is.
 */
export const checkPayload = (kind: string, payload: unknown): CheckedPayload =>
  checkAgainst(findKind(kind)?.payload, payload);
