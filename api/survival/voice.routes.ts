import { changeVoice, readVoice } from "../../shared/survival/voice/change-voice.ts";
import { voiceFields } from "../../shared/survival/voice/voice.ts";
import { route } from "../http/route.ts";

const common = { gate: "roles:admin", set: "core", tag: "Survival staff" } as const;

/** The style in which the site's messages appear in the chat of the games. */
export const voiceRoutes = [
  route({
    ...common,
    method: "get",
    path: "/api/v1/admin/survival/voice",
    summary: "Get the chat style of the site",
    description:
      "Returns the style in which announcements and other messages of the site appear in the " +
      "chat of survival servers. Before the first change, returns the default values.",
    answers: { 200: { enveloped: "voice", shape: "SurvivalVoice" } },
    handle: async (_input, context) => ({ voice: await readVoice(context) }),
  }),
  route({
    ...common,
    method: "put",
    path: "/api/v1/admin/survival/voice",
    summary: "Replace the chat style of the site",
    description:
      "Replaces the whole style: fields that the request omits receive their default values. The " +
      "service sends the style to all servers within seconds. Until the style is changed for the " +
      "first time, each server uses its own style. The characters `[ ] < >` are removed from " +
      "names, titles and the prefix. Each format must contain `{Message}`, and may contain " +
      "`{Title}`, `{Username}`, `{ID}`, `{Time}` and `{Date}`. The activity log records the " +
      "request as `survival.voice.changed`.",
    body: voiceFields,
    basedOn: {
      when: "optional",
      as: "hash",
      current: (_input, context) => readVoice(context),
    },
    answers: { 200: { enveloped: "voice", shape: "SurvivalVoice" } },
    handle: async ({ body, caller }, context) => ({
      voice: await changeVoice(body, caller, context),
    }),
  }),
];
