import type { Sequelize } from "sequelize";

import { defineSurvivalFactionPair } from "./survival/survival-faction-pair.ts";
import { defineSurvivalFactionTable } from "./survival/survival-faction-table.ts";
import { defineSurvivalNpcPlacement } from "./survival/survival-npc-placement.ts";
import { defineSurvivalNpcProfile } from "./survival/survival-npc-profile.ts";
import { defineSurvivalNpcPush } from "./survival/survival-npc-push.ts";
import { defineSurvivalNpcRevision } from "./survival/survival-npc-revision.ts";
import { defineSurvivalNpcServer } from "./survival/survival-npc-server.ts";

/** The NPCs of survival servers. */
export const defineNpcs = (sequelize: Sequelize) => ({
  SurvivalNpcProfile: defineSurvivalNpcProfile(sequelize),
  SurvivalNpcRevision: defineSurvivalNpcRevision(sequelize),
  SurvivalNpcPlacement: defineSurvivalNpcPlacement(sequelize),
  SurvivalNpcServer: defineSurvivalNpcServer(sequelize),
  SurvivalNpcPush: defineSurvivalNpcPush(sequelize),
  SurvivalFactionPair: defineSurvivalFactionPair(sequelize),
  SurvivalFactionTable: defineSurvivalFactionTable(sequelize),
});
