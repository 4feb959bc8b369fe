import { createHash } from "node:crypto";

import { BridgeError } from "../../platform/bridge/bridge-error.ts";
import type { ReadCall } from "../../platform/bridge/calls/call.ts";
import { readClock } from "../../platform/db/clock.ts";
import { AppError } from "../../platform/errors/errors.ts";
import { isIncapable } from "../calls/call-rules.ts";
import { listConfigs, readConfig } from "../calls/config-calls.ts";
import type { SurvivalContext } from "../context.ts";
import { maskSecrets } from "./config-secrets.ts";

/** A plugin's name, and with it its file's: no dots and no slashes, so that it leads nowhere else. */
export const pluginNamePattern = /^[A-Za-z0-9_]{1,64}$/;

/** Bytes that a configuration may have, in UTF-8. */
export const largestConfig = 1024 * 1024;

/** Whether a text is larger than a configuration may be. */
export const isTooLarge = (text: string): boolean =>
  text.length > largestConfig || Buffer.byteLength(text) > largestConfig;

/** The hash by which a file's state is known: sha256 of its bytes, in hexadecimal. */
export const configHash = (text: string | Uint8Array): string =>
  createHash("sha256").update(text).digest("hex");

/** The server whose configurations are meant, and by which request. */
export interface ConfigsOf {
  readonly server: { readonly id: number };
  /** What it said of itself last. */
  readonly hello: object | null;
  readonly requestId: string;
}

const problems = ["too-large", "unreadable", "protected"] as const;
type Problem = (typeof problems)[number];

export async function listFiles(
  of: ConfigsOf,
  { survival }: SurvivalContext,
): Promise<{ files: object[]; online: boolean }> {
  refuseIncapable(of);
  try {
    const { files } = await survival.call(of.server.id, (control) =>
      control.read(listConfigs, { requestId: of.requestId }),
    );
    return { files: files.map(viewFile), online: true };
  } catch (error) {
    if (error instanceof BridgeError && error.code === "SHARD_DOWN") {
      return { files: [], online: false };
    }
    throw error;
  }
}

/** A plugin that said it cannot is not asked. @throws BridgeError */
function refuseIncapable({ hello }: ConfigsOf): void {
  const state = hello && { hello: hello as Readonly<Record<string, unknown>> };
  if (isIncapable(state, "config")) throw new BridgeError("UNSUPPORTED");
}

type ListedFile = (typeof listConfigs extends ReadCall<infer Answer>
  ? Answer
  : never)["files"][number];

function viewFile({ plugin, file, loaded, version, bytes, hash, modifiedAt, ...rest }: ListedFile) {
  const problem = problemOf({ plugin, bytes, ...rest });
  return {
    plugin,
    file,
    loaded,
    version: version ?? null,
    bytes,
    hash,
    modifiedAt: timeOf(modifiedAt),
    editable: problem === null,
    problem,
  };
}

const lastTime = 8.64e15;

const timeOf = (ms: number | null | undefined): Date | null =>
  typeof ms === "number" && ms <= lastTime ? new Date(ms) : null;

/** By its name it could not be asked for, or the game says that it is not to be edited. */
function problemOf({
  plugin,
  bytes,
  editable,
  problem,
}: Pick<ListedFile, "plugin" | "bytes" | "editable" | "problem">): Problem | null {
  const told = problems.find((one) => one === problem);
  if (told) return told;
  if (bytes > largestConfig) return "too-large";
  if (typeof problem === "string" || !pluginNamePattern.test(plugin)) return "unreadable";
  return editable === false ? "protected" : null;
}

/** A file as it stands on the game server, secrets and all: it never leaves as it is. */
export interface CurrentFile {
  readonly plugin: string;
  readonly file: string;
  readonly loaded: boolean;
  readonly text: string;
  readonly hash: string;
}

/** @throws {BridgeError} where there is no such file, or the server gave no answer */
export async function readCurrent(
  plugin: string,
  of: ConfigsOf,
  { survival }: SurvivalContext,
): Promise<CurrentFile> {
  refuseIncapable(of);
  const { requestId } = of;
  return survival.call(of.server.id, async (control) => {
    const [{ text, hash }, { files }] = await Promise.all([
      control.read(readConfig, { params: { plugin }, requestId }),
      control.read(listConfigs, { requestId }),
    ]);
    const { file = `${plugin}.json`, loaded = false } =
      files.find((one) => one.plugin === plugin) ?? {};
    return { plugin, file, loaded, text, hash };
  });
}

/** What is no UTF-8 comes with signs in the place of its bytes, and would be written back so. */
const isDamaged = ({ text, hash }: CurrentFile): boolean =>
  text.includes("\uFFFD") && configHash(text) !== hash;

/** @throws AppError for a file that nothing may be based on */
export function refuseUneditable(current: CurrentFile): void {
  if (isTooLarge(current.text)) throw unreadable("The file is larger than 1 MiB");
  if (isDamaged(current)) throw unreadable("The file is not encoded in UTF-8");
}

const unreadable = (message: string, extra = {}): AppError =>
  new AppError("config_unreadable", message, { extra });

/**
 * A plugin's configuration as staff see it: each secret is a mask, which stands for it when it is
 * sent back.
 */
export async function readDocument(plugin: string, of: ConfigsOf, context: SurvivalContext) {
  const current = await readCurrent(plugin, of, context);
  refuseUneditable(current);
  const masked = maskSecrets(current.text);
  if ("fault" in masked) {
    const { line, column, message } = masked.fault;
    throw unreadable(`The file is no JSON that its plugin could read: ${message}`, {
      line,
      column,
    });
  }
  if ("doubled" in masked) {
    throw unreadable(
      "The file has a key twice, so nobody can tell its secrets apart",
      masked.doubled,
    );
  }
  const { file, hash, loaded } = current;
  return {
    plugin,
    file,
    text: masked.text,
    hash,
    readAt: await readClock(context.sequelize),
    loaded,
    secretsMasked: masked.secretsMasked,
  };
}
