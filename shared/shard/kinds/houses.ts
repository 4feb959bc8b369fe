import Joi from "joi";

import {
  count,
  verbatimText,
  field,
  flag,
  listOf,
  nullish,
  objectSchema,
  text,
} from "../../platform/bridge/payload-fields.ts";
import { serialField } from "../../platform/bridge/serial.ts";
import { gatedView, plainViews, type PayloadView } from "../visibility/view.ts";
import {
  birchCharacter,
  exampleTime,
  hourMs,
  epochMsField,
  locationFields,
  mapleCharacter,
  wildernessLocation,
} from "./fields.ts";
import { definePublicKind, type PushRuleContext, defineStaffKind } from "./kind.ts";
import { defineSnapshotKinds } from "./snapshot.ts";

/** The game's stages of decay, in order. */
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
  serial: field(serialField(), "Serial of the house."),
  stage: field(stage(), "Stage of decay. `IDOC` means that the house is in danger of collapsing."),
  ...locationFields,
  name: field(nullish(text()), "Text on the sign of the house."),
  type: field(nullish(text()), "Type of the house in the game, such as `TwoStoryVilla`."),
  ownerSerial: field(nullish(serialField()), "Serial of the owner's character."),
  ownerAcct: field(nullish(verbatimText()), "Game account of the owner."),
  // Some plugins send the list, others only the number.
  coOwners: field(
    nullish(Joi.alternatives<number | string[]>(count(), listOf(serialField()))),
    "Co-owners: either their number, or a list of the serials of their characters.",
  ),
  public: field(nullish(flag()), "Whether everyone may enter the house."),
  price: field(nullish(count()), "Value of the house in gold."),
  decayType: field(nullish(text()), "How the house decays, such as `ManualRefresh`."),
  builtOn: field(nullish(epochMsField()), "When the house was placed, in epoch milliseconds."),
  lastRefreshed: field(
    nullish(epochMsField()),
    "When the house was last refreshed, in epoch milliseconds.",
  ),
  lastTraded: field(
    nullish(epochMsField()),
    "When the owner of the house last changed, in epoch milliseconds. Null for never.",
  ),
  nextStageAt: field(
    nullish(epochMsField()),
    "When the next stage of decay begins, in epoch milliseconds.",
  ),
};

const house = objectSchema(houseFields);

const villa = {
  serial: "0x40012B00",
  stage: "IDOC" as const,
  ...wildernessLocation,
  name: "An Unnamed House",
  type: "TwoStoryVilla",
  ownerSerial: mapleCharacter.serial,
  ownerAcct: "maple",
  coOwners: [birchCharacter.serial],
  public: false,
  price: 152_800,
  decayType: "ManualRefresh",
  builtOn: exampleTime - 9_000 * hourMs,
  lastRefreshed: exampleTime - 120 * hourMs,
  lastTraded: null,
  nextStageAt: exampleTime + 18 * hourMs,
};

interface Decay {
  readonly stage: DecayStage;
  readonly from?: DecayStage | null | undefined;
  readonly to?: DecayStage | null | undefined;
}

/** True if the house has just become IDOC. Older plugins omit `from`; then the stored stage is the previous one. */
const hasBecomeIdoc = ({ stage: now, from, to }: Decay, { wasIdoc }: PushRuleContext): boolean =>
  isIdoc({ stage: to ?? now }) && !(from ? isIdoc({ stage: from }) : wasIdoc);

/** The public fields of a house in danger of collapsing. */
export const publicHouseView: PayloadView = {
  ...plainViews("serial", "stage", "map", "x", "y", "z"),
  region: gatedView("region"),
  name: gatedView("name"),
};

/** Events of houses. Only those of a house in danger of collapsing are public. */
export const houseKinds = {
  "house.upsert": defineStaffKind(house, {
    about: "Reports the current data of a house. Send it when a house is placed or changes.",
    example: { ...villa, stage: "Greatly" },
    feeds: { state: "house", as: "upsert" },
  }),
  "house.decay": definePublicKind(
    objectSchema({
      ...houseFields,
      from: field(nullish(stage()), "Previous stage of decay."),
      to: field(nullish(stage()), "New stage of decay: the same as `stage`."),
    }),
    {
      about:
        "A house reached another stage of decay. The public sees only events with the stage " +
        "`IDOC`.",
      example: { ...villa, from: "Greatly", to: "IDOC" },
      feature: "houses",
      isPublic: isIdoc,
      view: publicHouseView,
      feeds: { state: "house", as: "merge" },
      push: {
        public: "idoc.warning",
        personal: { stream: "house.idoc", owner: "ownerAcct" },
        subjectOf: (decaying) => decaying.serial,
        isPushed: hasBecomeIdoc,
        needsFacts: ({ from }) => !from,
      },
    },
  ),
  "house.removed": definePublicKind(
    objectSchema({
      serial: field(serialField(), "Serial of the house."),
      reason: field(
        nullish(text()),
        "Why the house was removed: `collapsed`, `demolished` or `traded`.",
      ),
    }),
    {
      about:
        "A house no longer exists. The public sees the event only if the house was at the stage " +
        "`IDOC`.",
      example: { serial: villa.serial, reason: "collapsed" },
      feature: "houses",
      isPublic: (_, { wasIdoc }) => wasIdoc,
      view: plainViews("serial", "reason"),
      feeds: {
        state: "house",
        as: "remove",
        factsOf: (removed) => ({ wasIdoc: isIdoc(removed as { stage: string }) }),
      },
    },
  ),
  ...defineSnapshotKinds("house", house, { of: "all houses", row: villa }),
};
