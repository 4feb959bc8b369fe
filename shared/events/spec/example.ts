/** An example event for the API description: a champion evening. */
export const exampleSpec = {
  listed: true,
  scope: "shard",
  schedule: {
    kind: "recurring",
    at: "2026-12-05T20:00",
    rrule: "FREQ=WEEKLY;BYDAY=SA",
    until: null,
  },
  params: [{ name: "boss", type: "string", required: true, default: "Barracoon" }],
  phases: [
    {
      key: "gather",
      title: "Gather at the moongate",
      steps: [
        {
          key: "call",
          actionId: "shard.broadcast",
          params: { text: "{{boss}} stirs!" },
          offsetSeconds: 0,
          onFailure: "continue",
          confirm: false,
          maxAttempts: 5,
        },
      ],
      advance: {
        kind: "trigger",
        trigger: "champ.end",
        count: 1,
        where: [{ var: "outcome", op: "eq", value: "defeated" }],
        timeoutSeconds: 3_600,
      },
    },
  ],
} as const;
