import { command, read } from "../../bridge/call.ts";
import {
  count,
  exactText,
  field,
  flag,
  integer,
  listOf,
  shape,
  text,
} from "../../bridge/payload-fields.ts";
import { serial } from "../values/serial.ts";
import {
  type Done,
  doneAnswer,
  pagesAnswer,
  removedAnswer,
  townCrierAnswer,
  type TownCrierEntry,
  townCrierEntry,
} from "./bridge-answers.ts";

// The calls by which staff act on the shard: moderation, town criers, help pages, champions.

interface ById {
  readonly params: { readonly id: string };
}

/** The player who is meant: by account, by character or by both. */
interface Target {
  readonly account?: string | undefined;
  readonly serial?: string | undefined;
}

const target = {
  account: field(exactText().optional(), "Game account. `account`, `serial` or both are given."),
  serial: field(serial().optional(), "Serial of a character."),
};

const exampleTime = 1_764_200_000_000;

export const kick = command<Done, { body: Target }>({
  method: "POST",
  path: "/v1/kick",
  answer: doneAnswer,
  docs: {
    about:
      "Disconnect a player: the character of the serial, or all characters of the account. The " +
      "answer may say how many: `kicked`, with the `account`.",
    body: shape(target),
    codes: ["NOT_FOUND", "PROTECTED"],
    example: { body: { account: "maple" }, answer: { ok: true, account: "maple", kicked: 1 } },
  },
});

export const ban = command<
  Done,
  { body: Target & { durationSec?: number | undefined; reason?: string | undefined } }
>({
  method: "POST",
  path: "/v1/ban",
  answer: doneAnswer,
  docs: {
    about:
      "Ban a game account and disconnect its characters. The answer may name the `account` and " +
      "the end of the ban in epoch milliseconds: `until`, null for ever.",
    body: shape({
      ...target,
      durationSec: field(count().optional(), "Seconds. 0 or absent: for ever."),
      reason: field(text(256).optional(), "What the player reads."),
    }),
    codes: ["NOT_FOUND", "PROTECTED"],
    example: {
      body: { account: "maple", durationSec: 86_400, reason: "Speed hack" },
      answer: { ok: true, account: "maple", until: exampleTime },
    },
  },
});

export const unban = command<Done, { body: { account: string } }>({
  method: "POST",
  path: "/v1/unban",
  answer: doneAnswer,
  docs: {
    about: "Lift the ban of a game account. The answer may say whether it was banned: `wasBanned`.",
    body: shape({ account: field(exactText(), "Game account.") }),
    codes: ["NOT_FOUND"],
    example: {
      body: { account: "maple" },
      answer: { ok: true, account: "maple", wasBanned: true },
    },
  },
});

export const broadcast = command<Done, { body: { text: string; hue?: number | undefined } }>({
  method: "POST",
  path: "/v1/broadcast",
  answer: doneAnswer,
  docs: {
    about:
      "Show a message to everyone in the world. Send the event `world.broadcast` too. The answer may " +
      "say how many saw it: `recipients`.",
    body: shape({
      text: field(text(256), "The message."),
      hue: field(count().max(3_000).optional(), "Number of the text's color."),
    }),
    example: {
      body: { text: "The gates open at dusk.", hue: 53 },
      answer: { ok: true, recipients: 120 },
    },
  },
});

export const listTownCrier = read({
  method: "GET",
  path: "/v1/towncrier",
  answer: townCrierAnswer,
  docs: {
    about: "What the town criers call.",
    example: {
      answer: { entries: [{ id: "crier-4", lines: ["Hear ye!"], expiresAt: exampleTime }] },
    },
  },
});

export const addTownCrier = command<
  TownCrierEntry,
  { body: { lines: readonly string[]; durationSec: number } }
>({
  method: "POST",
  path: "/v1/towncrier",
  answer: townCrierEntry,
  docs: {
    about: "Have the town criers call something. Send the event `towncrier.added` too.",
    body: shape({
      lines: field(listOf(text(128)).min(1).max(8), "1 to 8 lines of 1 to 128 characters."),
      durationSec: field(integer().min(60).max(31_536_000), "Seconds, from 60 to a year."),
    }),
    example: {
      body: { lines: ["Hear ye!"], durationSec: 3_600 },
      answer: { id: "crier-4", lines: ["Hear ye!"], expiresAt: exampleTime },
    },
  },
});

export const removeTownCrier = command<{ id: string; removed: boolean }, ById>({
  method: "DELETE",
  path: "/v1/towncrier/:id",
  answer: removedAnswer,
  docs: {
    about: "Have the town criers no longer call an entry. Send `towncrier.removed` too.",
    params: { id: "Id of the entry." },
    codes: ["NOT_FOUND"],
    example: { params: { id: "crier-4" }, answer: { id: "crier-4", removed: true } },
  },
});

export const listPages = read({
  method: "GET",
  path: "/v1/pages",
  answer: pagesAnswer,
  docs: {
    about: "The help pages that are open.",
    example: {
      answer: {
        pages: [
          {
            id: "page-81",
            type: "Stuck",
            sender: { serial: "0x0000A0FF", name: "Mary-Anne" },
            message: "I fell behind the bank (again)",
            location: { map: "Trammel", x: 1438, y: 1695, z: 0, region: "Britain" },
            sentAt: exampleTime,
            handler: null,
            responses: [],
          },
        ],
      },
    },
  },
});

const page = "Id of the help page.";

export const respondToPage = command<
  Done,
  ById & { body: { message: string; close?: boolean | undefined } }
>({
  method: "POST",
  path: "/v1/pages/:id/respond",
  answer: doneAnswer,
  docs: {
    about: "Answer the player who asked for help. Send the event `page.update` too.",
    params: { id: page },
    body: shape({
      message: field(text(1_024), "The answer."),
      close: field(flag().optional(), "Whether to close the page as well."),
    }),
    codes: ["NOT_FOUND"],
    example: {
      params: { id: "page-81" },
      body: { message: "On my way.", close: false },
      answer: { ok: true, id: "page-81" },
    },
  },
});

export const closePage = command<Done, ById>({
  method: "POST",
  path: "/v1/pages/:id/close",
  answer: doneAnswer,
  docs: {
    about: "Close a help page without an answer. Send the event `page.close` too.",
    params: { id: page },
    codes: ["NOT_FOUND"],
    example: { params: { id: "page-81" }, answer: { ok: true, id: "page-81" } },
  },
});

/** Protocol 7 cannot start or stop a champion. */
const since8 = { protocol: 8, before: "UNSUPPORTED" } as const;

const altar = "Serial of the altar, as `champ.*` events name it.";
const ofDespise = { params: { id: "0x40004D21" }, answer: { ok: true, id: "0x40004D21" } };

export const startChampion = command<Done, ById>({
  method: "POST",
  path: "/v1/champions/:id/start",
  answer: doneAnswer,
  since: since8,
  docs: {
    about: "Start a champion spawn. One that runs already goes on.",
    params: { id: altar },
    codes: ["NOT_FOUND"],
    example: ofDespise,
  },
});

export const stopChampion = command<Done, ById>({
  method: "POST",
  path: "/v1/champions/:id/stop",
  answer: doneAnswer,
  since: since8,
  docs: {
    about: "Stop a champion spawn.",
    params: { id: altar },
    codes: ["NOT_FOUND"],
    example: ofDespise,
  },
});
