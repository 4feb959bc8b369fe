import { fingerprintFiles, startByteProgress } from "../../imports/files/read-file.ts";
import {
  blankClilocResult,
  type ClilocResult,
  type ClilocSource,
} from "../../imports/results/clilocs.ts";
import { catchSourceFault, SourceFault } from "../../imports/results/source-fault.ts";
import type { ImportRun } from "../../imports/runs/run-import.ts";
import { type ImportedData, readImportedData } from "../../imports/sources/imported-source.ts";
import { readImportPath } from "../../imports/sources/paths.ts";
import type { Context } from "../../platform/context.ts";
import { type ClilocManifest, getClilocManifestCall, walkClilocs } from "../calls/cliloc-calls.ts";
import {
  type FaultCodeMap,
  openImportControlClient,
  readManifest,
  requireCompletePagedRead,
} from "../calls/link-source.ts";
import type { ShardContext } from "../context.ts";
import { readSidecarLink } from "../sidecar/sidecar-link.ts";
import { applyClilocs, type LoadedClilocs } from "./apply.ts";
import {
  listClilocFiles,
  findClilocFiles,
  listFileLabels,
  type ClilocReadResult,
  readClilocs,
  fingerprintClilocs,
} from "./files.ts";
import { MergedTexts } from "./texts.ts";

/** Returns the source of texts: the shard while its link is on, else files. */
export async function findClilocSource({ models }: Context): Promise<ClilocSource> {
  return (await readSidecarLink(models)).enabled ? "bridge" : "file";
}

export const readLoadedClilocs = (
  context: ShardContext,
): Promise<ImportedData<LoadedClilocs> | null> =>
  readImportedData<LoadedClilocs>("clilocs", context);

/** Imports the table of texts from its source and updates the names in the market. */
export async function refreshClilocs(run: ImportRun, context: ShardContext): Promise<ClilocResult> {
  await run.report("source", 0);
  const source = await findClilocSource(context);
  const imported = await readLoadedClilocs(context);
  const refresh = source === "bridge" ? refreshFromShard : refreshFromFiles;
  // Fields that the result contains even if the import fails.
  const partialResult: Partial<ClilocResult> = {};
  const result = await catchSourceFault(() =>
    refresh({ imported, learned: partialResult }, run, context),
  );
  if (!(result instanceof SourceFault)) return result;
  const { code, message: reason } = result;
  return { ...blankClilocResult, source, ...partialResult, status: "unavailable", code, reason };
}

/**
 * Imports from the client's file and its overlays. If a loaded overlay is missing or unreadable, an
 * administrator must approve first, because its texts would vanish. An approval covers only the files that
 * it lists.
 */
async function refreshFromFiles(
  { imported, learned }: RefreshInput,
  run: ImportRun,
  context: ShardContext,
): Promise<ClilocResult> {
  const path = await readImportPath("clilocs", context);
  learned.path = path;
  if (path === null) throw missingPathFault();
  const files = await findClilocFiles(path);
  const file = files.base.absolute;
  learned.file = file;
  const base = { ...blankClilocResult, source: "file", path, file } as const;
  const hashed = await startByteProgress("source", listClilocFiles(files), run);
  const fingerprint = fingerprintFiles(await fingerprintClilocs(files, hashed));
  if (imported?.fingerprint === fingerprint && !run.flags.force) {
    return { ...base, ...describeUnchanged(imported) };
  }
  const read = await readClilocs(
    files,
    await startByteProgress("texts", listClilocFiles(files), run),
  );
  const after = listFileLabels(await findClilocFiles(path));
  if (read.fingerprint !== fingerprint || after.join("\n") !== listFileLabels(files).join("\n")) {
    throw new SourceFault("SOURCE_CHANGED", "the files changed while they were read");
  }
  const missing = findMissingFiles(
    imported?.loaded,
    read.merged.sources.map(({ label }) => label),
  );
  const found = { ...base, ...readCounts(read) };
  if (!(await run.isLossApproved(missing))) {
    const reason = `The import would remove the texts of ${missing.join(", ")}`;
    const asked = { ...found, status: "needsReview", reason, missingSources: missing } as const;
    return run.requestReview<ClilocResult>(asked, missing);
  }
  const accepted = run.flags.approve && { acceptedMissing: missing };
  const result: ClilocResult = { ...found, status: "imported", ...accepted };
  await run.report("swap", 0);
  const { texts, sources } = read.merged;
  const loaded = { source: "file", count: texts.size, bytes: read.bytes, sources } as const;
  await applyClilocs({ texts, fingerprint, loaded, result }, run, context);
  return result;
}

export const missingPathFault = (): SourceFault =>
  new SourceFault("NO_PATH", "No path is set, and the link to the shard is off");

function readCounts({ merged, overlayProblem }: ClilocReadResult) {
  const { texts, parsed, blank, sources } = merged;
  return { count: texts.size, parsed, blank, overlayProblem, sources };
}

/** Returns the loaded files that are not in `labels`; none if the texts now come from another kind of source. */
export const findMissingFiles = (
  loaded: LoadedClilocs | undefined,
  labels: readonly string[],
): string[] =>
  loaded?.source === "file"
    ? loaded.sources.map(({ label }) => label).filter((label) => !labels.includes(label))
    : [];

export const shardLabel = "shard";

/** The counts of an import over the link before its first page is read. */
const notWalked = { pages: null, reported: null, received: null } as const;

/** Imports from the shard, whose table already includes all overlays. */
async function refreshFromShard(
  { imported, learned }: RefreshInput,
  run: ImportRun,
  context: ShardContext,
): Promise<ClilocResult> {
  Object.assign(learned, notWalked);
  const control = await openImportControlClient(context);
  const manifest = await readManifest(
    () => control.read(getClilocManifestCall, { signal: run.signal }),
    ({ sha256: hash, hashing, complete }) => ({ hash, hashing, complete }),
    codeNames,
  );
  learned.reported = manifest.entries;
  const base = {
    ...blankClilocResult,
    ...notWalked,
    source: "bridge",
    reported: manifest.entries,
  } as const;
  if (imported && imported.fingerprint === manifest.sha256 && !run.flags.force) {
    return { ...base, ...describeUnchanged(imported) };
  }
  const merged = new MergedTexts();
  const take = merged.begin(shardLabel, "shard");
  const walked = await walkClilocs(
    control,
    async (entries) => {
      take(entries);
      await run.report("texts", merged.parsed, manifest.entries);
    },
    run.signal,
  );
  Object.assign(learned, { pages: walked.pages, received: walked.records });
  requireCompletePagedRead(walked, codeNames);
  requireSame(manifest, walked.manifest);
  const { texts, parsed, blank, sources } = merged;
  if (texts.size === 0) throw new SourceFault("EMPTY", "every text of the shard is blank");
  const tally = { pages: walked.pages, received: walked.records };
  const found = { ...base, ...tally, count: texts.size, parsed, blank, sources };
  const result: ClilocResult = {
    ...found,
    status: "imported",
    ...(run.flags.approve && { acceptedMissing: [] }),
  };
  await run.report("swap", 0);
  const fingerprint = manifest.sha256 ?? "";
  const loaded = { source: "bridge", count: texts.size, bytes: manifest.size, sources } as const;
  await applyClilocs({ texts, fingerprint, loaded, result }, run, context);
  return result;
}

function requireSame(one: ClilocManifest, other: ClilocManifest): void {
  if (one.sha256 === other.sha256) return;
  throw new SourceFault("SOURCE_CHANGED", "the source changed while it was read");
}

interface RefreshInput {
  readonly imported: ImportedData<LoadedClilocs> | null;
  /** Collects facts about the source, which the result of a failed import contains too. */
  readonly learned: { -readonly [Name in keyof ClilocResult]?: ClilocResult[Name] };
}

const describeUnchanged = ({
  loaded,
}: ImportedData<LoadedClilocs>): Pick<ClilocResult, "status" | "count" | "sources"> => ({
  status: "unchanged",
  count: loaded.count,
  sources: loaded.sources,
});

/** Maps codes that the API of the cliloc import lacks to a code that it has. */
const codeNames: FaultCodeMap = { NO_IMAGING: "NO_SOURCE", UNSUPPORTED: "NO_SOURCE" };
