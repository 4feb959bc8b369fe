import Joi from "joi";

import { count, exactText, flag, listOf, maybe, shape, text } from "../../bridge/payload-fields.ts";
import { serial } from "../values/serial.ts";
import { gated, plain, type View } from "../values/view.ts";
import { instant, locationFields } from "./fields.ts";
import { publicKind, type PushFacts, staffKind } from "./kind.ts";
import { snapshotOf } from "./snapshot.ts";

/** The game's stages of decay, in their order. */
export const decayStages = [
  "Ageless",
  "LikeNew",
  "Slightly",
  "Somewhat",
  "Fairly",
  "Greatly",
  "IDOC",
  "Collapsed",
  "DemolitionPending",
] as const;

export type DecayStage = (typeof decayStages)[number];

export const isIdoc = ({ stage }: { readonly stage: string }): boolean => stage === "IDOC";

const stage = () => Joi.string<DecayStage>().valid(...decayStages);

const houseFields = {
  serial: serial(),
  stage: stage(),
  ...locationFields,
  name: maybe(text()),
  type: maybe(text()),
  ownerSerial: maybe(serial()),
  ownerAcct: maybe(exactText()),
  // Plugins tell who they are or how many.
  coOwners: maybe(Joi.alternatives<number | string[]>(count(), listOf(serial()))),
  public: maybe(flag()),
  price: maybe(count()),
  decayType: maybe(text()),
  builtOn: maybe(instant()),
  lastRefreshed: maybe(instant()),
  lastTraded: maybe(instant()),
  nextStageAt: maybe(instant()),
};

const house = shape(houseFields);

interface Decay {
  readonly stage: DecayStage;
  readonly from?: DecayStage | null | undefined;
  readonly to?: DecayStage | null | undefined;
}

/** The frame says from where to where; an older plugin's only where, so what we held decides. */
const isFallIntoIdoc = ({ stage: now, from, to }: Decay, { wasIdoc }: PushFacts): boolean =>
  isIdoc({ stage: to ?? now }) && !(from ? isIdoc({ stage: from }) : wasIdoc);

/** What everyone may see of a house in danger of collapsing. */
export const publicHouse: View = {
  ...plain("serial", "stage", "map", "x", "y", "z"),
  region: gated("region"),
  name: gated("name"),
};

/** Houses: only one in danger of collapsing is anybody's business but its owner's. */
export const houseKinds = {
  "house.upsert": staffKind(house, { feeds: { state: "house", as: "upsert" } }),
  "house.decay": publicKind(shape({ ...houseFields, from: maybe(stage()), to: maybe(stage()) }), {
    feature: "houses",
    isPublic: isIdoc,
    view: publicHouse,
    feeds: { state: "house", as: "merge" },
    push: {
      public: "idoc.warning",
      personal: { stream: "house.idoc", owner: "ownerAcct" },
      refOf: (decaying) => decaying.serial,
      isNews: isFallIntoIdoc,
      asksFacts: ({ from }) => !from,
    },
  }),
  "house.removed": publicKind(shape({ serial: serial(), reason: maybe(text()) }), {
    feature: "houses",
    isPublic: (_, { wasIdoc }) => wasIdoc,
    view: plain("serial", "reason"),
    feeds: {
      state: "house",
      as: "remove",
      factsOf: (removed) => ({ wasIdoc: isIdoc(removed as { stage: string }) }),
    },
  }),
  ...snapshotOf("house", house),
};
