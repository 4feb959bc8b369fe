import { readFileSync } from "node:fs";

/** Returns the current and the peak memory of a process in MiB, as reported by Linux. */
export function memoryOf(pid: number): { readonly held: number; readonly peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const read = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1] ?? Number.NaN) / 1024;
  return { held: read("VmRSS"), peak: read("VmHWM") };
}
