import { command, read } from "../../bridge/call.ts";
import {
  createdAnswer,
  type Done,
  doneAnswer,
  healthAnswer,
  linksAnswer,
  nothing,
  pagesAnswer,
  redeemedAnswer,
  removedAnswer,
  type SignupMode,
  signupModeAnswer,
  townCrierAnswer,
  type TownCrierEntry,
  townCrierEntry,
  unlinkedAnswer,
} from "./bridge-answers.ts";
import {
  type CharacterSheet,
  characterAnswer,
  type OwnVendors,
  type Roster,
  rosterAnswer,
  vendorsAnswer,
} from "./character-answers.ts";

// CATALOGUE of the shard's calls: accounts, characters and what staff do. Calls that read the files of
// the client and of the world stand beside the imports that make them.

/** Protocols of the shard that this service speaks. */
export const shardProtocols = [7, 8] as const;

interface ByAccount {
  readonly params: { readonly account: string };
}
interface ById {
  readonly params: { readonly id: string };
}

export const health = read({ method: "GET", path: "/v1/health", answer: healthAnswer });

/** Asks for snapshots of states that may be stale; they come over the socket. */
export const resync = command<object, { body: { families: readonly string[] } }>({
  method: "POST",
  path: "/v1/resync",
  answer: nothing,
});

/** The shard hashes the password and links the new account to the actor where it can. */
export const createAccount = command<
  { account: string; linked: boolean },
  { body: { account: string; password: string; ip: string } }
>({ method: "POST", path: "/v1/accounts", answer: createdAnswer });

export const getSignupMode = read({
  method: "GET",
  path: "/v1/signup-mode",
  answer: signupModeAnswer,
});

export const setSignupMode = command<{ mode: SignupMode }, { body: { mode: SignupMode } }>({
  method: "PUT",
  path: "/v1/signup-mode",
  answer: signupModeAnswer,
});

/** Links the account whose player was given the code in the game to the actor. */
export const redeemLink = command<
  { account: string; access: string; linkedAt: number },
  { body: { code: string } }
>({ method: "POST", path: "/v1/links/redeem", answer: redeemedAnswer });

export const listLinks = read({ method: "GET", path: "/v1/links", answer: linksAnswer });

export const unlink = command<{ account: string; unlinked: boolean }, ByAccount>({
  method: "DELETE",
  path: "/v1/links/:account",
  answer: unlinkedAnswer,
});

export const getRoster = read<Roster, ByAccount>({
  method: "GET",
  path: "/v1/accounts/:account/roster",
  answer: rosterAnswer,
});

export const getVendors = read<OwnVendors, ByAccount>({
  method: "GET",
  path: "/v1/accounts/:account/vendors",
  answer: vendorsAnswer,
});

export const getCharacter = read<CharacterSheet, { params: { serial: string } }>({
  method: "GET",
  path: "/v1/characters/:serial",
  answer: characterAnswer,
});

/** The player who is meant: by account, by character or by both. */
interface Target {
  readonly account?: string | undefined;
  readonly serial?: string | undefined;
}

export const kick = command<Done, { body: Target }>({
  method: "POST",
  path: "/v1/kick",
  answer: doneAnswer,
});

export const ban = command<
  Done,
  { body: Target & { durationSec?: number | undefined; reason?: string | undefined } }
>({ method: "POST", path: "/v1/ban", answer: doneAnswer });

export const unban = command<Done, { body: { account: string } }>({
  method: "POST",
  path: "/v1/unban",
  answer: doneAnswer,
});

export const broadcast = command<Done, { body: { text: string; hue?: number | undefined } }>({
  method: "POST",
  path: "/v1/broadcast",
  answer: doneAnswer,
});

export const listTownCrier = read({
  method: "GET",
  path: "/v1/towncrier",
  answer: townCrierAnswer,
});

export const addTownCrier = command<
  TownCrierEntry,
  { body: { lines: readonly string[]; durationSec: number } }
>({ method: "POST", path: "/v1/towncrier", answer: townCrierEntry });

export const removeTownCrier = command<{ id: string; removed: boolean }, ById>({
  method: "DELETE",
  path: "/v1/towncrier/:id",
  answer: removedAnswer,
});

export const listPages = read({ method: "GET", path: "/v1/pages", answer: pagesAnswer });

export const respondToPage = command<
  Done,
  ById & { body: { message: string; close?: boolean | undefined } }
>({ method: "POST", path: "/v1/pages/:id/respond", answer: doneAnswer });

export const closePage = command<Done, ById>({
  method: "POST",
  path: "/v1/pages/:id/close",
  answer: doneAnswer,
});

/** Protocol 7 cannot start or stop a champion. */
const since8 = { protocol: 8, before: "UNSUPPORTED" } as const;

export const startChampion = command<Done, ById>({
  method: "POST",
  path: "/v1/champions/:id/start",
  answer: doneAnswer,
  since: since8,
});

export const stopChampion = command<Done, ById>({
  method: "POST",
  path: "/v1/champions/:id/stop",
  answer: doneAnswer,
  since: since8,
});
