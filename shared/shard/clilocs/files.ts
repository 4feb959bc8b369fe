import { stat } from "node:fs/promises";
import path from "node:path";

import { describeError, Folder, type SourceFile } from "../../imports/files/folder.ts";
import {
  type ByteProgressCallback,
  ignoreByteProgress,
  type FileFingerprint,
  fingerprintFiles,
  readFileInPieces,
  readWholeFile,
} from "../../imports/files/read-file.ts";
import { catchSourceFault, SourceFault } from "../../imports/results/source-fault.ts";
import { readTable, type SizeCheck, requireTable } from "./table.ts";
import { MergedTexts, readOverlay } from "./texts.ts";

/** The client's table and the shard's overlays, in the order in which they are merged. */
export interface ClilocFiles {
  readonly base: SourceFile;
  readonly overlays: readonly SourceFile[];
}

const baseName = "Cliloc.enu";
const overlayFolder = "custom";
const overlayEndings = [
  ".csv",
  ".json",
  ".enu",
  ".deu",
  ".fra",
  ".esp",
  ".jpn",
  ".kor",
  ".cht",
  ".chs",
  ".ptb",
];
const maxBytes = 64 * 1024 * 1024;
const maxOverlays = 200;

/** Finds a table by its file or directory. @throws {SourceFault} NOT_FOUND, NO_FILE, TOO_LARGE */
export async function findClilocFiles(given: string): Promise<ClilocFiles> {
  const isDirectory = await looksLikeDirectory(given);
  const folder = await Folder.open(isDirectory ? given : path.dirname(path.resolve(given)));
  const base = await folder.file(isDirectory ? baseName : path.basename(given));
  if (!base) throw new SourceFault("NO_FILE", `${given}: it holds no ${baseName}`);
  const custom = await folder.folder(overlayFolder);
  const overlays = (await custom?.files(overlayEndings, 1)) ?? [];
  if (overlays.length <= maxOverlays) return { base, overlays };
  throw new SourceFault(
    "TOO_LARGE",
    `${overlayFolder}: it holds more than ${maxOverlays} overlays`,
  );
}

async function looksLikeDirectory(given: string): Promise<boolean> {
  try {
    return (await stat(given)).isDirectory();
  } catch (error) {
    throw new SourceFault("NOT_FOUND", `${given}: ${describeError(error)}`);
  }
}

export const listClilocFiles = ({ base, overlays }: ClilocFiles): SourceFile[] => [
  base,
  ...overlays,
];

/** Returns the paths of the files relative to the root, the client's table first. */
export const listFileLabels = (files: ClilocFiles): string[] =>
  listClilocFiles(files).map((file) => file.path);

const acceptAnySize: SizeCheck = () => undefined;

/** Hashes every file. @throws {SourceFault} also if the base is not a table */
export async function fingerprintClilocs(
  files: ClilocFiles,
  count: ByteProgressCallback = ignoreByteProgress,
): Promise<FileFingerprint[]> {
  const stamps: FileFingerprint[] = [];
  for (const file of listClilocFiles(files)) {
    let requireSize = file === files.base ? undefined : acceptAnySize;
    const stamp = await readFileInPieces(file, maxBytes, (piece) => {
      requireSize ??= requireTable(file.path, piece);
      return count(piece.length);
    });
    requireSize?.(stamp.size);
    stamps.push(stamp);
  }
  // An empty file has no first bytes to check. Do not report it as EMPTY: that code means a valid table without
  // texts.
  if (stamps[0]?.size === 0) throw new SourceFault("UNREADABLE", `${files.base.path}: it is empty`);
  return stamps;
}

export interface ClilocReadResult {
  readonly merged: MergedTexts;
  readonly fingerprint: string;
  readonly bytes: number;
  /** The overlays that could not be read, with reasons. The readable ones are merged. */
  readonly overlayProblem: string | null;
}

/** Reads the table and merges the overlays into it. @throws {SourceFault} */
export async function readClilocs(
  files: ClilocFiles,
  count: ByteProgressCallback = ignoreByteProgress,
): Promise<ClilocReadResult> {
  const merged = new MergedTexts();
  const base = await readWholeFile(files.base, maxBytes, count);
  merged.add(files.base.path, "base", await readTable(files.base.path, base.bytes));
  if (merged.texts.size === 0) {
    throw new SourceFault("EMPTY", `${files.base.path}: every text of it is blank`);
  }
  const stamps = [base.stamp];
  const problems: string[] = [];
  for (const file of files.overlays) {
    const { bytes, stamp } = await readWholeFile(file, maxBytes, count);
    stamps.push(stamp);
    const texts = await catchSourceFault(async () => [...(await readOverlay(file.path, bytes))]);
    if (texts instanceof SourceFault) problems.push(texts.message);
    else merged.add(file.path, "custom", texts);
  }
  return {
    merged,
    fingerprint: fingerprintFiles(stamps),
    bytes: stamps.reduce((sum, { size }) => sum + size, 0),
    overlayProblem: problems.join("; ") || null,
  };
}
