import { count, field, large, maybe, shape } from "../../platform/bridge/payload-fields.ts";
import { plain } from "../visibility/view.ts";
import { exampleTime } from "./fields.ts";
import { publicKind } from "./kind.ts";

/** The wealth on the shard. Only the numbers of accounts and gold are public. */
export const economyKinds = {
  "economy.snapshot": publicKind(
    shape({
      accounts: field(maybe(count()), "Number of game accounts."),
      gold: field(maybe(large()), "Gold of all accounts together, in coins."),
      platinum: field(maybe(large()), "Number of platinum coins of all accounts together."),
      vendorsGold: field(maybe(large()), "Gold that all player vendors together hold, in coins."),
      activeAccounts7d: field(
        maybe(count()),
        "Number of accounts that signed in within the last seven days.",
      ),
      t: field(
        maybe(large()),
        "Time of the count, in epoch milliseconds. Null if it is the time of the event.",
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
      view: plain("accounts", "gold", "t"),
      feeds: { state: "economy", as: "upsert" },
    },
  ),
};
