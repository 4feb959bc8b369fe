import {
  count,
  field,
  largeCount,
  nullish,
  objectSchema,
} from "../../platform/bridge/payload-fields.ts";
import { plainViews } from "../visibility/view.ts";
import { exampleTime } from "./fields.ts";
import { definePublicKind } from "./kind.ts";

/** The wealth on the shard. Only the numbers of accounts and gold are public. */
export const economyKinds = {
  "economy.snapshot": definePublicKind(
    objectSchema({
      accounts: field(nullish(count()), "Number of game accounts."),
      gold: field(nullish(largeCount()), "Gold of all accounts together, in coins."),
      platinum: field(nullish(largeCount()), "Number of platinum coins of all accounts together."),
      vendorsGold: field(
        nullish(largeCount()),
        "Gold that all player vendors together hold, in coins.",
      ),
      activeAccounts7d: field(
        nullish(count()),
        "Number of accounts that signed in within the last seven days.",
      ),
      t: field(
        nullish(largeCount()),
        "Time of the count, in epoch milliseconds. Null if the count was made at the time of the " +
          "event.",
      ),
    }),
    {
      about: "Reports the wealth of the shard. Send it about once an hour.",
      example: {
        accounts: 1_204,
        gold: 4_000_000_000_000,
        platinum: 4_000,
        vendorsGold: 90_000_000,
        activeAccounts7d: 310,
        t: exampleTime,
      },
      feature: "status",
      view: plainViews("accounts", "gold", "t"),
      feeds: { state: "economy", as: "upsert" },
    },
  ),
};
