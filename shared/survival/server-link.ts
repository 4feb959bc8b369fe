import type { Sequelize } from "sequelize";

import type { Models } from "../../models/index.ts";
import type { SurvivalServer } from "../../models/survival/survival-server.ts";
import { BridgeError } from "../platform/bridge/bridge-error.ts";
import {
  type Control,
  type ControlOptions,
  createControl,
  SharedControl,
} from "../platform/bridge/calls/control.ts";
import type { Config } from "../platform/config/config.ts";
import { seal, type SecretsKeys, unseal } from "../platform/crypto/sealed.ts";
import type { Listener } from "../platform/notify/listener.ts";
import { createPluginControl } from "../platform/plugin/control.ts";
import { sourceNameOf } from "./server-rows.ts";

/** What the link to a survival server is read from. */
export type StoredServerLink = Pick<
  SurvivalServer,
  "id" | "enabled" | "kind" | "baseUrl" | "wsUrl" | "tokenSealed" | "protocol"
>;

export const serverLinkColumns = [
  "id",
  "enabled",
  "kind",
  "baseUrl",
  "wsUrl",
  "tokenSealed",
  "protocol",
] as const satisfies readonly (keyof StoredServerLink)[];

/** A sidecar that can be dialed. */
export interface ServerSidecar {
  readonly kind: "sidecar";
  readonly baseUrl: string;
  readonly wsUrl: string;
  readonly token: string;
  readonly protocol: number;
}

/** A plugin that calls the site. */
export interface ServerPlugin {
  readonly kind: "plugin";
  readonly source: string;
  readonly protocol: number;
}

/** A link that can be used. */
export type ServerLink = ServerSidecar | ServerPlugin;

/** Version of the calls of survival servers that plugins implement. */
export const pluginCallsProtocol = 13;

/** A token of one server opens no other's. */
export const serverTokenSealContext = (serverId: number): string =>
  `survival server ${serverId}|token`;

export const sealServerToken = (serverId: number, token: string, keys: SecretsKeys): string =>
  seal(token, serverTokenSealContext(serverId), keys);

/**
 * The link as it can be used, whether the server is enabled or not; null where it is incomplete.
 * @throws {UnreadableSecret} when the stored token cannot be read
 */
export function serverLinkOf(stored: StoredServerLink, keys: SecretsKeys): ServerLink | null {
  const { id, kind, baseUrl, wsUrl, tokenSealed, protocol } = stored;
  if (kind === "plugin") return { kind, source: sourceNameOf(id), protocol: pluginCallsProtocol };
  if (kind !== "sidecar" || tokenSealed === null || baseUrl === "" || wsUrl === "") return null;
  const token = unseal(tokenSealed, serverTokenSealContext(id), keys);
  return { kind, baseUrl, wsUrl, protocol, token };
}

interface ServerControlParts {
  readonly config: Pick<Config, "JWT_KEYS" | "SECRETS_KEYS">;
  readonly models: Models;
  readonly sequelize: Sequelize;
  readonly listener: Listener;
}

/** The control planes of the survival servers, with connections that the calls of a process share. */
export class ServerControls {
  readonly #parts: ServerControlParts;
  readonly #open = new Map<number, { readonly link: string; readonly control: SharedControl }>();

  constructor(parts: ServerControlParts) {
    this.#parts = parts;
  }

  /**
   * Makes a call to a server's sidecar, by the link as it is stored now.
   * @throws {BridgeError} when there is no good answer, `SHARD_DOWN` while the server is disabled
   */
  async call<Answer>(
    serverId: number,
    make: (control: Control) => Promise<Answer>,
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
    return this.#controlOf(serverId, link).lend(make);
  }

  /** Connections for one caller alone, who closes them. */
  connect(link: ServerLink, options?: ControlOptions): Control {
    if (link.kind === "plugin") return createPluginControl(link, this.#parts, options);
    return createControl(link, options);
  }

  /** Gives the connections up; calls that are under way keep theirs until they end. */
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

  #controlOf(serverId: number, link: ServerLink): SharedControl {
    const identity = JSON.stringify(link);
    const open = this.#open.get(serverId);
    if (open?.link === identity) return open.control;
    open?.control.retire();
    const control = new SharedControl(this.connect(link));
    this.#open.set(serverId, { link: identity, control });
    return control;
  }

  #retire(serverId: number): void {
    this.#open.get(serverId)?.control.retire();
    this.#open.delete(serverId);
  }
}
