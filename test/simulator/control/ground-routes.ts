import type { GameProcess } from "../game/process.ts";
import { objectBody, readTextList } from "./input.ts";
import type { ControlPlaneHost, PlaneRoute } from "./plane-route.ts";
import { createOkAnswer, refuseField } from "./refusal.ts";

interface Grounded extends ControlPlaneHost {
  readonly game: GameProcess;
}

/** `GET /v1/health`. It is answered even if the game does not run. */
export const healthRoute = <H extends Grounded>(
  since: number,
  capabilitiesOf: (protocol: number) => readonly string[],
): PlaneRoute<H> => ({
  method: "GET",
  path: "/v1/health",
  since,
  nature: "read",
  alone: true,
  answer: (_, { protocol, game }) =>
    createOkAnswer({
      protocol,
      pluginConnected: game.running,
      bootId: game.bootId,
      uptimeSec: Math.floor(game.uptimeMs / 1_000),
      capabilities: capabilitiesOf(protocol),
    }),
});

/** `POST /v1/resync`. The answer only acknowledges the call. The snapshots follow after it. */
export const resyncRoute = <F extends string, H extends ControlPlaneHost & Resyncing<F>>(
  since: number,
  isFamily: (name: string) => name is F,
): PlaneRoute<H> => ({
  method: "POST",
  path: "/v1/resync",
  since,
  nature: "request",
  answer: ({ body }, { resync }) => {
    const range = { least: 1, most: 16, longest: 64 };
    const families = readTextList(objectBody(body), "families", range).map((name) => {
      if (!isFamily(name)) throw refuseField("families", `${name} is no family`);
      return name;
    });
    resync.ask(families);
    return { status: 202, body: { families } };
  },
});

interface Resyncing<F> {
  readonly resync: { readonly ask: (families: readonly F[]) => void };
}
