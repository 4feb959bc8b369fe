import { count, large, maybe, shape } from "../../bridge/payload-fields.ts";
import { plain } from "../values/view.ts";
import { publicKind } from "./kind.ts";

/** The wealth of the shard: what an economy point shows goes public, the rest is for staff. */
export const economyKinds = {
  "economy.snapshot": publicKind(
    shape({
      accounts: maybe(count()),
      gold: maybe(large()),
      platinum: maybe(large()),
      vendorsGold: maybe(large()),
      activeAccounts7d: maybe(count()),
      t: maybe(large()),
    }),
    {
      feature: "status",
      view: plain("accounts", "gold", "t"),
      feeds: { state: "economy", as: "upsert" },
    },
  ),
};
