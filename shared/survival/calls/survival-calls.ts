import type { FileCall } from "../../platform/bridge/calls/call.ts";
import type { AnyCall } from "../../platform/bridge/calls/control.ts";
import type { Capability } from "../kinds/kind.ts";
import { listConfigsCall, readConfigCall, writeConfigCall } from "./config-calls.ts";
import {
  banFromServer,
  kickFromServer,
  listServerBans,
  unbanFromServer,
} from "./moderation-calls.ts";
import {
  renameNpcPlacementCall,
  respawnNpcPlacementCall,
  setNpcPlacementsCall,
  setNpcProfilesCall,
} from "./npc-calls.ts";
import { pushPermissionsCall, requestInventoryCall } from "./permission-calls.ts";
import { collectParticipationCall, entitleKitCall, openParticipationCall } from "./reward-calls.ts";
import {
  fetchMapImageCall,
  listIntegrationsCall,
  requestMapRenderCall,
  redeemCodeCall,
  requestResyncCall,
  sendAnnouncementCall,
  serverHealthCall,
  serverHelloCall,
} from "./server-calls.ts";
import { setTitlesCall, setMessageStyleCall } from "./speech-calls.ts";
import { closeZoneCall, openZoneCall, renewZoneCall } from "./zone-calls.ts";

type SurvivalCall = AnyCall<unknown> | FileCall;

/** Calls that every plugin supports. */
export const commonSurvivalCalls: readonly SurvivalCall[] = [
  serverHealthCall,
  serverHelloCall,
  requestResyncCall,
];

/** CATALOGUE of the calls that a plugin supports only with a capability, by that capability. */
export const survivalCalls: Readonly<Record<Capability, readonly SurvivalCall[]>> = {
  announce: [sendAnnouncementCall],
  link: [redeemCodeCall],
  map: [fetchMapImageCall, requestMapRenderCall],
  perm: [requestInventoryCall, pushPermissionsCall],
  npc: [setNpcProfilesCall, setNpcPlacementsCall, renameNpcPlacementCall, respawnNpcPlacementCall],
  zones: [openZoneCall, renewZoneCall, closeZoneCall],
  participation: [openParticipationCall, collectParticipationCall],
  kits: [entitleKitCall],
  titles: [setTitlesCall],
  voice: [setMessageStyleCall],
  config: [listConfigsCall, readConfigCall, writeConfigCall],
  integrations: [listIntegrationsCall],
  moderation: [kickFromServer, banFromServer, unbanFromServer, listServerBans],
};
