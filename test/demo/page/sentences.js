const someone = (character) => character?.name ?? "Somebody";

/**
 * Returns a place as text, for example `in Luna` or `in Felucca`. The text is empty if the place is
 * hidden.
 */
function inPlace({ location, map, region } = {}) {
  const place = region ?? location?.region ?? location?.map ?? map;
  return place ? ` in ${place}` : "";
}

/** Splits names such as `AncientWyrm` into words. */
const inWords = (type = "something") => type.replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ");

const number = (value) => Number(value ?? 0).toLocaleString("en");

const guild = ({ name, abbr }) => name ?? (abbr ? `[${abbr}]` : "A guild");

const itsGuild = ({ abbr }) => (abbr ? `[${abbr}]` : "a guild");

const found = (payload) =>
  `${someone(payload.to)} got ${payload.name ?? inWords(payload.itemType)}` +
  `${payload.from ? ` from ${inWords(payload.from)}` : ""}${inPlace(payload)}.`;

const spawn = ({ name, type }) => name ?? inWords(type);

/** Functions that describe an event of the public stream in a sentence, by its kind. */
export const sentences = {
  "server.started": ({ shard }) => `${shard ?? "The shard"} has started.`,
  "server.stopping": ({ reason }) => `The shard is stopping${reason ? `: ${reason}` : ""}.`,
  "server.restart.scheduled": ({ delaySec }) =>
    `The shard restarts in ${Math.round((delaySec ?? 0) / 60)} minutes.`,
  "economy.snapshot": ({ accounts, gold }) =>
    `The shard counts ${number(accounts)} accounts and ${number(gold)} gold.`,
  "world.ruleset": ({ expansion }) =>
    `The rules of the world were read${expansion ? ` (${expansion})` : ""}.`,
  "world.broadcast": ({ text }) => `Cried out to everyone: “${text ?? "…"}”`,
  "towncrier.added": ({ lines }) => `The town crier has news: “${(lines ?? []).join(" ")}”`,
  "towncrier.removed": () => "The town crier has dropped a piece of news.",
  "presence.online": ({ count }) =>
    count === 1
      ? "One character is in the world."
      : `${number(count)} characters are in the world.`,
  "presence.login": (character) => `${someone(character)} has entered the world.`,
  "presence.logout": (character) => `${someone(character)} has left the world.`,
  "house.decay": (house) =>
    `${house.name ?? "A house"} is in danger of collapsing${inPlace(house)}.`,
  "house.removed": ({ reason }) =>
    `A house that was in danger is gone${reason ? `: ${reason}` : ""}.`,
  "points.board": ({ system, top }) =>
    `${someone(top?.[0])} leads the board ${inWords(system)}${top?.[0] ? ` with ${number(top[0].points)} points` : ""}.`,
  "champ.start": (champion) =>
    `A champion spawn has begun: ${spawn(champion)}${inPlace(champion)}.`,
  "champ.progress": (champion) =>
    `The champion spawn ${spawn(champion)} is at level ${champion.level ?? "?"}: ${number(champion.kills)} of ${number(champion.maxKills)} kills.`,
  "champ.boss": (champion) =>
    `${champion.champion ?? "The champion"} has appeared at ${spawn(champion)}${inPlace(champion)}.`,
  "champ.end": (champion) =>
    `The champion spawn ${spawn(champion)} has ended${champion.outcome ? `: ${champion.outcome}` : ""}.`,
  "governor.election": ({ city, phase }) =>
    `${city ?? "A city"} elects its governor${phase ? ` (${phase})` : ""}.`,
  "governor.result": ({ city, governor }) =>
    governor ? `${governor.name} governs ${city}.` : `${city ?? "A city"} has no governor.`,
  "guild.created": (created) => `${guild(created)} was founded.`,
  "guild.joined": (member) => `${someone(member)} has joined ${itsGuild(member)}.`,
  "guild.left": (member) => `${someone(member)} has left ${itsGuild(member)}.`,
  "guild.disbanded": (disbanded) => `${guild(disbanded)} was disbanded.`,
  "guild.war": (war) =>
    `${guild(war)} and ${war.opponent ? guild(war.opponent) : "another guild"} are at war${war.status ? ` (${inWords(war.status)})` : ""}.`,
  "player.death": (death) =>
    `${someone(death)} was killed${death.killerName ? ` by ${death.killerName}` : ""}${inPlace(death)}.`,
  "creature.kill": (kill) =>
    `${someone(kill.killer)} has slain ${kill.paragon ? "a paragon: " : ""}${inWords(kill.type)}${inPlace(kill)}.`,
  "drop.artifact": found,
  "drop.scroll": found,
};

/**
 * Describes an event in a sentence. For a kind that this page does not know, returns the name of
 * the kind.
 */
export function sentenceOf({ kind, payload }) {
  const tell = Object.hasOwn(sentences, kind) ? sentences[kind] : undefined;
  return tell ? tell(payload) : `Something new: ${kind}.`;
}
