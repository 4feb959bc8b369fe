import type { AtlasState as StateRow } from "../../../../models/atlas/atlas-state.ts";
import type { FileFingerprint } from "../../../imports/files/read-file.ts";
import type { AtlasCounts, AtlasSourceName } from "../../../imports/results/atlas.ts";
import { readImportedData } from "../../../imports/sources/imported-source.ts";
import { hashContent } from "../../../platform/base-revision.ts";
import type { Context } from "../../../platform/context.ts";
import { inSnapshot } from "../../../platform/db/transaction.ts";
import type { TreeKind } from "../tree/tree.ts";

export interface LoadedAtlas {
  readonly source: AtlasSourceName;
  readonly path: string | null;
  readonly counts: AtlasCounts;
  readonly sources: readonly FileFingerprint[];
  /** Read only by the previous release, which may still be running. */
  readonly kind: TreeKind | null;
  readonly era: string | null;
}

/** A refresh that was not applied because it would remove a facet. */
export interface PendingAtlas {
  readonly source: AtlasSourceName;
  readonly path: string | null;
  readonly counts: AtlasCounts;
  readonly addedFacets: readonly string[];
  readonly removedFacets: readonly string[];
  readonly stagedAt: string;
}

type PendingRow = Pick<StateRow, "pendingFingerprint"> & { readonly pending: object | null };

/** Returns the revision of the pending refresh: a hash of its source and its effect. */
export const pendingRevision = ({ pendingFingerprint, pending }: PendingRow): string | null =>
  pending && hashContent([pendingFingerprint, pending]);

export interface AtlasState extends Readonly<
  Pick<StateRow, "generation" | "pendingStatus" | "pendingFingerprint">
> {
  readonly fingerprint: string | null;
  readonly loaded: LoadedAtlas | null;
  readonly importedAt: Date | null;
  readonly pending: PendingAtlas | null;
}

/** Reads the loaded atlas and the pending refresh in one snapshot. */
export const readAtlasState = ({
  sequelize,
  models,
}: Pick<Context, "sequelize" | "models">): Promise<AtlasState> =>
  inSnapshot(sequelize, async (transaction) => {
    const state = await models.AtlasState.read({ transaction });
    const imported = await readImportedData<LoadedAtlas>("atlas", { models }, transaction);
    return {
      generation: state.generation,
      fingerprint: imported?.fingerprint ?? null,
      loaded: imported?.loaded ?? null,
      importedAt: imported?.importedAt ?? null,
      pendingStatus: state.pendingStatus,
      pendingFingerprint: state.pendingFingerprint,
      pending: state.pending as PendingAtlas | null,
    };
  });

export async function readLoadedFacets({ models }: Pick<Context, "models">): Promise<string[]> {
  const { generation } = await models.AtlasState.read();
  const facets = await models.AtlasFacet.findAll({ where: { generation }, order: ["name"] });
  return facets.map(({ name }) => name);
}
