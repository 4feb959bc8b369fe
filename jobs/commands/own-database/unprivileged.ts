import { execFileSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import path from "node:path";

import { LaunchError } from "../launch/launch-error.ts";

export interface UnprivilegedUser {
  readonly user: number;
  readonly group: number;
  /** A command prefix that runs a command as this user. */
  readonly switch: readonly string[];
  /** Returns a command prefix that runs a command as this user but with access to folders of other users. */
  switchKeepingAccess(): string[];
}

/** Finds a user other than root, because PostgreSQL refuses to run as root. */
export function findUnprivilegedUser(): UnprivilegedUser {
  requireSetpriv();
  const { user, group } = findUser();
  const become = [`--reuid=${user}`, `--regid=${group}`, "--clear-groups"];
  // Without this flag, access(2), which initdb calls, ignores the capability `dac_override`.
  const keep = ["--securebits=+no_setuid_fixup"];
  const access = ["--inh-caps=+dac_override", "--ambient-caps=+dac_override"];
  return {
    user,
    group,
    switch: ["setpriv", ...become],
    switchKeepingAccess: () => ["setpriv", ...keep, ...become, ...access],
  };
}

/** Returns true if other users may enter a folder and all its parents. */
export function canOthersEnterFolder(folder: string): boolean {
  const absolute = path.resolve(folder);
  const parent = path.dirname(absolute);
  const open = (statSync(absolute, { throwIfNoEntry: false })?.mode ?? 0o001) & 0o001;
  return open !== 0 && (parent === absolute || canOthersEnterFolder(parent));
}

function findUser(): { user: number; group: number } {
  const users = readFileSync("/etc/passwd", "utf8").split("\n");
  for (const name of ["postgres", "nobody"]) {
    const line = users.find((user) => user.startsWith(`${name}:`));
    const [, , user, group] = line?.split(":") ?? [];
    if (user && group) return { user: Number(user), group: Number(group) };
  }
  throw new LaunchError(
    "PostgreSQL refuses to run as root and there is no user `postgres` or `nobody`: run as another user or set DATABASE_URL",
  );
}

function requireSetpriv(): void {
  try {
    execFileSync("setpriv", ["--version"], { stdio: "ignore" });
  } catch (cause) {
    throw new LaunchError(
      "PostgreSQL refuses to run as root and `setpriv` (util-linux) is missing: run as another user or set DATABASE_URL",
      { cause },
    );
  }
}
