interface MessageBody {
  readonly id: string;
  readonly label: string;
  readonly owner: string;
  /** The ids of the triggers whose variables the text uses. */
  readonly triggers: readonly string[];
  /** A template with variables of the trigger that opened a gate. */
  readonly text: string;
}

const survival = (
  id: string,
  label: string,
  triggers: readonly string[],
  text: string,
): MessageBody => ({
  id: `survival.body.${id}`,
  label,
  owner: "survival",
  triggers: triggers.map((trigger) => `survival.${trigger}`),
  text,
});

/** CATALOGUE of ready-made texts for steps, each a whole message or a part of one. */
export const messageBodies: readonly MessageBody[] = [
  survival(
    "server",
    "A server goes online or offline",
    ["server.online", "server.offline"],
    "{{serverName}} is {{state}}. {{connect}}",
  ),
  survival(
    "wipe",
    "A server was wiped or will be soon",
    ["server.wiped", "wipe.upcoming"],
    "{{serverName}}: the next wipe is due at {{nextWipe}}. {{mapUrl}}",
  ),
  survival(
    "leader",
    "A new kill leader or a death",
    ["leader.kills", "npc.died", "player.died"],
    "{{serverName}}: {{news}}",
  ),
  survival(
    "reward",
    "A permission changed or a kit is ready",
    ["permission.changed", "kit.entitled"],
    "{{news}}",
  ),
];

export const messageBodyIds = messageBodies.map(({ id }) => id);

export const findMessageBody = (id: unknown): MessageBody | undefined =>
  messageBodies.find((body) => body.id === id);
