import { createHash } from "node:crypto";
import { constants, type Stats } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";

import { SourceFault } from "../results/source-fault.ts";
import type { ImportRun } from "../runs/run-import.ts";
import { describeError, type SourceFile } from "./folder.ts";

/** What a file held when it was read. */
export interface FileStamp {
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
}

/** The path was resolved already; O_NOFOLLOW refuses it if a link has taken its place since. */
export const readFlags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;

const chunkBytes = 64 * 1024;

/**
 * Reads a file piece by piece and says what it was.
 * @param take gets each piece before the next is read; it must not keep it
 * @throws {SourceFault} TOO_LARGE, SOURCE_CHANGED when it becomes another meanwhile, UNREADABLE
 */
export async function readFileInPieces(
  file: SourceFile,
  maxBytes: number,
  take: (piece: Buffer) => Promise<void> | void,
): Promise<FileStamp> {
  const handle = await openFile(file);
  try {
    const before = await handle.stat();
    refuseOdd(file, before, maxBytes);
    const hash = createHash("sha256");
    const buffer = Buffer.allocUnsafe(chunkBytes);
    let size = 0;
    for (;;) {
      const { bytesRead } = await handle.read(buffer, 0, chunkBytes, null);
      if (bytesRead === 0) break;
      size += bytesRead;
      if (size > before.size) throw changed(file);
      const piece = buffer.subarray(0, bytesRead);
      hash.update(piece);
      await take(piece);
    }
    // A file that takes its place leaves the open one as it was, so the path is looked at too.
    const [after, named] = await Promise.all([handle.stat(), stat(file.absolute)]);
    if (size !== before.size || !isSame(before, after) || !isSame(before, named)) {
      throw changed(file);
    }
    return { path: file.path, size, sha256: hash.digest("hex") };
  } catch (error) {
    throw faultOf(file, error);
  } finally {
    await handle.close();
  }
}

/** Reads a whole file. @throws {SourceFault} as `readFileInPieces` does */
export async function readWholeFile(
  file: SourceFile,
  maxBytes: number,
  count: CountBytes = countNothing,
): Promise<{ readonly bytes: Buffer; readonly stamp: FileStamp }> {
  const pieces: Buffer[] = [];
  const stamp = await readFileInPieces(file, maxBytes, (piece) => {
    pieces.push(Buffer.from(piece));
    return count(piece.length);
  });
  return { bytes: Buffer.concat(pieces), stamp };
}

/** A pipe would block for ever: what is no regular file is opened without waiting, and refused. */
async function openFile(file: SourceFile): Promise<FileHandle> {
  try {
    return await open(file.absolute, readFlags);
  } catch (error) {
    throw faultOf(file, error);
  }
}

function refuseOdd(file: SourceFile, stats: Stats, maxBytes: number): void {
  if (!stats.isFile()) throw new SourceFault("UNREADABLE", `${file.path}: it is no file`);
  if (stats.size <= maxBytes) return;
  const most = `${Math.floor(maxBytes / 1024 / 1024)} MiB`;
  throw new SourceFault("TOO_LARGE", `${file.path}: it holds more than ${most}`);
}

const isSame = (one: Stats, other: Stats): boolean =>
  one.ino === other.ino && one.size === other.size && one.mtimeMs === other.mtimeMs;

const changed = ({ path }: SourceFile): SourceFault =>
  new SourceFault("SOURCE_CHANGED", `${path}: it changed while it was read`);

function faultOf(file: SourceFile, error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (error instanceof SourceFault || typeof code !== "string") return error;
  if (code === "ENOENT") return changed(file);
  if (!["EACCES", "EPERM", "EISDIR", "EIO", "ELOOP"].includes(code)) return error;
  return new SourceFault("UNREADABLE", `${file.path}: ${describeError(error)}`);
}

/** Takes the number of bytes just read, and reports the progress of the phase. */
export type CountBytes = (bytes: number) => Promise<void> | void;

/** For files that are read outside a job, where nobody looks at progress. */
export const countNothing: CountBytes = () => undefined;

/** Begins a phase that reads files. It counts bytes, so that one large file shows progress as well. */
export async function startCounting(
  phase: string,
  files: readonly { readonly size: number }[],
  { report }: Pick<ImportRun, "report">,
): Promise<CountBytes> {
  const total = sizeOf(files);
  let done = 0;
  await report(phase, done, total, "bytes");
  return (bytes) => {
    done += bytes;
    return report(phase, done, total, "bytes");
  };
}

export const sizeOf = (files: readonly { readonly size: number }[]): number =>
  files.reduce((sum, { size }) => sum + size, 0);

/** A hash of a list of files, which differs when a name, the order or a content does. */
export const fingerprintOf = (files: readonly FileStamp[]): string =>
  createHash("sha256")
    .update(files.map(({ path, size, sha256 }) => `${path}\t${size}\t${sha256}\n`).join(""))
    .digest("hex");
