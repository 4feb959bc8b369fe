import { createHash } from "node:crypto";

import { BridgeError } from "../../platform/bridge/bridge-error.ts";
import type { ReadCall } from "../../platform/bridge/calls/call.ts";
import { readClock } from "../../platform/db/clock.ts";
import { AppError } from "../../platform/errors/errors.ts";
import { lacksCapability } from "../calls/call-rules.ts";
import { listConfigsCall, readConfigCall } from "../calls/config-calls.ts";
import type { SurvivalContext } from "../context.ts";
import { maskSecrets } from "./config-secrets.ts";

/** The name of a plugin and of its file: no dots and slashes, so that the file stays in its folder. */
export const pluginNamePattern = /^[A-Za-z0-9_]{1,64}$/;

/** Maximum size of a configuration, in bytes of UTF-8. */
export const maxConfigBytes = 1024 * 1024;

export const isConfigTooLarge = (text: string): boolean =>
  text.length > maxConfigBytes || Buffer.byteLength(text) > maxConfigBytes;

/** Returns the SHA-256 of a file's bytes, in hexadecimal. */
export const configHash = (text: string | Uint8Array): string =>
  createHash("sha256").update(text).digest("hex");

/** A server whose plugin configurations are requested, and the id of the API request. */
export interface ConfigRequest {
  readonly server: { readonly id: number };
  /** The server's last hello. */
  readonly hello: object | null;
  readonly requestId: string;
}

const problems = ["too-large", "unreadable", "protected"] as const;
type Problem = (typeof problems)[number];

export async function listConfigFiles(
  of: ConfigRequest,
  { survival }: SurvivalContext,
): Promise<{ files: object[]; online: boolean }> {
  requireConfigCapability(of);
  try {
    const { files } = await survival.call(of.server.id, (control) =>
      control.read(listConfigsCall, { requestId: of.requestId }),
    );
    return { files: files.map(viewFile), online: true };
  } catch (error) {
    if (error instanceof BridgeError && error.code === "SHARD_DOWN") {
      return { files: [], online: false };
    }
    throw error;
  }
}

/** Refuses a server whose plugin lacks the capability. @throws BridgeError */
function requireConfigCapability({ hello }: ConfigRequest): void {
  const state = hello && { hello: hello as Readonly<Record<string, unknown>> };
  if (lacksCapability(state, "config")) throw new BridgeError("UNSUPPORTED");
}

type ListedFile = (typeof listConfigsCall extends ReadCall<infer Answer>
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

/** Returns why a listed file cannot be edited or read; null if both are possible. */
function problemOf({
  plugin,
  bytes,
  editable,
  problem,
}: Pick<ListedFile, "plugin" | "bytes" | "editable" | "problem">): Problem | null {
  const told = problems.find((one) => one === problem);
  if (told) return told;
  if (bytes > maxConfigBytes) return "too-large";
  if (typeof problem === "string" || !pluginNamePattern.test(plugin)) return "unreadable";
  return editable === false ? "protected" : null;
}

/** A file of the game server, including its secrets. It must not leave the site unmasked. */
export interface ConfigFile {
  readonly plugin: string;
  readonly file: string;
  readonly loaded: boolean;
  readonly text: string;
  readonly hash: string;
}

/** @throws {BridgeError} if the game server lacks the file or did not answer */
export async function readConfigFile(
  plugin: string,
  of: ConfigRequest,
  { survival }: SurvivalContext,
): Promise<ConfigFile> {
  requireConfigCapability(of);
  const { requestId } = of;
  return survival.call(of.server.id, async (control) => {
    const [{ text, hash }, { files }] = await Promise.all([
      control.read(readConfigCall, { params: { plugin }, requestId }),
      control.read(listConfigsCall, { requestId }),
    ]);
    const { file = `${plugin}.json`, loaded = false } =
      files.find((one) => one.plugin === plugin) ?? {};
    return { plugin, file, loaded, text, hash };
  });
}

/**
 * True if the file is not UTF-8. Its text arrives with replacement characters, which must not be written back.
 */
const isDamaged = ({ text, hash }: ConfigFile): boolean =>
  text.includes("\uFFFD") && configHash(text) !== hash;

/** @throws AppError for a file that cannot be changed */
export function requireEditableConfig(current: ConfigFile): void {
  if (isConfigTooLarge(current.text)) throw unreadableError("The file is larger than 1 MiB");
  if (isDamaged(current)) throw unreadableError("The file is not encoded in UTF-8");
}

const unreadableError = (message: string, extra = {}): AppError =>
  new AppError("config_unreadable", message, { extra });

/**
 * Reads a configuration for staff with masked secrets. In a text that a client sends back, each mask stands for
 * its secret.
 */
export async function readMaskedConfig(
  plugin: string,
  of: ConfigRequest,
  context: SurvivalContext,
) {
  const current = await readConfigFile(plugin, of, context);
  requireEditableConfig(current);
  const masked = maskSecrets(current.text);
  if ("fault" in masked) {
    const { line, column, message } = masked.fault;
    throw unreadableError(`The file is not JSON that its plugin can read: ${message}`, {
      line,
      column,
    });
  }
  if ("doubled" in masked) {
    throw unreadableError(
      "The file contains a key twice, so the site cannot tell its secrets apart",
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
