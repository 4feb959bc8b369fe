import { sentencesOf } from "../report/sentence.ts";

/** What is judged of every call, whatever check is under way. */
export const watchSentences = {
  ...sentencesOf("transport", {
    "transport.key": [
      "Each call has the key in `Authorization: Bearer`, and nowhere else",
      "calls",
    ],
    "transport.json": [
      "Bodies are JSON objects of the type application/json, not compressed, over HTTP/1.1",
      "calls",
    ],
    "transport.paths": ["The plugin makes the four calls and no other", "calls"],
    "transport.boot": [
      "GET /commands and POST /commands/:id have the bootId of the hello in their query",
      "wait",
      "commands",
    ],
    "transport.rate": [
      "At most 8 calls are open at once, and at most 20 calls a second are hello or events",
      "calls",
    ],
  }),
  ...sentencesOf("hello", {
    "hello.first": [
      "The first call is POST /hello, and no other begins before its answer",
      "hello",
    ],
    "hello.fields": [
      "hello has protocol, game, plugin, server, bootId, epoch, oldest, head and capabilities",
      "hello",
    ],
    "hello.range": ["oldest is at most head + 1, and head + 1 when the buffer is empty", "buffer"],
    "hello.boot": ["A game process keeps its bootId", "hello"],
    "hello.epoch": ["An epoch lasts as long as its buffer, until 409 EPOCH", "buffer"],
  }),
  ...sentencesOf("events", {
    "events.body": [
      "The body of events has the epoch and bootId of the hello, a list of events, and one gap at most",
      "events",
      "gaps",
    ],
    "events.sequence": [
      "seq rises by one, within a call and from call to call; the first of an epoch is oldest",
      "events",
      "hello",
    ],
    "events.once": ["What was answered as stored is not sent again", "events"],
    "events.single": ["One call of events is under way at a time", "events"],
    "events.limits": ["A call has at most 500 events and 1 MiB, an event 256 KiB", "calls"],
  }),
  ...sentencesOf("conflict", {
    "conflict.next": ["The next call after a 409 is hello", "refusals"],
  }),
  ...sentencesOf("resend", {
    "resend.after": ["Events that were answered with Retry-After wait so long", "refusals"],
  }),
  ...sentencesOf("waits", {
    "waits.form": ["wait is an integer from 0 to 25", "wait"],
    "waits.one": ["One wait is open at a time", "wait"],
    "waits.next": ["The next wait begins soon after the answer to the last", "wait"],
    "waits.held": ["A wait is not given up before its 25 s are over", "wait"],
    "waits.after": ["A wait that was answered with Retry-After waits so long", "refusals"],
  }),
  ...sentencesOf("commands", {
    "commands.answered": ["Each command is answered in its time, under its own id", "commands"],
    "commands.form": ["An outcome is { status, body }: 200 to 599, and an object", "commands"],
    "commands.once": ["A command is answered once", "commands"],
    "commands.limits": ["An outcome has at most 12 MiB", "commands"],
  }),
};

export type WatchSentence = keyof typeof watchSentences;
