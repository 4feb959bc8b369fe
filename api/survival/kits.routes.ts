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
    summary: "Kits that the caller may take in the games, or could",
    description: "Of all Steam accounts that the caller linked, the latest first.",
    answers: { 200: { enveloped: "kits", shape: { listOf: "OwnKit" } } },
    handle: async ({ caller }, context) => ({ kits: await readOwnKits(caller.userId, context) }),
  }),
];
