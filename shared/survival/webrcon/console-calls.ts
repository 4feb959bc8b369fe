import Joi from "joi";

import { isObject } from "../../platform/bridge/json-text.ts";
import type { CommandOutcome } from "../../platform/plugin/commands.ts";
import { pushPermissionsCall } from "../calls/permission-calls.ts";
import { survivalProtocols } from "../calls/server-calls.ts";
import type { PermissionSyncBody } from "../permissions/permission-sync.ts";
import type { ModLoader } from "./console-answers.ts";
import { type ConsoleCall, createSuccessOutcome, createRefusalOutcome } from "./console-types.ts";
import {
  showAnnouncement,
  banPlayer,
  type ModerationCallContext,
  kickPlayer,
  listBans,
  unbanPlayer,
} from "./moderation-calls.ts";
import type { PermissionCalls } from "./permission-calls.ts";

export interface ConsoleCallContext extends ModerationCallContext {
  readonly permissions: PermissionCalls;
}

type Handler = (
  call: ConsoleCall,
  parts: ConsoleCallContext,
) => CommandOutcome | Promise<CommandOutcome>;

const withLoader =
  (handle: (loader: ModLoader, call: ConsoleCall, parts: ConsoleCallContext) => CommandOutcome) =>
  (call: ConsoleCall, parts: ConsoleCallContext): CommandOutcome => {
    const loader = parts.conversation.facts?.loader;
    return loader
      ? handle(loader, call, parts)
      : createRefusalOutcome("UNSUPPORTED", "the game has no mod loader with permissions");
  };

/** CATALOGUE of the calls that a console can execute. */
const handlers = new Map<string, Handler>(
  Object.entries({
    "GET /v1/health": () =>
      createSuccessOutcome({ protocol: survivalProtocols[0], pluginConnected: true }),
    "GET /v1/hello": (_call, { conversation }) => createSuccessOutcome(conversation.hello ?? {}),
    "POST /v1/resync": ({ body }, parts) => resync(body, parts),
    "POST /v1/announce": ({ body }, parts) => showAnnouncement(body, parts),
    "POST /v1/players/kick": ({ body }, parts) => kickPlayer(body, parts),
    "POST /v1/players/ban": ({ body }, parts) => banPlayer(body, parts),
    "POST /v1/players/unban": ({ body }, parts) => unbanPlayer(body, parts),
    "GET /v1/players/bans": (_call, parts) => listBans(parts),
    "GET /v1/perm/inventory": withLoader((loader, _call, { permissions }) =>
      permissions.inventory(loader),
    ),
    "POST /v1/perm/push": withLoader((loader, { body }, { permissions }) => {
      const { error, value } = pushBody.validate(body);
      const field = String(error?.details[0]?.path[0] ?? "body");
      if (error) return createRefusalOutcome("INVALID", error.message, field);
      return permissions.push(value as PermissionSyncBody, loader);
    }),
  } satisfies Record<string, Handler>),
);

const pushBody = pushPermissionsCall.docs?.body ?? Joi.object();

/** Executes a call of the site. The outcome has the form of a sidecar's answer. */
export async function executeCall(
  call: ConsoleCall,
  parts: ConsoleCallContext,
): Promise<CommandOutcome> {
  const handle = handlers.get(call.call);
  if (!handle) return createRefusalOutcome("UNSUPPORTED", "a console cannot do this");
  return handle(call, parts);
}

function resync(body: object | null, parts: ConsoleCallContext): CommandOutcome {
  const given: unknown = isObject(body) ? body.families : [];
  const families = Array.isArray(given) ? given.map(String) : [];
  const { conversation, permissions } = parts;
  void conversation.resend(families);
  const loader = conversation.facts?.loader;
  if (loader && families.includes("permissions")) permissions.inventory(loader);
  return createSuccessOutcome({}, 202);
}
