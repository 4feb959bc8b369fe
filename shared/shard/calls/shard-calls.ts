import type { AnyCall } from "../../platform/bridge/calls/control.ts";
import * as accounts from "./account-calls.ts";
import { getAssetKeys, getAssetManifest } from "./asset-calls.ts";
import { getImages } from "./asset-images.ts";
import { getAtlasManifest, getAtlasRecords } from "./atlas-calls.ts";
import { resolveBodies } from "./body-calls.ts";
import { getClilocEntries, getClilocManifest } from "./cliloc-calls.ts";
import * as staff from "./staff-calls.ts";

/** CATALOGUE of the calls to a shard, ordered for readers who write a plugin. */
export const shardCalls: readonly AnyCall<unknown>[] = [
  accounts.healthCall,
  accounts.resyncCall,
  staff.broadcastCall,
  staff.kickCall,
  staff.banCall,
  staff.unbanCall,
  accounts.redeemLink,
  accounts.listLinks,
  accounts.unlinkCall,
  accounts.getRoster,
  accounts.getVendors,
  accounts.getCharacter,
  accounts.createAccount,
  accounts.getSignupMode,
  accounts.setSignupMode,
  staff.listTownCrier,
  staff.addTownCrier,
  staff.removeTownCrier,
  staff.listPages,
  staff.respondToPage,
  staff.closePage,
  staff.startChampion,
  staff.stopChampion,
  getClilocManifest,
  getClilocEntries,
  getAssetManifest,
  getAssetKeys,
  getImages,
  resolveBodies,
  getAtlasManifest,
  getAtlasRecords,
];
