import { declareCommand, declareRead } from "../../platform/bridge/calls/call.ts";
import {
  count,
  verbatimText,
  field,
  flag,
  integer,
  listOf,
  objectSchema,
  text,
} from "../../platform/bridge/payload-fields.ts";
import { serialField } from "../../platform/bridge/serial.ts";
import {
  type CommandResult,
  commandAnswer,
  helpPagesAnswer,
  removeTownCrierAnswer,
  townCrierAnswer,
  type TownCrierEntry,
  townCrierEntry,
} from "./bridge-answers.ts";

// This file declares the calls by which staff moderate, manage town criers, answer help pages and start champions.

interface ById {
  readonly params: { readonly id: string };
}

/** A player, named by account, by character or by both. */
interface Target {
  readonly account?: string | undefined;
  readonly serial?: string | undefined;
}

const target = {
  account: field(
    verbatimText().optional(),
    "Name of the game account. The body contains `account`, `serial` or both.",
  ),
  serial: field(serialField().optional(), "Serial of a character."),
};

const exampleTime = 1_764_200_000_000;

export const kickCall = declareCommand<CommandResult, { body: Target }>({
  method: "POST",
  path: "/v1/kick",
  answer: commandAnswer,
  docs: {
    about:
      "Disconnect the character `serial`, or all characters of the game account `account`. The " +
      "answer may also contain `account`, and `kicked`: the number of disconnected characters.",
    body: objectSchema(target),
    codes: ["NOT_FOUND", "PROTECTED"],
    example: { body: { account: "maple" }, answer: { ok: true, account: "maple", kicked: 1 } },
  },
});

export const banCall = declareCommand<
  CommandResult,
  { body: Target & { durationSec?: number | undefined; reason?: string | undefined } }
>({
  method: "POST",
  path: "/v1/ban",
  answer: commandAnswer,
  docs: {
    about:
      "Ban the game account `account`, or the account of the character `serial`, and disconnect " +
      "its characters. The answer may also contain `account`, and `until`: the end of the ban in " +
      "epoch milliseconds, or null if the ban is permanent.",
    body: objectSchema({
      ...target,
      durationSec: field(
        count().optional(),
        "Duration of the ban in seconds. If 0 or absent, the ban is permanent.",
      ),
      reason: field(text(256).optional(), "Reason of the ban, which the game shows to the player."),
    }),
    codes: ["NOT_FOUND", "PROTECTED"],
    example: {
      body: { account: "maple", durationSec: 86_400, reason: "Speed hack" },
      answer: { ok: true, account: "maple", until: exampleTime },
    },
  },
});

export const unbanCall = declareCommand<CommandResult, { body: { account: string } }>({
  method: "POST",
  path: "/v1/unban",
  answer: commandAnswer,
  docs: {
    about:
      "Lift the ban of a game account. The answer may also contain `wasBanned`: whether the " +
      "account was banned before.",
    body: objectSchema({ account: field(verbatimText(), "Name of the game account.") }),
    codes: ["NOT_FOUND"],
    example: {
      body: { account: "maple" },
      answer: { ok: true, account: "maple", wasBanned: true },
    },
  },
});

export const broadcastCall = declareCommand<
  CommandResult,
  { body: { text: string; hue?: number | undefined } }
>({
  method: "POST",
  path: "/v1/broadcast",
  answer: commandAnswer,
  docs: {
    about:
      "Show a message to everyone in the world, and send the event `world.broadcast`. The answer " +
      "may also contain `recipients`: the number of characters to whom the message was shown.",
    body: objectSchema({
      text: field(text(256), "Text of the message."),
      hue: field(count().max(3_000).optional(), "Color number (hue) of the text."),
    }),
    example: {
      body: { text: "The gates open at dusk.", hue: 53 },
      answer: { ok: true, recipients: 120 },
    },
  },
});

export const listTownCrierCall = declareRead({
  method: "GET",
  path: "/v1/towncrier",
  answer: townCrierAnswer,
  docs: {
    about: "Return the entries that the town criers call.",
    example: {
      answer: { entries: [{ id: "crier-4", lines: ["Hear ye!"], expiresAt: exampleTime }] },
    },
  },
});

export const addTownCrierCall = declareCommand<
  TownCrierEntry,
  { body: { lines: readonly string[]; durationSec: number } }
>({
  method: "POST",
  path: "/v1/towncrier",
  answer: townCrierEntry,
  docs: {
    about: "Have the town criers call an entry, and send the event `towncrier.added`.",
    body: objectSchema({
      lines: field(
        listOf(text(128)).min(1).max(8),
        "Lines of the entry: 1 to 8 lines of 1 to 128 characters.",
      ),
      durationSec: field(
        integer().min(60).max(31_536_000),
        "Duration of the entry in seconds, from 60 to 31,536,000 (one year).",
      ),
    }),
    example: {
      body: { lines: ["Hear ye!"], durationSec: 3_600 },
      answer: { id: "crier-4", lines: ["Hear ye!"], expiresAt: exampleTime },
    },
  },
});

export const removeTownCrierCall = declareCommand<{ id: string; removed: boolean }, ById>({
  method: "DELETE",
  path: "/v1/towncrier/:id",
  answer: removeTownCrierAnswer,
  docs: {
    about: "Have the town criers stop calling an entry, and send the event `towncrier.removed`.",
    params: { id: "Id of the entry." },
    codes: ["NOT_FOUND"],
    example: { params: { id: "crier-4" }, answer: { id: "crier-4", removed: true } },
  },
});

export const listHelpPagesCall = declareRead({
  method: "GET",
  path: "/v1/pages",
  answer: helpPagesAnswer,
  docs: {
    about: "Return all open help pages.",
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

export const respondToHelpPageCall = declareCommand<
  CommandResult,
  ById & { body: { message: string; close?: boolean | undefined } }
>({
  method: "POST",
  path: "/v1/pages/:id/respond",
  answer: commandAnswer,
  docs: {
    about: "Answer the player who asked for help, and send the event `page.update`.",
    params: { id: page },
    body: objectSchema({
      message: field(text(1_024), "Text of the answer."),
      close: field(
        flag().optional(),
        "Whether to close the help page after the answer. If absent, it stays open.",
      ),
    }),
    codes: ["NOT_FOUND"],
    example: {
      params: { id: "page-81" },
      body: { message: "On my way.", close: false },
      answer: { ok: true, id: "page-81" },
    },
  },
});

export const closeHelpPageCall = declareCommand<CommandResult, ById>({
  method: "POST",
  path: "/v1/pages/:id/close",
  answer: commandAnswer,
  docs: {
    about: "Close a help page without an answer, and send the event `page.close`.",
    params: { id: page },
    codes: ["NOT_FOUND"],
    example: { params: { id: "page-81" }, answer: { ok: true, id: "page-81" } },
  },
});

/** Protocol 7 cannot start or stop a champion. */
const since8 = { protocol: 8, before: "UNSUPPORTED" } as const;

const altar = "Serial of the altar: the field `id` of the `champ.*` events.";
const ofDespise = { params: { id: "0x40004D21" }, answer: { ok: true, id: "0x40004D21" } };

export const startChampionCall = declareCommand<CommandResult, ById>({
  method: "POST",
  path: "/v1/champions/:id/start",
  answer: commandAnswer,
  since: since8,
  docs: {
    about: "Start a champion spawn. If the spawn is already active, it continues.",
    params: { id: altar },
    codes: ["NOT_FOUND"],
    example: ofDespise,
  },
});

export const stopChampionCall = declareCommand<CommandResult, ById>({
  method: "POST",
  path: "/v1/champions/:id/stop",
  answer: commandAnswer,
  since: since8,
  docs: {
    about: "Stop a champion spawn.",
    params: { id: altar },
    codes: ["NOT_FOUND"],
    example: ofDespise,
  },
});
