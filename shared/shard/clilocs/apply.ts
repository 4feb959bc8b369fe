import type {
  ClilocResult,
  ClilocSource,
  LoadedClilocSource,
} from "../../imports/results/clilocs.ts";
import type { ImportRun } from "../../imports/runs/run-import.ts";
import { storeImportedData } from "../../imports/sources/imported-source.ts";
import { requireCompleteStage } from "../../imports/sources/stage-checksum.ts";
import type { Context } from "../../platform/context.ts";
import { copyRows, copyInTransaction } from "../../platform/db/copy.ts";
import { analyzeTables } from "../../platform/db/rows.ts";
import { renameAllLabels } from "../market/labels.ts";
import {
  beginStage,
  deleteStage,
  readClilocStageChecksum,
  publishClilocStage,
  stageColumns,
  type StagedText,
} from "./texts.sql.ts";

/** Analyze the table only if more than one text in ten changed; otherwise its statistics stay valid. */
const analyzeFraction = 10;

export interface LoadedClilocs {
  readonly source: ClilocSource;
  readonly count: number;
  readonly bytes: number;
  readonly sources: readonly LoadedClilocSource[];
}

interface ParsedClilocs {
  readonly texts: ReadonlyMap<number, string>;
  readonly fingerprint: string;
  readonly loaded: LoadedClilocs;
  readonly result: ClilocResult;
}

/** Stages the new table, replaces the old table, and updates the names in the market. */
export async function applyClilocs(
  read: ParsedClilocs,
  run: ImportRun,
  { sequelize }: Context,
): Promise<void> {
  const stage = await run.withLease(beginStage);
  try {
    let hash = 0n;
    await copyInTransaction(sequelize, async (sql) => {
      await copyRows(stageColumns, stagedTexts(stage, read), sql);
      ({ hash } = await readClilocStageChecksum(stage, sql));
    });
    await run.apply(async (transaction) => {
      const { texts, fingerprint, loaded, result } = read;
      const written = { count: texts.size, hash };
      requireCompleteStage("texts", written, await readClilocStageChecksum(stage, transaction));
      const changed = await publishClilocStage(stage, transaction);
      if (changed * analyzeFraction > texts.size) {
        await analyzeTables(["clilocs (number)"], transaction);
      }
      await renameAllLabels(transaction);
      await storeImportedData("clilocs", { fingerprint, loaded }, transaction);
      return result;
    });
  } finally {
    await deleteStage(stage, sequelize);
  }
}

function* stagedTexts(stage: number, { texts }: ParsedClilocs): Generator<StagedText> {
  for (const [number, text] of texts) yield [stage, number, text];
}
