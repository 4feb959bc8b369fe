import type { Sequelize } from "sequelize";

import type { Models } from "../../models/index.ts";
import type { SurvivalServer } from "../../models/survival/survival-server.ts";
import { BridgeError } from "../platform/bridge/bridge-error.ts";
import {
  type ControlClient,
  type ControlOptions,
  createControlClient,
  SharedControlClient,
} from "../platform/bridge/calls/control.ts";
import type { Config } from "../platform/config/config.ts";
import { sealText, type SecretsKeys, unsealText } from "../platform/crypto/sealed.ts";
import type { Listener } from "../platform/notify/listener.ts";
import { createPluginControlClient } from "../platform/plugin/control.ts";
import { sourceNameOf } from "./server-locks.ts";

/** The stored columns of a server's link. */
export type StoredServerLink = Pick<
  SurvivalServer,
  | "id"
  | "enabled"
  | "kind"
  | "baseUrl"
  | "wsUrl"
  | "tokenSealed"
  | "protocol"
  | "rconHost"
  | "rconPort"
  | "rconPasswordSealed"
  | "rconTls"
>;

export const serverLinkColumns = [
  "id",
  "enabled",
  "kind",
  "baseUrl",
  "wsUrl",
  "tokenSealed",
  "protocol",
  "rconHost",
  "rconPort",
  "rconPasswordSealed",
  "rconTls",
] as const satisfies readonly (keyof StoredServerLink)[];

/** A server that the site reaches through a sidecar. */
export interface ServerSidecar {
  readonly kind: "sidecar";
  readonly baseUrl: string;
  readonly wsUrl: string;
  readonly token: string;
  readonly protocol: number;
}

/** A server whose plugin connects to the site. */
export interface ServerPlugin {
  readonly kind: "plugin";
  readonly source: string;
  readonly protocol: number;
}

/** A server whose own console the site uses. The owner of the source executes the calls. */
export interface ServerConsole {
  readonly kind: "webrcon";
  readonly source: string;
  readonly protocol: number;
  readonly host: string;
  readonly port: number;
  readonly password: string;
  /** True for a console with TLS (`wss`). */
  readonly isSecure: boolean;
}

export type ServerLink = ServerSidecar | ServerPlugin | ServerConsole;

/** The protocol version of the calls that plugins and consoles implement. */
export const pluginCallsProtocol = 13;

/** The context with which a server's token is sealed. */
export const serverTokenSealContext = (serverId: number): string =>
  `survival server ${serverId}|token`;

/** The context with which the password of a server's console is sealed. */
export const rconPasswordSealContext = (serverId: number): string =>
  `survival server ${serverId}|rcon password`;

export const sealRconPassword = (serverId: number, password: string, keys: SecretsKeys): string =>
  sealText(password, rconPasswordSealContext(serverId), keys);

export const sealServerToken = (serverId: number, token: string, keys: SecretsKeys): string =>
  sealText(token, serverTokenSealContext(serverId), keys);

/** Returns a link; null if incomplete. @throws {UnreadableSecretError} if its secret cannot be decrypted */
export function serverLinkOf(stored: StoredServerLink, keys: SecretsKeys): ServerLink | null {
  const { id, kind, baseUrl, wsUrl, tokenSealed, protocol } = stored;
  if (kind === "plugin") return { kind, source: sourceNameOf(id), protocol: pluginCallsProtocol };
  if (kind === "webrcon") return consoleOf(stored, keys);
  if (tokenSealed === null || baseUrl === "" || wsUrl === "") return null;
  const token = unsealText(tokenSealed, serverTokenSealContext(id), keys);
  return { kind, baseUrl, wsUrl, protocol, token };
}

function consoleOf(
  { id, rconHost, rconPort, rconPasswordSealed, rconTls }: StoredServerLink,
  keys: SecretsKeys,
): ServerConsole | null {
  if (rconHost === "" || rconPasswordSealed === null) return null;
  return {
    kind: "webrcon",
    source: sourceNameOf(id),
    protocol: pluginCallsProtocol,
    host: rconHost,
    port: rconPort,
    password: unsealText(rconPasswordSealed, rconPasswordSealContext(id), keys),
    isSecure: rconTls,
  };
}

interface ServerControlParts {
  readonly config: Pick<Config, "JWT_KEYS" | "SECRETS_KEYS">;
  readonly models: Models;
  readonly sequelize: Sequelize;
  readonly listener: Listener;
}

/** Connections for calls to the survival servers, shared by all calls of a process. */
export class ServerControlClients {
  readonly #parts: ServerControlParts;
  readonly #open = new Map<
    number,
    { readonly link: string; readonly control: SharedControlClient }
  >();

  constructor(parts: ServerControlParts) {
    this.#parts = parts;
  }

  /** Calls a server by its stored link. @throws {BridgeError} also if the server is disabled */
  async call<Answer>(
    serverId: number,
    make: (control: ControlClient) => Promise<Answer>,
  ): Promise<Answer> {
    const link = await this.#readLink(serverId);
    if (!link) {
      this.#retire(serverId);
      throw new BridgeError("SHARD_DOWN", {
        reason: "the server is disabled",
        retryAfter: 10,
        isUnsent: true,
      });
    }
    return this.#controlOf(serverId, link).run(make);
  }

  /** Opens a connection for one caller, who must close it. */
  connect(link: ServerLink, options?: ControlOptions): ControlClient {
    if (link.kind === "sidecar") return createControlClient(link, options);
    const { source, protocol, kind } = link;
    const executor = kind === "webrcon" ? "console" : "plugin";
    return createPluginControlClient({ source, protocol, executor }, this.#parts, options);
  }

  /** Closes the connections. Calls in progress keep their connections until the calls end. */
  close(): Promise<void> {
    for (const serverId of this.#open.keys()) this.#retire(serverId);
    return Promise.resolve();
  }

  async #readLink(serverId: number): Promise<ServerLink | null> {
    const { models, config } = this.#parts;
    const stored = await models.SurvivalServer.findByPk(serverId, {
      attributes: [...serverLinkColumns],
      raw: true,
    });
    return stored?.enabled ? serverLinkOf(stored, config.SECRETS_KEYS) : null;
  }

  #controlOf(serverId: number, link: ServerLink): SharedControlClient {
    const identity = JSON.stringify(link);
    const open = this.#open.get(serverId);
    if (open?.link === identity) return open.control;
    open?.control.closeWhenIdle();
    const control = new SharedControlClient(this.connect(link));
    this.#open.set(serverId, { link: identity, control });
    return control;
  }

  #retire(serverId: number): void {
    this.#open.get(serverId)?.control.closeWhenIdle();
    this.#open.delete(serverId);
  }
}
