import { fingerprintOf, startCounting } from "../../imports/files/read-file.ts";
import { blankClilocResult, type ClilocResult } from "../../imports/results/clilocs.ts";
import { SourceFault } from "../../imports/results/source-fault.ts";
import type { ImportRun } from "../../imports/runs/run-import.ts";
import { readImportPath } from "../../imports/sources/paths.ts";
import type { ShardContext } from "../context.ts";
import { applyClilocs, type LoadedClilocs } from "./apply.ts";
import {
  allOf,
  findClilocs,
  labelsOf,
  type ReadClilocs,
  readClilocs,
  stampClilocs,
} from "./files.ts";
import { type Refreshing, unchangedOf } from "./refreshing.ts";

/**
 * Refreshes from the client's own file and its overlays. When an overlay that was loaded is gone or
 * cannot be read, an administrator is asked first, because its texts would vanish; an approval is for
 * the files that were named.
 */
export async function refreshFromFiles(
  { imported, learned }: Refreshing,
  run: ImportRun,
  context: ShardContext,
): Promise<ClilocResult> {
  const path = await readImportPath("clilocs", context);
  learned.path = path;
  if (path === null) throw noPath();
  const files = await findClilocs(path);
  const file = files.base.absolute;
  learned.file = file;
  const base = { ...blankClilocResult, source: "file", path, file } as const;
  const hashed = await startCounting("source", allOf(files), run);
  const fingerprint = fingerprintOf(await stampClilocs(files, hashed));
  if (imported?.fingerprint === fingerprint && !run.flags.force) {
    return { ...base, ...unchangedOf(imported) };
  }
  const read = await readClilocs(files, await startCounting("texts", allOf(files), run));
  const after = labelsOf(await findClilocs(path));
  if (read.fingerprint !== fingerprint || after.join("\n") !== labelsOf(files).join("\n")) {
    throw new SourceFault("SOURCE_CHANGED", "the files changed while they were read");
  }
  const missing = missingOf(
    imported?.loaded,
    read.merged.sources.map(({ label }) => label),
  );
  const found = { ...base, ...countsOf(read) };
  if (!(await run.mayLose(missing))) {
    const reason = `Loaded before and gone now: ${missing.join(", ")}`;
    const asked = { ...found, status: "needsReview", reason, missingSources: missing } as const;
    return run.askFor<ClilocResult>(asked, missing);
  }
  const accepted = run.flags.approve && { acceptedMissing: missing };
  const result: ClilocResult = { ...found, status: "imported", ...accepted };
  await run.report("swap", 0);
  const { texts, sources } = read.merged;
  const loaded = { source: "file", count: texts.size, bytes: read.bytes, sources } as const;
  await applyClilocs({ texts, fingerprint, loaded, result }, run, context);
  return result;
}

export const noPath = (): SourceFault =>
  new SourceFault("NO_PATH", "No path is set, and the link to the shard is off");

function countsOf({ merged, overlayProblem }: ReadClilocs) {
  const { texts, parsed, blank, sources } = merged;
  return { count: texts.size, parsed, blank, overlayProblem, sources };
}

/** Files that were loaded and are not among these; a change of the kind of source misses none. */
export const missingOf = (loaded: LoadedClilocs | undefined, labels: readonly string[]): string[] =>
  loaded?.source === "file"
    ? loaded.sources.map(({ label }) => label).filter((label) => !labels.includes(label))
    : [];
