import { accountKinds } from "./kinds/accounts.ts";
import { championKinds } from "./kinds/champions.ts";
import { characterKinds } from "./kinds/characters.ts";
import { deedKinds } from "./kinds/deeds.ts";
import { economyKinds } from "./kinds/economy.ts";
import { governorKinds } from "./kinds/governors.ts";
import { guildKinds } from "./kinds/guilds.ts";
import { houseKinds } from "./kinds/houses.ts";
import type { Kind } from "./kinds/kind.ts";
import { marketKinds } from "./kinds/market.ts";
import { pointsKinds } from "./kinds/points.ts";
import { presenceKinds } from "./kinds/presence.ts";
import { serverKinds } from "./kinds/server.ts";
import { staffKinds } from "./kinds/staff.ts";
import { worldKinds } from "./kinds/world.ts";

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
