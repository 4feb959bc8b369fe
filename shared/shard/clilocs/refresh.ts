import {
  blankClilocResult,
  type ClilocResult,
  type ClilocSource,
} from "../../imports/results/clilocs.ts";
import { orFault, SourceFault } from "../../imports/results/source-fault.ts";
import type { ImportRun } from "../../imports/runs/run-import.ts";
import { type Imported, readImported } from "../../imports/sources/imported-source.ts";
import type { Context } from "../../platform/context.ts";
import type { ShardContext } from "../context.ts";
import { readSidecarLink } from "../sidecar/sidecar-link.ts";
import type { LoadedClilocs } from "./apply.ts";
import { refreshFromFiles } from "./refresh-files.ts";
import { refreshFromShard } from "./refresh-shard.ts";

/** Where texts are read from: the shard while its link is switched on, else files. */
export async function sourceOfClilocs({ models }: Context): Promise<ClilocSource> {
  return (await readSidecarLink(models)).enabled ? "bridge" : "file";
}

export const readLoadedClilocs = (context: ShardContext): Promise<Imported<LoadedClilocs> | null> =>
  readImported<LoadedClilocs>("clilocs", context);

/** Brings the table of texts up to its source, and every name that the market shows. */
export async function refreshClilocs(run: ImportRun, context: ShardContext): Promise<ClilocResult> {
  await run.report("source", 0);
  const source = await sourceOfClilocs(context);
  const imported = await readLoadedClilocs(context);
  const refresh = source === "bridge" ? refreshFromShard : refreshFromFiles;
  // What was learned before a fault is told with it.
  const learned: Partial<ClilocResult> = {};
  const result = await orFault(() => refresh({ imported, learned }, run, context));
  if (!(result instanceof SourceFault)) return result;
  const { code, message: reason } = result;
  return { ...blankClilocResult, source, ...learned, status: "unavailable", code, reason };
}
