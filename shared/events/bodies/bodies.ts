interface Body {
  readonly id: string;
  readonly label: string;
  readonly owner: string;
  /** Of triggers whose variables it takes. */
  readonly triggers: readonly string[];
  /** A template as steps take it: variables of the trigger that opened a gate stand in it. */
  readonly text: string;
}

const survival = (id: string, label: string, triggers: readonly string[], text: string): Body => ({
  id: `survival.body.${id}`,
  label,
  owner: "survival",
  triggers: triggers.map((trigger) => `survival.${trigger}`),
  text,
});

/** CATALOGUE of texts that are ready to be put into a step, as its message or a part of that. */
export const bodies: readonly Body[] = [
  survival(
    "server",
    "A server comes or goes",
    ["server.online", "server.offline"],
    "News of {{serverName}}: see who is there.",
  ),
  survival(
    "wipe",
    "A server is wiped, or soon will be",
    ["server.wiped", "wipe.upcoming"],
    "{{serverName}}: the next wipe is due at {{nextWipe}}.",
  ),
  survival(
    "leader",
    "Somebody leads in kills",
    ["leader.kills"],
    "{{playerName}} leads on {{serverName}} with {{kills}} kills.",
  ),
  survival(
    "reward",
    "A kit is ready",
    ["kit.entitled"],
    "Kit {{kit}} waits on {{serverName}}: {{uses}} times.",
  ),
];

export const bodyIds = bodies.map(({ id }) => id);

export const findBody = (id: unknown): Body | undefined => bodies.find((body) => body.id === id);
