import Joi from "joi";

import { command } from "../../bridge/call.ts";
import { count, listOf, shape, text } from "../../bridge/payload-fields.ts";
import { said } from "../kinds/fields.ts";

interface ProfilesBody {
  /** The highest revision that is sent. */
  readonly revision: number;
  readonly profiles: readonly object[];
  readonly factions: readonly object[];
  /** Keys of profiles that the site has no more. */
  readonly remove: readonly string[];
}

const anyObject: Joi.ObjectSchema<Readonly<Record<string, unknown>>> = Joi.object();

export interface ProfilesAnswer {
  /** What stood there and did not come from the site. */
  readonly replaced: readonly {
    readonly key: string;
    readonly document: Readonly<Record<string, unknown>>;
  }[];
  readonly rejected: readonly { readonly key: string; readonly reason: string }[];
}

/** Profiles take the place of those of their keys; factions are the whole table. */
export const setNpcProfiles = command<ProfilesAnswer, { body: ProfilesBody }>({
  method: "PUT",
  path: "/v1/npc/profiles",
  answer: shape({
    replaced: listOf(shape({ key: text(64), document: anyObject })),
    rejected: listOf(shape({ key: text(64), reason: said(500) })),
  }),
});

/** All placements of the server: what is not on the list goes. */
export const setNpcPlacements = command<
  { readonly spawned: readonly string[] },
  { body: { readonly placements: readonly object[] } }
>({
  method: "PUT",
  path: "/v1/npc/placements",
  answer: shape({ spawned: listOf(text(64)) }),
});

/** Keeps the NPCs that stand there. */
export const renameNpcPlacement = command<
  { readonly name: string },
  { params: { name: string }; body: { readonly name: string } }
>({
  method: "POST",
  path: "/v1/npc/placements/:name/rename",
  answer: shape({ name: text(64) }),
});

/** Fills a placement up at once. */
export const respawnNpcPlacement = command<
  { readonly spawned: number },
  { params: { name: string } }
>({
  method: "POST",
  path: "/v1/npc/placements/:name/respawn",
  answer: shape({ spawned: count() }),
});
