import Joi from "joi";

import { declareCommand } from "../../platform/bridge/calls/call.ts";
import { count, field, listOf, objectSchema, text } from "../../platform/bridge/payload-fields.ts";
import { programMessage } from "../kinds/fields.ts";
import { placementExample, placementsBody, profileExample, profilesBody } from "./npc-bodies.ts";

interface ProfilesBody {
  /** The highest revision of the sent profiles. */
  readonly revision: number;
  readonly profiles: readonly object[];
  readonly factions: readonly object[];
  /** Keys of profiles that were deleted on the site. */
  readonly remove: readonly string[];
}

const anyObject: Joi.ObjectSchema<Readonly<Record<string, unknown>>> = Joi.object();

export interface ProfilesAnswer {
  /** Profiles that the call replaced and that did not come from the site. */
  readonly replaced: readonly {
    readonly key: string;
    readonly document: Readonly<Record<string, unknown>>;
  }[];
  readonly rejected: readonly { readonly key: string; readonly reason: string }[];
}

const key = field(text(64), "Key of the profile.");

/** Replaces profiles with the same keys, and the whole table of factions. */
export const setNpcProfilesCall = declareCommand<ProfilesAnswer, { body: ProfilesBody }>({
  method: "PUT",
  path: "/v1/npc/profiles",
  answer: objectSchema({
    replaced: field(
      listOf(
        objectSchema({
          key,
          document: field(
            anyObject,
            "The previous profile, with the same fields as `profiles` in the call.",
          ),
        }),
      ),
      "Profiles that the call replaced and that the site had not sent before.",
    ),
    rejected: field(
      listOf(
        objectSchema({
          key,
          reason: field(
            programMessage(500),
            "Reason as a text for people. The site stores the first 500 characters.",
          ),
        }),
      ),
      "Profiles that the game did not accept.",
    ),
  }),
  docs: {
    about:
      "Create, replace and delete profiles of NPCs, and replace the list of factions. Leave all " +
      "profiles that the call does not name unchanged.",
    body: profilesBody,
    example: {
      body: {
        revision: 12,
        profiles: [profileExample],
        factions: [{ a: "bandits", b: "scientists", stance: "hostile" }],
        remove: ["old-boss"],
      },
      answer: { replaced: [], rejected: [] },
    },
  },
});

/** Replaces all placements of the server. */
export const setNpcPlacementsCall = declareCommand<
  { readonly spawned: readonly string[] },
  { body: { readonly placements: readonly object[] } }
>({
  method: "PUT",
  path: "/v1/npc/placements",
  answer: objectSchema({
    spawned: field(listOf(text(64)), "Names of the placements whose NPCs are in the world."),
  }),
  docs: {
    about:
      "Replace all placements of NPCs. Delete each placement that is not in the list, with its " +
      "NPCs. Then send the state `npc.placements`.",
    body: placementsBody,
    example: { body: { placements: [placementExample] }, answer: { spawned: ["Dome boss"] } },
  },
});

const name = "Name of the placement.";

/** Renames a placement. Its NPCs stay in the world. */
export const renameNpcPlacementCall = declareCommand<
  { readonly name: string },
  { params: { name: string }; body: { readonly name: string } }
>({
  method: "POST",
  path: "/v1/npc/placements/:name/rename",
  answer: objectSchema({ name: field(text(64), "New name of the placement.") }),
  docs: {
    about: "Rename a placement. Its NPCs stay in the world.",
    params: { name },
    body: objectSchema({ name: field(text(64), "New name of the placement.") }),
    codes: ["NOT_FOUND", "TAKEN"],
    example: {
      params: { name: "Dome boss" },
      body: { name: "Dome warden" },
      answer: { name: "Dome warden" },
    },
  },
});

export const respawnNpcPlacementCall = declareCommand<
  { readonly spawned: number },
  { params: { name: string } }
>({
  method: "POST",
  path: "/v1/npc/placements/:name/respawn",
  answer: objectSchema({ spawned: field(count(), "Number of NPCs that were spawned.") }),
  docs: {
    about: "Immediately spawn the missing NPCs of a placement.",
    params: { name },
    codes: ["NOT_FOUND"],
    example: { params: { name: "Dome boss" }, answer: { spawned: 1 } },
  },
});
