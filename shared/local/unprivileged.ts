import { execFileSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import path from "node:path";

export interface Unprivileged {
  readonly id: number;
  /** Command prefix that runs what follows as this user. */
  readonly switch: readonly string[];
  /** The same for folders that are closed to others, as root's own are. */
  switchKeepingAccess(): string[];
}

function findUser(): number {
  const users = readFileSync("/etc/passwd", "utf8").split("\n");
  for (const name of ["postgres", "nobody"]) {
    const line = users.find((user) => user.startsWith(`${name}:`));
    if (line) return Number(line.split(":")[2]);
  }
  throw new Error(
    "PostgreSQL refuses to run as root and there is no user `postgres` or `nobody`: run as another user or set DATABASE_URL",
  );
}

function requireSetpriv(): void {
  try {
    execFileSync("setpriv", ["--version"], { stdio: "ignore" });
  } catch (cause) {
    throw new Error(
      "PostgreSQL refuses to run as root and `setpriv` (util-linux) is missing: run as another user or set DATABASE_URL",
      { cause },
    );
  }
}

/** A user that is not root, for the one program that refuses root. */
export function unprivileged(): Unprivileged {
  requireSetpriv();
  const id = findUser();
  const become = [`--reuid=${id}`, `--regid=${id}`, "--clear-groups"];
  // Without this bit the kernel drops the kept capability in access(2), which initdb relies on.
  const keep = ["--securebits=+no_setuid_fixup"];
  const access = ["--inh-caps=+dac_override", "--ambient-caps=+dac_override"];
  return {
    id,
    switch: ["setpriv", ...become],
    switchKeepingAccess: () => ["setpriv", ...keep, ...become, ...access],
  };
}

/** Whether users other than the owner may enter a folder and all above it. */
export function canEnter(folder: string): boolean {
  const absolute = path.resolve(folder);
  const parent = path.dirname(absolute);
  const open = (statSync(absolute, { throwIfNoEntry: false })?.mode ?? 0o001) & 0o001;
  return open !== 0 && (parent === absolute || canEnter(parent));
}
