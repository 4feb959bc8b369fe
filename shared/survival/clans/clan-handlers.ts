import type { Handlers } from "../kinds/handler.ts";
import { followClan, followMember } from "./follow-clan.ts";
import { storeBoard } from "./store-board.ts";
import { storeRoster } from "./store-roster.ts";

export const clanHandlers: Handlers = {
  "clan.board": (taken, ground) => storeBoard(taken, ground),
  "clan.roster": (taken, ground) => storeRoster(taken, ground),
  "clan.created": ({ payload, t }, ground) => followClan("lives", { ...payload, t }, ground),
  "clan.disbanded": ({ payload, t }, ground) => followClan("ended", { ...payload, t }, ground),
  "clan.changed": ({ payload, t }, ground) => followClan("told", { ...payload, t }, ground),
  "clan.member.added": ({ payload, t }, ground) => followMember("added", { ...payload, t }, ground),
  "clan.member.left": ({ payload, t }, ground) => followMember("gone", { ...payload, t }, ground),
  "clan.member.kicked": ({ payload, t }, ground) => followMember("gone", { ...payload, t }, ground),
};
