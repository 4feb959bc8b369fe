import type { Sequelize } from "sequelize";

import { defineSteamLink } from "./survival/steam-link.ts";
import { defineSurvivalClanBoard } from "./survival/survival-clan-board.ts";
import { defineSurvivalClanMember } from "./survival/survival-clan-member.ts";
import { defineSurvivalClan } from "./survival/survival-clan.ts";
import { defineSurvivalConfigWrite } from "./survival/survival-config-write.ts";
import { defineSurvivalEntitlement } from "./survival/survival-entitlement.ts";
import { defineSurvivalEvent } from "./survival/survival-event.ts";
import { defineSurvivalGrant } from "./survival/survival-grant.ts";
import { defineSurvivalKillLeader } from "./survival/survival-kill-leader.ts";
import { defineSurvivalLedgerEntry } from "./survival/survival-ledger-entry.ts";
import { defineSurvivalLinkCode } from "./survival/survival-link-code.ts";
import { defineSurvivalMapImage } from "./survival/survival-map-image.ts";
import { defineSurvivalNotice } from "./survival/survival-notice.ts";
import { defineSurvivalNpcKill } from "./survival/survival-npc-kill.ts";
import { defineSurvivalParticipation } from "./survival/survival-participation.ts";
import { defineSurvivalPermissionGroup } from "./survival/survival-permission-group.ts";
import { defineSurvivalPermissionInventory } from "./survival/survival-permission-inventory.ts";
import { defineSurvivalPermissionRow } from "./survival/survival-permission-row.ts";
import { defineSurvivalPresence } from "./survival/survival-presence.ts";
import { defineSurvivalPush } from "./survival/survival-push.ts";
import { defineSurvivalScore } from "./survival/survival-score.ts";
import { defineSurvivalServerState } from "./survival/survival-server-state.ts";
import { defineSurvivalServer } from "./survival/survival-server.ts";
import { defineSurvivalSighting } from "./survival/survival-sighting.ts";
import { defineSurvivalTally } from "./survival/survival-tally.ts";
import { defineSurvivalTitleRule } from "./survival/survival-title-rule.ts";
import { defineSurvivalTitleServer } from "./survival/survival-title-server.ts";
import { defineSurvivalTitleText } from "./survival/survival-title-text.ts";
import { defineSurvivalVisibility } from "./survival/survival-visibility.ts";
import { defineSurvivalVoice } from "./survival/survival-voice.ts";
import { defineSurvivalWipe } from "./survival/survival-wipe.ts";
import { defineSurvivalZoneLease } from "./survival/survival-zone-lease.ts";
import { defineSurvivalZonePreset } from "./survival/survival-zone-preset.ts";

/** The models of survival servers. */
export const defineSurvival = (sequelize: Sequelize) => ({
  SurvivalServer: defineSurvivalServer(sequelize),
  SurvivalServerState: defineSurvivalServerState(sequelize),
  SurvivalEvent: defineSurvivalEvent(sequelize),
  SurvivalNotice: defineSurvivalNotice(sequelize),
  SurvivalWipe: defineSurvivalWipe(sequelize),
  SurvivalMapImage: defineSurvivalMapImage(sequelize),
  SurvivalSighting: defineSurvivalSighting(sequelize),
  SurvivalPresence: defineSurvivalPresence(sequelize),
  SurvivalTally: defineSurvivalTally(sequelize),
  SurvivalScore: defineSurvivalScore(sequelize),
  SurvivalLinkCode: defineSurvivalLinkCode(sequelize),
  SurvivalKillLeader: defineSurvivalKillLeader(sequelize),
  SurvivalNpcKill: defineSurvivalNpcKill(sequelize),
  SurvivalClan: defineSurvivalClan(sequelize),
  SurvivalClanMember: defineSurvivalClanMember(sequelize),
  SurvivalClanBoard: defineSurvivalClanBoard(sequelize),
  SteamLink: defineSteamLink(sequelize),
  SurvivalLedgerEntry: defineSurvivalLedgerEntry(sequelize),
  SurvivalConfigWrite: defineSurvivalConfigWrite(sequelize),
  SurvivalVisibility: defineSurvivalVisibility(sequelize),
  SurvivalTitleText: defineSurvivalTitleText(sequelize),
  SurvivalTitleRule: defineSurvivalTitleRule(sequelize),
  SurvivalTitleServer: defineSurvivalTitleServer(sequelize),
  SurvivalVoice: defineSurvivalVoice(sequelize),
  SurvivalPush: defineSurvivalPush(sequelize),
  SurvivalPermissionGroup: defineSurvivalPermissionGroup(sequelize),
  SurvivalPermissionRow: defineSurvivalPermissionRow(sequelize),
  SurvivalGrant: defineSurvivalGrant(sequelize),
  SurvivalPermissionInventory: defineSurvivalPermissionInventory(sequelize),
  SurvivalZonePreset: defineSurvivalZonePreset(sequelize),
  SurvivalZoneLease: defineSurvivalZoneLease(sequelize),
  SurvivalParticipation: defineSurvivalParticipation(sequelize),
  SurvivalEntitlement: defineSurvivalEntitlement(sequelize),
});
