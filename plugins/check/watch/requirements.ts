import { declareRequirements } from "../report/requirement.ts";

/** Requirements that are checked for every call, during all checks. */
export const watchRequirements = {
  ...declareRequirements("transport", {
    "transport.key": [
      "The plugin sends its key with each call, and only in the header Authorization: Bearer",
      "calls",
    ],
    "transport.json": [
      "The plugin sends each body as an uncompressed JSON object of the type application/json " +
        "over HTTP/1.1",
      "calls",
    ],
    "transport.paths": ["The plugin makes only the four calls of the protocol", "calls"],
    "transport.boot": [
      "In the query of GET /commands and POST /commands/:id, the plugin sends the bootId of " +
        "its last hello",
      "wait",
      "commands",
    ],
    "transport.rate": [
      "The plugin has at most 8 calls in progress, and begins at most 20 calls of POST /hello " +
        "and POST /events within one second",
      "calls",
    ],
  }),
  ...declareRequirements("hello", {
    "hello.first": [
      "The plugin's first call is POST /hello, and the plugin begins no other call before the " +
        "answer",
      "hello",
    ],
    "hello.fields": [
      "POST /hello contains protocol, game, plugin, server, bootId, epoch, oldest, head and " +
        "capabilities",
      "hello",
    ],
    "hello.range": [
      "oldest is at most head + 1; if the buffer is empty, oldest is head + 1",
      "buffer",
    ],
    "hello.boot": ["The plugin keeps its bootId as long as the game process runs", "hello"],
    "hello.epoch": [
      "The plugin keeps its epoch as long as it keeps its buffer, unless the site answers POST " +
        "/hello with 409 EPOCH",
      "buffer",
    ],
  }),
  ...declareRequirements("events", {
    "events.body": [
      "POST /events contains the epoch and the bootId of the last hello, a list of events, and " +
        "at most one gap",
      "events",
      "gaps",
    ],
    "events.sequence": [
      "seq increases by one, within a call and from call to call; in an epoch, the first seq is " +
        "oldest of POST /hello",
      "events",
      "hello",
    ],
    "events.once": [
      "After an answer that confirms an event as stored, the plugin does not send the event again",
      "events",
    ],
    "events.single": ["The plugin has at most one POST /events in progress", "events"],
    "events.limits": [
      "POST /events contains at most 500 events and 1 MiB, and each event has at most 256 KiB",
      "calls",
    ],
  }),
  ...declareRequirements("conflict", {
    "conflict.next": [
      "After each 409 except SUPERSEDED, the plugin's next call is POST /hello",
      "refusals",
    ],
  }),
  ...declareRequirements("resend", {
    "resend.after": [
      "After an answer with Retry-After, the plugin waits that long before it sends the events " +
        "again",
      "refusals",
    ],
  }),
  ...declareRequirements("waits", {
    "waits.form": ["In GET /commands, wait is a whole number of seconds", "wait"],
    "waits.one": ["The plugin has at most one GET /commands in progress", "wait"],
    "waits.next": [
      "After the answer to GET /commands, the plugin sends the next GET /commands within 5 seconds",
      "wait",
    ],
    "waits.held": [
      "The plugin keeps GET /commands open until the site answers, for up to 25 seconds",
      "wait",
    ],
    "waits.after": [
      "After an answer with Retry-After, the plugin waits that long before the next GET /commands",
      "refusals",
    ],
  }),
  ...declareRequirements("commands", {
    "commands.answered": [
      "The plugin sends the outcome of each command in time, under the id of the command",
      "commands",
    ],
    "commands.form": [
      "An outcome is { status, body }: status is from 200 to 599, and body is an object",
      "commands",
    ],
    "commands.once": [
      "After the site has answered an outcome with 204, the plugin sends no other outcome of the " +
        "command. If the connection breaks with the answer, it repeats the same outcome once",
      "commands",
    ],
    "commands.limits": ["The body of an outcome has at most 12 MiB", "commands"],
  }),
};

export type WatchRequirement = keyof typeof watchRequirements;
