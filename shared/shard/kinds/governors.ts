import Joi from "joi";

import {
  count,
  field,
  rowKey,
  listOf,
  nullish,
  objectSchema,
  text,
} from "../../platform/bridge/payload-fields.ts";
import { serialField } from "../../platform/bridge/serial.ts";
import { type PayloadFields, listView, plainViews, conditionalView } from "../visibility/view.ts";
import {
  accountCharacter,
  birchCharacter,
  character,
  characterView,
  exampleTime,
  hourMs,
  epochMsField,
  mapleCharacter,
} from "./fields.ts";
import { definePublicKind, defineStaffKind } from "./kind.ts";
import { defineSnapshotKinds } from "./snapshot.ts";

const hasEnded = ({ phase }: PayloadFields): boolean => phase === "ended";

const city = field(rowKey(), "Name of the city, such as `Britain`.");

const candidate = objectSchema({
  serial: field(serialField(), "Serial of the character."),
  name: field(nullish(text()), "Name of the character."),
  votes: field(
    nullish(count()),
    "Number of votes so far. The public sees the number only after the end of the election.",
  ),
});

const governor = objectSchema({
  city,
  governor: field(
    accountCharacter().allow(null),
    "Governor of the city. Null if the city has no governor.",
  ),
});

const governorOfBritain = { city: "Britain", governor: { ...birchCharacter, acct: "birch" } };

export const governorKinds = {
  "governor.election": definePublicKind(
    objectSchema({
      city,
      phase: field(
        Joi.string<"nomination" | "voting" | "ended">().valid("nomination", "voting", "ended"),
        "Phase of the election.",
      ),
      until: field(nullish(epochMsField()), "End of the phase, in epoch milliseconds."),
      candidates: field(nullish(listOf(candidate)), "Candidates of the election."),
    }),
    {
      about: "An election in a city reached another phase, or a candidate was added.",
      example: {
        city: "Britain",
        phase: "voting",
        until: exampleTime + 48 * hourMs,
        candidates: [
          { ...mapleCharacter, votes: 12 },
          { ...birchCharacter, votes: 9 },
        ],
      },
      feature: "governors",
      view: {
        ...plainViews("city", "phase", "until"),
        // Votes stay hidden until the end, because a visible count would influence the election.
        candidates: listView({ ...plainViews("serial", "name"), votes: conditionalView(hasEnded) }),
      },
      push: {
        public: "governor.election",
        subjectOf: ({ city: of }) => of,
        // Do not push the end of an election, because the event `governor.result` is pushed.
        isPushed: ({ phase }) => phase !== "ended",
        // The game repeats this event for each new candidate.
        dedupeKeyOf: ({ city: of, phase, until = null }) => `${of} ${phase} ${until}`,
      },
    },
  ),
  "governor.result": definePublicKind(
    objectSchema({
      city,
      governor: field(
        nullish(character()),
        "Governor in office. Null if the city has no governor.",
      ),
      elect: field(
        nullish(character()),
        "Winner of the election who has not accepted the office yet. Null if there is no such " +
          "winner.",
      ),
      pending: field(
        nullish(Joi.alternatives<object | boolean>(character(), Joi.boolean())),
        "Character who must still accept the office, or only whether there is such a character " +
          "(`true` or `false`).",
      ),
    }),
    {
      about: "An election in a city ended, or the governor of a city changed.",
      example: { city: "Britain", governor: birchCharacter, elect: null, pending: mapleCharacter },
      feature: "governors",
      view: {
        ...plainViews("city"),
        governor: characterView,
        elect: characterView,
        pending: characterView,
      },
      push: { public: "governor.election", subjectOf: ({ city: of }) => of },
    },
  ),
  "governor.upsert": defineStaffKind(governor, {
    about: "Reports the current governor of a city. Send it when the governor changes.",
    example: governorOfBritain,
    feeds: { state: "governor", as: "upsert" },
  }),
  ...defineSnapshotKinds("governor", governor, {
    of: "the governors of all cities",
    row: governorOfBritain,
  }),
};
