import type { FileCall } from "../../platform/bridge/calls/call.ts";
import type { AnyCall } from "../../platform/bridge/calls/control.ts";
import type { Capability } from "../kinds/kind.ts";
import { listConfigs, readConfig, writeConfig } from "./config-calls.ts";
import {
  banFromServer,
  kickFromServer,
  listServerBans,
  unbanFromServer,
} from "./moderation-calls.ts";
import {
  renameNpcPlacement,
  respawnNpcPlacement,
  setNpcPlacements,
  setNpcProfiles,
} from "./npc-calls.ts";
import { pushPermissions, requestInventory } from "./permission-calls.ts";
import { collectParticipationCall, entitleKitCall, openParticipationCall } from "./reward-calls.ts";
import {
  fetchMapImage,
  listIntegrations,
  requestMapRender,
  redeemCode,
  requestResync,
  sendAnnouncement,
  serverHealth,
  serverHello,
} from "./server-calls.ts";
import { setTitles, setMessageStyle } from "./speech-calls.ts";
import { closeZoneCall, openZoneCall, renewZoneCall } from "./zone-calls.ts";

type SurvivalCall = AnyCall<unknown> | FileCall;

/** Calls that every plugin supports. */
export const commonSurvivalCalls: readonly SurvivalCall[] = [
  serverHealth,
  serverHello,
  requestResync,
];

/** CATALOGUE of the other calls to survival servers, by the required capability. */
export const survivalCalls: Readonly<Record<Capability, readonly SurvivalCall[]>> = {
  announce: [sendAnnouncement],
  link: [redeemCode],
  map: [fetchMapImage, requestMapRender],
  perm: [requestInventory, pushPermissions],
  npc: [setNpcProfiles, setNpcPlacements, renameNpcPlacement, respawnNpcPlacement],
  zones: [openZoneCall, renewZoneCall, closeZoneCall],
  participation: [openParticipationCall, collectParticipationCall],
  kits: [entitleKitCall],
  titles: [setTitles],
  voice: [setMessageStyle],
  config: [listConfigs, readConfig, writeConfig],
  integrations: [listIntegrations],
  moderation: [kickFromServer, banFromServer, unbanFromServer, listServerBans],
};
