import Joi from "joi";

import { count, key, listOf, maybe, shape, text } from "../../bridge/payload-fields.ts";
import { serial } from "../values/serial.ts";
import { type Fields, list, plain, when } from "../values/view.ts";
import { accountCharacter, character, characterView, instant } from "./fields.ts";
import { publicKind, staffKind } from "./kind.ts";
import { snapshotOf } from "./snapshot.ts";

const hasEnded = ({ phase }: Fields): boolean => phase === "ended";

const candidate = shape({ serial: serial(), name: maybe(text()), votes: maybe(count()) });

const governor = shape({ city: key(), governor: accountCharacter().allow(null) });

/** City governors and their elections. */
export const governorKinds = {
  "governor.election": publicKind(
    shape({
      city: key(),
      phase: Joi.string<"nomination" | "voting" | "ended">().valid("nomination", "voting", "ended"),
      until: maybe(instant()),
      candidates: maybe(listOf(candidate)),
    }),
    {
      feature: "governors",
      view: {
        ...plain("city", "phase", "until"),
        // A count that is seen while votes are cast would sway them.
        candidates: list({ ...plain("serial", "name"), votes: when(hasEnded) }),
      },
      push: {
        public: "governor.election",
        refOf: ({ city }) => city,
        // What comes of it is told by its result.
        isNews: ({ phase }) => phase !== "ended",
        // It is told again with each candidate.
        newsOf: ({ city, phase, until = null }) => `${city} ${phase} ${until}`,
      },
    },
  ),
  "governor.result": publicKind(
    shape({
      city: key(),
      governor: maybe(character()),
      elect: maybe(character()),
      pending: maybe(Joi.alternatives<object | boolean>(character(), Joi.boolean())),
    }),
    {
      feature: "governors",
      view: {
        ...plain("city"),
        governor: characterView,
        elect: characterView,
        pending: characterView,
      },
      push: { public: "governor.election", refOf: ({ city }) => city },
    },
  ),
  "governor.upsert": staffKind(governor, { feeds: { state: "governor", as: "upsert" } }),
  ...snapshotOf("governor", governor),
};
