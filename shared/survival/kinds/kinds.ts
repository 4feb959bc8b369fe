import { clanKinds } from "./clans.ts";
import type { SurvivalKind } from "./kind.ts";
import { leaseKinds } from "./leases.ts";
import { mapKinds } from "./map.ts";
import { npcKinds } from "./npcs.ts";
import { permissionKinds } from "./permissions.ts";
import { playerKinds } from "./players.ts";
import { serverKinds } from "./server.ts";

/** CATALOGUE of the kinds of frames. A frame of any other kind is stored for staff. */
export const survivalFrameKinds = {
  ...serverKinds,
  ...playerKinds,
  ...clanKinds,
  ...mapKinds,
  ...permissionKinds,
  ...npcKinds,
  ...leaseKinds,
} satisfies Readonly<Record<string, SurvivalKind>>;

export type SurvivalKindName = keyof typeof survivalFrameKinds;

/** The payload type of a kind, after validation. */
export type SurvivalPayload<Name extends SurvivalKindName> =
  (typeof survivalFrameKinds)[Name] extends SurvivalKind<infer Payload> ? Payload : never;

/** Returns the declaration of a kind; undefined for an unknown kind of a newer plugin. */
export const findSurvivalKind = (name: string): SurvivalKind | undefined =>
  Object.hasOwn(survivalFrameKinds, name)
    ? survivalFrameKinds[name as SurvivalKindName]
    : undefined;
