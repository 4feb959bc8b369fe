import { readFileSync } from "node:fs";

/** MiB of memory that a process holds, and the most it ever held, as Linux tells them. */
export function memoryOf(pid: number): { readonly held: number; readonly peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const read = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1] ?? Number.NaN) / 1024;
  return { held: read("VmRSS"), peak: read("VmHWM") };
}
