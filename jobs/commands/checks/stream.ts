import { literal } from "sequelize";

import type { IngestSource } from "../../../models/shard/ingest-source.ts";
import { ingestTimeoutSeconds } from "../../../shared/platform/ingest/link-state.ts";
import { isOwnerStuckSql } from "../../../shared/platform/ingest/owner-activity.ts";
import { readSidecarLink } from "../../../shared/shard/sidecar/sidecar-link.ts";
import {
  type DoctorCheck,
  faultResult,
  type DoctorResult,
  okResult,
  skippedResult,
} from "./check.ts";

interface SourceRow extends Pick<IngestSource, "state" | "reason" | "owner" | "lastEventAt"> {
  /** True if the ingest process that owns the source is still running. */
  readonly alive: boolean;
}

export const streamCheck: DoctorCheck = {
  name: "stream",
  async run({ models }) {
    const link = await readSidecarLink(models);
    if (!link.enabled) return skippedResult("the link to the shard is off");
    const alive = literal(`not ${isOwnerStuckSql(String(ingestTimeoutSeconds))}`);
    const row: unknown = await models.IngestSource.findByPk("shard", {
      attributes: ["state", "reason", "owner", "lastEventAt", [alive, "alive"]],
      rejectOnEmpty: true,
      raw: true,
    });
    return findingOf(row as SourceRow);
  },
};

function findingOf({ state, reason, owner, lastEventAt, alive }: SourceRow): DoctorResult {
  if (state === "connected" && alive) {
    return okResult(
      `${owner} reads the stream, last event ${lastEventAt?.toISOString() ?? "never"}`,
    );
  }
  if (state === "connected") {
    return faultResult(`${owner} read the stream and no longer reports`, "npm run ingest");
  }
  const why = reason === null ? state : `${state}: ${reason}`;
  return faultResult(
    why,
    "see the checks ingest and bridge; the process ingest tries again by itself",
  );
}
