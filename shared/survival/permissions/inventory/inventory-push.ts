import { requestInventory } from "../../calls/permission-calls.ts";
import type { PushKind } from "../../pushes/push-kind.ts";

/** Has a server say what its players may do; it says it by frames, page by page. */
export const inventoryPush: PushKind = {
  capability: "perm",
  prepare: () =>
    Promise.resolve({
      enters: [],
      send: async (control) => {
        await control.read(requestInventory);
        return {};
      },
    }),
};
