import type { SurvivalServer } from "../../../models/survival/survival-server.ts";
import type { StreamFrame } from "../../../shared/platform/bridge/frames.ts";
import { sourceNameOf } from "../../../shared/survival/server-locks.ts";
import type { SurvivalOptions } from "../../simulator/survival/options.ts";
import {
  startSurvivalSimulator,
  type SurvivalSimulator,
} from "../../simulator/survival/simulator.ts";
import { requireDescribedBodies } from "../bridge/described-bodies.ts";
import { waitUntilPluginCalls } from "../plugin/plugin-link.ts";
import type { TestServer } from "../service/server.ts";
import { linkSurvivalServer } from "./linked-survival.ts";
import { storeSurvivalFrames } from "./survival-ingest.ts";

/** A simulated game and its survival server. The game's events are ingested when the test calls `hear`. */
export interface SurvivalGameSite {
  readonly server: SurvivalServer;
  readonly simulator: SurvivalSimulator;
  /** Ingests the events since the last call. */
  hear(): Promise<void>;
  /** Returns the calls that the sidecar received, as `METHOD path`. */
  calls(): readonly string[];
}

/** Starts a small game, and creates an enabled server for it. */
export async function startSurvivalGame(
  site: TestServer,
  given: Partial<SurvivalServer["dataValues"]> = {},
  options: SurvivalOptions = {},
): Promise<SurvivalGameSite> {
  const started = await startSurvivalSimulator({ world: "small", ticking: false, ...options });
  const simulator: SurvivalSimulator = {
    ...started,
    stop: async () => {
      await started.stop();
      requireDescribedBodies("rust", started.received.commands);
    },
  };
  const server = await linkSurvivalServer(site, simulator, given);
  let heard = 0;
  return {
    server,
    simulator,
    hear: async () => {
      // A plugin whose game has restarted calls the site only after a moment.
      const session = { source: sourceNameOf(server.id), bootId: simulator.game.bootId };
      if (simulator.game.awake) await waitUntilPluginCalls(site, session);
      const said = simulator.buffer.log.slice(heard);
      heard += said.length;
      const frames = said.map(
        ({ epoch, seq, bootId, saveId, eventKey, kind, t, payload }): StreamFrame => ({
          type: "event",
          epoch,
          seq,
          bootId,
          eventKey,
          kind,
          t,
          replay: false,
          payload,
          ...(typeof saveId === "number" && { saveId }),
        }),
      );
      if (frames.length > 0) await storeSurvivalFrames(site.context, server.id, frames);
    },
    calls: () => simulator.received.calls.map(({ method, path }) => `${method} ${path}`),
  };
}
