import { readOwnKits } from "../../shared/survival/kits/own-kits.ts";
import { route } from "../http/route.ts";

/** What players may take in the games. */
export const kitsRoutes = [
  route({
    method: "get",
    path: "/api/v1/player/survival/kits",
    gate: "auth",
    set: "additive",
    tag: "Survival",
    summary: "List the caller's kits",
    description:
      "Returns the newest 500 kits that were given to the caller's linked Steam accounts, newest " +
      "first. The list includes redeemed, expired and failed kits.",
    answers: { 200: { enveloped: "kits", shape: { listOf: "OwnKit" } } },
    handle: async ({ caller }, context) => ({ kits: await readOwnKits(caller.userId, context) }),
  }),
];
