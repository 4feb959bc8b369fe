import { defineSimulatedEvent } from "../events/scene.ts";
import type { Payload, SimulationContext } from "../events/scene.ts";
import { createGuild, guildRow } from "../world/guilds.ts";
import type { Guild } from "../world/guilds.ts";
import type { Character } from "../world/people.ts";

const joined = defineSimulatedEvent(3, (scene) => {
  const { world, random } = scene;
  const guild = world.guilds.pick(random);
  const member = world.online.pickWhere(random, (one) => one.guildId === null);
  if (!guild || !member) return;
  member.guildId = guild.guildId;
  guild.members.add(member);
  scene.emit("guild.joined", { ...identity(guild), members: [named(member)] });
  scene.emit("guild.upsert", guildRow(guild));
});

const left = defineSimulatedEvent(3, (scene) => {
  const guild = scene.world.guilds.pickWhere(scene.random, (one) => one.members.size > 1);
  const member = guild && scene.random.pick([...guild.members]);
  if (!guild || !member || member === guild.leader) return;
  member.guildId = null;
  guild.members.delete(member);
  scene.emit("guild.left", { ...identity(guild), members: [named(member)] });
  scene.emit("guild.upsert", guildRow(guild));
});

const created = defineSimulatedEvent(2, (scene) => {
  const { world, random } = scene;
  if (world.guilds.size > world.sizes.guilds + 2) return;
  const founder = world.online.pickWhere(random, (one) => one.guildId === null);
  if (!founder) return;
  const guild = createGuild(++world.minted, founder, random);
  world.guilds.set(guild.guildId, guild);
  scene.emit("guild.created", {
    ...identity(guild),
    type: guild.type,
    leader: named(founder),
    members: [named(founder)],
  });
  scene.emit("guild.upsert", guildRow(guild));
});

const disbanded = defineSimulatedEvent(2, (scene) => {
  const { world, random } = scene;
  if (world.guilds.size < world.sizes.guilds - 2) return;
  const guild = world.guilds.pick(random);
  if (!guild) return;
  world.guilds.delete(guild.guildId);
  for (const member of guild.members) member.guildId = null;
  scene.emit("guild.disbanded", identity(guild));
  scene.emit("guild.removed", { guildId: guild.guildId });
});

const war = defineSimulatedEvent(2, (scene) => {
  const guild = scene.world.guilds.pick(scene.random);
  const opponent = scene.world.guilds.pickWhere(scene.random, (one) => one !== guild);
  if (!guild || !opponent) return;
  const status = scene.random.pick(["Pending", "InProgress", "Win", "Lose", "Draw"]);
  scene.emit("guild.war", { ...identity(guild), opponent: identity(opponent), status });
});

export const guildHappenings = { joined, left, created, disbanded, war };

const identity = ({ guildId, name, abbr }: Guild): Payload => ({ guildId, name, abbr });
const named = ({ serial, name }: Character): Payload => ({ serial, name });

/** Removes a character that is being deleted from its guild. */
export function leaveGuild(scene: SimulationContext, member: Character): void {
  const guild = member.guildId === null ? undefined : scene.world.guilds.get(member.guildId);
  member.guildId = null;
  if (guild?.members.delete(member) === true) scene.emit("guild.upsert", guildRow(guild));
}
