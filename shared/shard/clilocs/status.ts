import { fingerprintFiles } from "../../imports/files/read-file.ts";
import type { ClilocSource, LoadedClilocSource } from "../../imports/results/clilocs.ts";
import type { ImportResultCode } from "../../imports/results/codes.ts";
import { catchSourceFault, SourceFault } from "../../imports/results/source-fault.ts";
import type { ImportedData } from "../../imports/sources/imported-source.ts";
import { readImportPath } from "../../imports/sources/paths.ts";
import { BridgeError } from "../../platform/bridge/bridge-error.ts";
import { pagedReadCodeOf } from "../../platform/bridge/calls/walk.ts";
import { type ClilocManifest, getClilocManifestCall } from "../calls/cliloc-calls.ts";
import {
  type FaultCodeMap,
  openImportControlClient,
  createPagedReadFault,
} from "../calls/link-source.ts";
import type { ShardContext } from "../context.ts";
import type { LoadedClilocs } from "./apply.ts";
import { findClilocFiles, listFileLabels, fingerprintClilocs } from "./files.ts";
import {
  findMissingFiles,
  missingPathFault,
  readLoadedClilocs,
  shardLabel,
  findClilocSource,
} from "./refresh.ts";

export interface ClilocStatus {
  readonly source: ClilocSource;
  readonly configured: boolean;
  readonly path: string;
  readonly file: string | null;
  readonly fileReadable: boolean;
  readonly problem: string | null;
  readonly code: string | null;
  readonly shard: Omit<ClilocManifest, "entries"> | null;
  readonly drift: boolean | null;
  readonly count: number;
  readonly sources: readonly string[];
  readonly loadedSources: readonly LoadedClilocSource[] | null;
  readonly missingSources: readonly string[];
  readonly importedAt: Date | null;
  readonly sourceBytes: number | null;
}

type SourceStatus = Pick<
  ClilocStatus,
  "configured" | "file" | "fileReadable" | "problem" | "code" | "shard" | "sources"
> & { readonly fingerprint: string | null };

export async function readClilocStatus(context: ShardContext): Promise<ClilocStatus> {
  const [source, path, imported] = await Promise.all([
    findClilocSource(context),
    readImportPath("clilocs", context),
    readLoadedClilocs(context),
  ]);
  const { fingerprint, ...seen } =
    source === "bridge" ? await inspectShardAndFiles(path, context) : await inspectFiles(path);
  const loaded = imported?.loaded;
  return {
    source,
    path: path ?? "",
    ...seen,
    drift: fingerprint === null ? null : fingerprint !== imported?.fingerprint,
    missingSources: seen.sources.length > 0 ? findMissingFiles(loaded, seen.sources) : [],
    ...loadedFields(imported),
  };
}

const loadedFields = (imported: ImportedData<LoadedClilocs> | null) => ({
  count: imported?.loaded.count ?? 0,
  loadedSources: imported?.loaded.sources ?? null,
  importedAt: imported?.importedAt ?? null,
  sourceBytes: imported?.loaded.bytes ?? null,
});

const nothing = {
  file: null,
  fileReadable: false,
  problem: null,
  code: null,
  shard: null,
  sources: [],
  fingerprint: null,
} as const;

const problemOf = ({ code, message }: SourceFault) => ({
  problem: message,
  code: statusCodes[code] ?? code,
});

/** Maps codes that the status lacks to codes that it has. */
const statusCodes: Readonly<Partial<Record<ImportResultCode, ImportResultCode>>> = {
  TRUNCATED: "UNREADABLE",
  TOO_LARGE: "UNREADABLE",
  SOURCE_CHANGED: "UNREADABLE",
};

async function inspectFiles(path: string | null): Promise<SourceStatus> {
  const configured = path !== null;
  const files = await catchSourceFault(() =>
    path === null ? Promise.reject(missingPathFault()) : findClilocFiles(path),
  );
  if (files instanceof SourceFault) return { ...nothing, configured, ...problemOf(files) };
  const seen = {
    ...nothing,
    configured,
    file: files.base.absolute,
    sources: listFileLabels(files),
  };
  const stamps = await catchSourceFault(() => fingerprintClilocs(files));
  if (stamps instanceof SourceFault) return { ...seen, ...problemOf(stamps) };
  return { ...seen, fileReadable: true, fingerprint: fingerprintFiles(stamps) };
}

const pathIgnoredReason =
  "The link to the shard is on, so texts are read from the shard; the path is used while the link is off";

/** While the link is on, the configured path is not used. The status says so, and lists the path's problems too. */
async function inspectShardAndFiles(
  path: string | null,
  context: ShardContext,
): Promise<SourceStatus> {
  const shard = await inspectShard(context);
  if (path === null) return shard;
  const { file, fileReadable, ...files } = await inspectFiles(path);
  const problems = [shard.problem, pathIgnoredReason, files.problem].filter((one) => one !== null);
  const code = shard.code ?? files.code;
  return { ...shard, file, fileReadable, code, problem: problems.join(". ") };
}

/** Maps the manifest's codes that the status lacks to codes that it has. */
const manifestCodes: FaultCodeMap = {
  MALFORMED: "UNAVAILABLE",
  TOO_LARGE: "UNAVAILABLE",
  INCOMPLETE: "UNAVAILABLE",
  UNSUPPORTED: "NO_SOURCE",
  NO_IMAGING: "NO_SOURCE",
};

async function inspectShard(context: ShardContext): Promise<SourceStatus> {
  const manifest = await catchSourceFault(() => readShardManifest(context));
  const seen = { ...nothing, configured: true };
  if (manifest instanceof SourceFault) return { ...seen, ...problemOf(manifest) };
  const { entries: _entries, ...shard } = manifest;
  const { sha256, hashing, complete } = shard;
  const found = { ...seen, shard, sources: [shardLabel] };
  if (hashing) return { ...found, code: "BUSY", problem: "The shard is hashing its files" };
  if (!complete || sha256 === null) {
    return { ...found, code: "UNAVAILABLE", problem: "The shard's list of texts is not complete" };
  }
  return { ...found, fingerprint: sha256 };
}

async function readShardManifest(context: ShardContext): Promise<ClilocManifest> {
  const control = await openImportControlClient(context);
  return control.read(getClilocManifestCall).catch((error: unknown) => {
    if (!(error instanceof BridgeError)) throw error;
    throw createPagedReadFault(pagedReadCodeOf(error.code), error.reason, manifestCodes);
  });
}
