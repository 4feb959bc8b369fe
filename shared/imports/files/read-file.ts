import { createHash } from "node:crypto";
import { constants, type Stats } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";

import { SourceFault } from "../results/source-fault.ts";
import type { ImportRun } from "../runs/run-import.ts";
import { describeError, type SourceFile } from "./folder.ts";

/** The size and hash of a file when it was read. */
export interface FileFingerprint {
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
}

/** The path is resolved already. O_NOFOLLOW refuses the file if a link has replaced it since. */
export const fileOpenFlags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;

const chunkBytes = 64 * 1024;

/**
 * Reads a file in chunks and returns its size and hash.
 * @param take gets each chunk before the next one is read; the buffer is reused
 * @throws {SourceFault} TOO_LARGE, SOURCE_CHANGED if the file changes meanwhile, UNREADABLE
 */
export async function readFileInPieces(
  file: SourceFile,
  maxBytes: number,
  take: (piece: Buffer) => Promise<void> | void,
): Promise<FileFingerprint> {
  const handle = await openFile(file);
  try {
    const before = await handle.stat();
    refuseSpecialOrLarge(file, before, maxBytes);
    const hash = createHash("sha256");
    const buffer = Buffer.allocUnsafe(chunkBytes);
    let size = 0;
    for (;;) {
      const { bytesRead } = await handle.read(buffer, 0, chunkBytes, null);
      if (bytesRead === 0) break;
      size += bytesRead;
      if (size > before.size) throw sourceChanged(file);
      const piece = buffer.subarray(0, bytesRead);
      hash.update(piece);
      await take(piece);
    }
    // If another file has replaced this one at the path, the open file looks unchanged, so check the file at the
    // path too.
    const [after, named] = await Promise.all([handle.stat(), stat(file.absolute)]);
    if (size !== before.size || !isSame(before, after) || !isSame(before, named)) {
      throw sourceChanged(file);
    }
    return { path: file.path, size, sha256: hash.digest("hex") };
  } catch (error) {
    throw faultOf(file, error);
  } finally {
    await handle.close();
  }
}

/** Reads a whole file. @throws {SourceFault} like `readFileInPieces` */
export async function readWholeFile(
  file: SourceFile,
  maxBytes: number,
  count: ByteProgressCallback = ignoreByteProgress,
): Promise<{ readonly bytes: Buffer; readonly stamp: FileFingerprint }> {
  const pieces: Buffer[] = [];
  const stamp = await readFileInPieces(file, maxBytes, (piece) => {
    pieces.push(Buffer.from(piece));
    return count(piece.length);
  });
  return { bytes: Buffer.concat(pieces), stamp };
}

/** Opens without blocking, because a pipe would block forever. `refuseSpecialOrLarge` then rejects special files. */
async function openFile(file: SourceFile): Promise<FileHandle> {
  try {
    return await open(file.absolute, fileOpenFlags);
  } catch (error) {
    throw faultOf(file, error);
  }
}

function refuseSpecialOrLarge(file: SourceFile, stats: Stats, maxBytes: number): void {
  if (!stats.isFile()) {
    throw new SourceFault("UNREADABLE", `${file.path}: it is not a regular file`);
  }
  if (stats.size <= maxBytes) return;
  const most = `${Math.floor(maxBytes / 1024 / 1024)} MiB`;
  throw new SourceFault("TOO_LARGE", `${file.path}: it holds more than ${most}`);
}

const isSame = (one: Stats, other: Stats): boolean =>
  one.ino === other.ino && one.size === other.size && one.mtimeMs === other.mtimeMs;

const sourceChanged = ({ path }: SourceFile): SourceFault =>
  new SourceFault("SOURCE_CHANGED", `${path}: it changed while it was read`);

function faultOf(file: SourceFile, error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (error instanceof SourceFault || typeof code !== "string") return error;
  if (code === "ENOENT") return sourceChanged(file);
  if (!["EACCES", "EPERM", "EISDIR", "EIO", "ELOOP"].includes(code)) return error;
  return new SourceFault("UNREADABLE", `${file.path}: ${describeError(error)}`);
}

/** Receives the number of bytes that were just read, and reports the progress of the phase. */
export type ByteProgressCallback = (bytes: number) => Promise<void> | void;

/** For files that are read outside a job, which has no progress to report. */
export const ignoreByteProgress: ByteProgressCallback = () => undefined;

/** Starts a phase that reads files. Progress is in bytes, so that a single large file shows progress too. */
export async function startByteProgress(
  phase: string,
  files: readonly { readonly size: number }[],
  { report }: Pick<ImportRun, "report">,
): Promise<ByteProgressCallback> {
  const total = sumFileSizes(files);
  let done = 0;
  await report(phase, done, total, "bytes");
  return (bytes) => {
    done += bytes;
    return report(phase, done, total, "bytes");
  };
}

export const sumFileSizes = (files: readonly { readonly size: number }[]): number =>
  files.reduce((sum, { size }) => sum + size, 0);

/** Returns a hash of a list of files. It covers their names, order and contents. */
export const fingerprintFiles = (files: readonly FileFingerprint[]): string =>
  createHash("sha256")
    .update(files.map(({ path, size, sha256 }) => `${path}\t${size}\t${sha256}\n`).join(""))
    .digest("hex");
