import type { AnyCall } from "../../platform/bridge/calls/control.ts";
import * as accounts from "./account-calls.ts";
import { getAssetKeysCall, getAssetManifestCall } from "./asset-calls.ts";
import { getAssetImagesCall } from "./asset-images.ts";
import { getAtlasManifestCall, getAtlasRecordsCall } from "./atlas-calls.ts";
import { resolveBodiesCall } from "./body-calls.ts";
import { getClilocEntriesCall, getClilocManifestCall } from "./cliloc-calls.ts";
import * as staff from "./staff-calls.ts";

/** CATALOGUE of the calls to a shard, ordered for readers who write a plugin. */
export const shardCalls: readonly AnyCall<unknown>[] = [
  accounts.healthCall,
  accounts.resyncCall,
  staff.broadcastCall,
  staff.kickCall,
  staff.banCall,
  staff.unbanCall,
  accounts.redeemLinkCall,
  accounts.listLinksCall,
  accounts.unlinkCall,
  accounts.getRosterCall,
  accounts.getVendorsCall,
  accounts.getCharacterCall,
  accounts.createAccountCall,
  accounts.getSignupModeCall,
  accounts.setSignupModeCall,
  staff.listTownCrierCall,
  staff.addTownCrierCall,
  staff.removeTownCrierCall,
  staff.listHelpPagesCall,
  staff.respondToHelpPageCall,
  staff.closeHelpPageCall,
  staff.startChampionCall,
  staff.stopChampionCall,
  getClilocManifestCall,
  getClilocEntriesCall,
  getAssetManifestCall,
  getAssetKeysCall,
  getAssetImagesCall,
  resolveBodiesCall,
  getAtlasManifestCall,
  getAtlasRecordsCall,
];
