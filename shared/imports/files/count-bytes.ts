import type { ImportRun } from "../runs/run-import.ts";

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
