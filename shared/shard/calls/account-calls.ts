import { declareCommand, declareRead } from "../../platform/bridge/calls/call.ts";
import {
  verbatimText,
  field,
  listOf,
  objectSchema,
  text,
} from "../../platform/bridge/payload-fields.ts";
import {
  createAccountAnswer,
  healthAnswer,
  linksAnswer,
  emptyAnswer,
  redeemLinkAnswer,
  type SignupMode,
  signupModeAnswer,
  unlinkAnswer,
} from "./bridge-answers.ts";
import {
  characterAnswer,
  characterExample,
  type CharacterSheet,
  type OwnVendors,
  type Roster,
  rosterAnswer,
  rosterExample,
  vendorsAnswer,
  vendorsExample,
} from "./character-answers.ts";

// This file declares the calls for accounts and characters. `shard-calls.ts` lists all calls of the shard.

export const shardProtocols = [7, 8] as const;

interface ByAccount {
  readonly params: { readonly account: string };
}

const account = "Name of the game account.";
const exampleTime = 1_764_200_000_000;

export const healthCall = declareRead({
  method: "GET",
  path: "/v1/health",
  answer: healthAnswer,
  docs: {
    about: "Return the state of the sidecar and of the game process.",
    example: {
      answer: {
        protocol: 8,
        pluginConnected: true,
        bootId: "5a7d2b1e-93a7-4d0c-a2d5-3d7f7a1f5d20",
        uptimeSec: 86_400,
        capabilities: ["links", "towncrier"],
      },
    },
  },
});

/** Requests snapshots of states that may be stale; they arrive over the socket. */
export const resyncCall = declareCommand<object, { body: { families: readonly string[] } }>({
  method: "POST",
  path: "/v1/resync",
  answer: emptyAnswer,
  docs: {
    about:
      "Send a snapshot of each listed family, as events. Answer with status 202 before you send " +
      "the snapshots.",
    body: objectSchema({
      families: field(listOf(text()), "Families of which the site needs snapshots."),
    }),
    example: { body: { families: ["market", "house"] }, answer: {} },
  },
});

/** Creates an account. The shard hashes the password and links the account to the actor if it can. */
export const createAccountCall = declareCommand<
  { account: string; linked: boolean },
  { body: { account: string; password: string; ip: string } }
>({
  method: "POST",
  path: "/v1/accounts",
  answer: createAccountAnswer,
  docs: {
    about:
      "Create a game account. If the game supports links, also link the account to the user who " +
      "makes the call.",
    body: objectSchema({
      account: field(verbatimText(), account),
      password: field(text(), "Password of the account. Store only a hash of it."),
      ip: field(text(), "IP address of the user."),
    }),
    codes: ["SIGNUP_CLOSED", "TAKEN", "LIMIT"],
    example: {
      body: { account: "maple", password: "a-long-walk-to-Luna", ip: "203.0.113.7" },
      answer: { account: "maple", linked: true },
    },
  },
});

export const getSignupModeCall = declareRead({
  method: "GET",
  path: "/v1/signup-mode",
  answer: signupModeAnswer,
  docs: {
    about: "Return where players can create game accounts.",
    example: { answer: { mode: "hybrid" } },
  },
});

export const setSignupModeCall = declareCommand<
  { mode: SignupMode },
  { body: { mode: SignupMode } }
>({
  method: "PUT",
  path: "/v1/signup-mode",
  answer: signupModeAnswer,
  docs: {
    about: "Set where players can create game accounts.",
    body: signupModeAnswer,
    example: { body: { mode: "website" }, answer: { mode: "website" } },
  },
});

/** Links an account to the actor. Its player received the code in the game. */
export const redeemLinkCall = declareCommand<
  { account: string; access: string; linkedAt: number },
  { body: { code: string } }
>({
  method: "POST",
  path: "/v1/links/redeem",
  answer: redeemLinkAnswer,
  docs: {
    about:
      "Link a game account to the user who makes the call: the account of the player who " +
      "received the code in the game. A code links only one user; if the same user sends it " +
      "again, return the same answer.",
    body: objectSchema({ code: field(text(), "Link code, as the user typed it.") }),
    codes: ["NOT_FOUND", "TAKEN"],
    example: {
      body: { code: "8F3K-22QX" },
      answer: { account: "maple", access: "Player", linkedAt: exampleTime },
    },
  },
});

export const listLinksCall = declareRead({
  method: "GET",
  path: "/v1/links",
  answer: linksAnswer,
  docs: {
    about:
      "Return all links between game accounts and users of the site. The site makes this call " +
      "after each `hello`.",
    example: { answer: { links: [{ account: "maple", userId: 42, linkedAt: exampleTime }] } },
  },
});

export const unlinkCall = declareCommand<{ account: string; unlinked: boolean }, ByAccount>({
  method: "DELETE",
  path: "/v1/links/:account",
  answer: unlinkAnswer,
  docs: {
    about: "Remove the link of a game account.",
    params: { account },
    codes: ["NOT_FOUND", "PROTECTED"],
    example: { params: { account: "maple" }, answer: { account: "maple", unlinked: true } },
  },
});

export const getRosterCall = declareRead<Roster, ByAccount>({
  method: "GET",
  path: "/v1/accounts/:account/roster",
  answer: rosterAnswer,
  docs: {
    about: "Return the characters of a game account.",
    params: { account },
    codes: ["NOT_FOUND"],
    example: { params: { account: "maple" }, answer: rosterExample },
  },
});

export const getVendorsCall = declareRead<OwnVendors, ByAccount>({
  method: "GET",
  path: "/v1/accounts/:account/vendors",
  answer: vendorsAnswer,
  docs: {
    about: "Return the player vendors of a game account.",
    params: { account },
    codes: ["NOT_FOUND"],
    example: { params: { account: "maple" }, answer: vendorsExample },
  },
});

export const getCharacterCall = declareRead<CharacterSheet, { params: { serial: string } }>({
  method: "GET",
  path: "/v1/characters/:serial",
  answer: characterAnswer,
  docs: {
    about: "Return the sheet of a character: stats, skills, equipment and more.",
    params: { serial: "Serial of the character." },
    codes: ["NOT_FOUND"],
    example: { params: { serial: characterExample.serial }, answer: characterExample },
  },
});
