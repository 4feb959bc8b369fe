import Joi from "joi";

import {
  count,
  field,
  key,
  listOf,
  maybe,
  shape,
  text,
} from "../../platform/bridge/payload-fields.ts";
import { serial } from "../../platform/bridge/serial.ts";
import { type Fields, list, plain, when } from "../visibility/view.ts";
import {
  accountCharacter,
  birch,
  character,
  characterView,
  exampleTime,
  hourMs,
  instant,
  maple,
} from "./fields.ts";
import { publicKind, staffKind } from "./kind.ts";
import { snapshotOf } from "./snapshot.ts";

const hasEnded = ({ phase }: Fields): boolean => phase === "ended";

const city = field(key(), "Name of the city, such as `Britain`.");

const candidate = shape({
  serial: field(serial(), "Serial of the character."),
  name: field(maybe(text()), "Name of the character."),
  votes: field(
    maybe(count()),
    "Number of votes so far. The public sees it only after the end of the election.",
  ),
});

const governor = shape({
  city,
  governor: field(
    accountCharacter().allow(null),
    "Governor of the city. Null if the city has none.",
  ),
});

const governorOfBritain = { city: "Britain", governor: { ...birch, acct: "birch" } };

export const governorKinds = {
  "governor.election": publicKind(
    shape({
      city,
      phase: field(
        Joi.string<"nomination" | "voting" | "ended">().valid("nomination", "voting", "ended"),
        "Phase of the election.",
      ),
      until: field(maybe(instant()), "End of the phase, in epoch milliseconds."),
      candidates: field(maybe(listOf(candidate)), "Candidates of the election."),
    }),
    {
      about: "An election in a city reached another phase, or a candidate was added.",
      example: {
        city: "Britain",
        phase: "voting",
        until: exampleTime + 48 * hourMs,
        candidates: [
          { ...maple, votes: 12 },
          { ...birch, votes: 9 },
        ],
      },
      feature: "governors",
      view: {
        ...plain("city", "phase", "until"),
        // Votes stay hidden until the end, because a visible count would influence the election.
        candidates: list({ ...plain("serial", "name"), votes: when(hasEnded) }),
      },
      push: {
        public: "governor.election",
        subjectOf: ({ city: of }) => of,
        // The end of an election is pushed by `governor.result`.
        isPushed: ({ phase }) => phase !== "ended",
        // The game repeats this event for each new candidate.
        dedupeKeyOf: ({ city: of, phase, until = null }) => `${of} ${phase} ${until}`,
      },
    },
  ),
  "governor.result": publicKind(
    shape({
      city,
      governor: field(maybe(character()), "Governor in office. Null if there is none."),
      elect: field(
        maybe(character()),
        "Winner of the election who has not accepted the office yet. Null if there is none.",
      ),
      pending: field(
        maybe(Joi.alternatives<object | boolean>(character(), Joi.boolean())),
        "Character who must still accept the office, or only whether there is one (`true` or " +
          "`false`).",
      ),
    }),
    {
      about: "An election in a city ended, or the governor of a city changed.",
      example: { city: "Britain", governor: birch, elect: null, pending: maple },
      feature: "governors",
      view: {
        ...plain("city"),
        governor: characterView,
        elect: characterView,
        pending: characterView,
      },
      push: { public: "governor.election", subjectOf: ({ city: of }) => of },
    },
  ),
  "governor.upsert": staffKind(governor, {
    about: "Reports the current governor of a city. Send it when the governor changes.",
    example: governorOfBritain,
    feeds: { state: "governor", as: "upsert" },
  }),
  ...snapshotOf("governor", governor, {
    of: "the governors of all cities",
    row: governorOfBritain,
  }),
};
