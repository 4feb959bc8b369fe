import type { MalformedSamples } from "../stream/forms.ts";

/** The samples of a survival server for malformed frames. */
export const survivalDialect: MalformedSamples = {
  wrongPayload: { kind: "player.joined", payload: { steamId: 7, name: null, connectedAt: "now" } },
  oddId: {
    kind: "player.left",
    payload: { steamId: "123", name: "Nobody", connectedAt: 1, reason: "x", sessionSec: 1 },
  },
  unknownKind: {
    kind: "survival.mystery",
    payload: { steamId: "76561198012345600", ip: "203.0.113.9" },
  },
  chat: (message) => ({
    kind: "player.chat",
    payload: { steamId: "76561198012345600", name: "Ilan", channel: "global", message },
  }),
};
