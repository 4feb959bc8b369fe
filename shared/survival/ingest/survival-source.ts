import type { Source } from "../../platform/ingest/source.ts";
import type { SurvivalContext } from "../context.ts";
import { LiveHandOver } from "../map/live/hand-over.ts";
import { serverLinkColumns, serverLinkOf } from "../server-link.ts";
import { sourceNameOf } from "../server-rows.ts";
import { askForStates } from "./stale.ts";
import { storePart } from "./store-part.ts";

/** A survival server as a source of ingest. */
export const survivalSource = (serverId: number, context: SurvivalContext): Source => {
  const live = new LiveHandOver(serverId, context);
  return {
    name: sourceNameOf(serverId),
    readLink: async () => {
      const { models, config } = context;
      const stored = await models.SurvivalServer.findByPk(serverId, {
        attributes: [...serverLinkColumns],
        raw: true,
      });
      const link = stored?.enabled ? serverLinkOf(stored, config.SECRETS_KEYS) : null;
      return link && { ...link, connect: () => context.survival.connect(link) };
    },
    onChange: (changed) =>
      context.listener.on("survival_servers", (told) => {
        if (told.serverId === serverId) changed();
      }),
    questions: [askForStates],
    beginsPart: () => false,
    storePart: (frames, owner) => storePart(frames, owner, { serverId, live }, context),
  };
};
