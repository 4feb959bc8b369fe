import { chown, copyFile, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";

import { Client } from "pg";

import { findBinaries, serverCommand } from "../../../jobs/commands/own-database/cluster.ts";

interface Original {
  readonly url: string;
  readonly folder: string;
}

/** Files that are not copied: files of the running process, and the folders of replication slots and WAL. */
const notCopied = new Set(["postmaster.pid", "postmaster.opts", "pg_replslot", "pg_wal"]);

/**
 * Copies the files of a running server to a standby. Files that change during the copying become consistent when
 * the standby replays the WAL.
 */
export async function copyServer({ url, folder }: Original, to: string): Promise<void> {
  const { postgres } = await findBinaries();
  const { owner } = serverCommand(postgres, folder);
  const own = async (file: string): Promise<void> => {
    if (owner) await chown(file, owner.user, owner.group);
  };
  const client = new Client(url);
  client.on("error", () => undefined);
  await client.connect();
  try {
    await rm(to, { recursive: true, force: true });
    await client.query("select pg_backup_start('standby', true)");
    await copyFolder(folder, to, { own, skipped: notCopied });
    const { rows } = await client.query<{ label: string }>(
      "select labelfile as label from pg_backup_stop(false)",
    );
    await copyFolder(path.join(folder, "pg_wal"), path.join(to, "pg_wal"), { own });
    await mkdir(path.join(to, "pg_replslot"), { mode: 0o700 });
    await own(path.join(to, "pg_replslot"));
    const written = { backup_label: rows[0]?.label ?? "", "standby.signal": "" };
    for (const [name, text] of Object.entries(written)) {
      await writeFile(path.join(to, name), text, { mode: 0o600 });
      await own(path.join(to, name));
    }
  } finally {
    await client.end().catch(() => undefined);
  }
}

interface Copying {
  readonly own: (file: string) => Promise<void>;
  readonly skipped?: ReadonlySet<string>;
}

async function copyFolder(from: string, to: string, { own, skipped }: Copying): Promise<void> {
  await mkdir(to, { mode: 0o700 });
  await own(to);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    if (skipped?.has(entry.name)) continue;
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)];
    if (entry.isDirectory()) await copyFolder(source, target, { own });
    else if (await isCopied(source, target)) await own(target);
  }
}

/** Copies a file. @returns false if the file was deleted before */
const isCopied = (source: string, target: string): Promise<boolean> =>
  copyFile(source, target).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return false;
      throw error;
    },
  );
