import { defineSimulatedEvent } from "../events/scene.ts";
import type { Payload, SimulationContext } from "../events/scene.ts";
import { pageTypes } from "../world/help.ts";
import type { CrierEntry, HelpPage } from "../world/help.ts";
import { mintId } from "../world/world.ts";

/** A player opens a help page. A player has at most one open page. */
const page = defineSimulatedEvent(3, (scene) => {
  const { world, random } = scene;
  const paging = new Set(world.pages.values().map((one) => one.sender));
  const sender = world.online.pickWhere(random, (one) => !paging.has(one));
  if (!sender || world.pages.size > world.sizes.pages + 3) return;
  const opened: HelpPage = {
    id: mintId(world, "page"),
    type: random.pick(pageTypes),
    sender,
    message: random.pick(["I am stuck in a wall", "My pet vanished <again>", "Who's online?"]),
    place: sender.place,
    sentAt: scene.now(),
    handler: null,
    responses: [],
  };
  world.pages.set(opened.id, opened);
  tellPage(scene, "page.open", opened, null);
});

const answer = defineSimulatedEvent(2, (scene) => {
  const open = scene.world.pages.pick(scene.random);
  if (open) answerHelpPage(scene, open, { by: "Aldor", message: "On my way." });
});

const close = defineSimulatedEvent(2, (scene) => {
  const open = scene.world.pages.pick(scene.random);
  if (open) {
    resolveHelpPage(scene, open, scene.random.pick(["Handled", "Deleted", "Logged", "Canceled"]));
  }
});

const announce = defineSimulatedEvent(2, (scene) => {
  if (scene.world.crier.size >= 8) return;
  addEntry(scene, ["Hear ye!", "The <fair> opens at O'Neil's."], scene.random.int(60, 86_400));
});

const silence = defineSimulatedEvent(2, (scene) => {
  const entry = scene.world.crier.pick(scene.random);
  if (entry) removeEntry(scene, entry);
});

const broadcast = defineSimulatedEvent(3, (scene) => {
  const access = scene.random.pick(["Player", "Player", "Counselor"]);
  const text = access === "Player" ? "Welcome to the fair!" : "The world will save in 10 seconds.";
  scene.emit("world.broadcast", { text, hue: scene.random.pick([0x35, 0x482, 0x59]), access });
});

export const helpHappenings = { page, answer, close, announce, silence, broadcast };

export function answerHelpPage(
  scene: SimulationContext,
  open: HelpPage,
  response: { readonly by: string; readonly message: string },
): void {
  open.handler = response.by;
  open.responses.push({ ...response, at: scene.now() });
  tellPage(scene, "page.update", open, null);
}

export function resolveHelpPage(
  scene: SimulationContext,
  open: HelpPage,
  resolution: string,
): void {
  scene.world.pages.delete(open.id);
  tellPage(scene, "page.close", open, resolution);
}

export function addEntry(
  scene: SimulationContext,
  lines: readonly string[],
  durationSec: number,
): CrierEntry {
  const id = mintId(scene.world, "crier");
  const entry = { id, lines, expiresAt: scene.now() + durationSec * 1_000 };
  scene.world.crier.set(id, entry);
  scene.emit("towncrier.added", { ...entry, scope: "global" });
  return entry;
}

export function removeEntry(scene: SimulationContext, { id }: CrierEntry): void {
  scene.world.crier.delete(id);
  scene.emit("towncrier.removed", { id });
}

function tellPage(
  scene: SimulationContext,
  kind: string,
  open: HelpPage,
  resolution: string | null,
): void {
  const { serial, name, account } = open.sender;
  const sender = { serial, name, acct: account.name };
  scene.emit(kind, { ...pagePayload(open), sender, resolution });
}

const pagePayload = (open: HelpPage): Payload => ({
  id: open.id,
  type: open.type,
  message: open.message,
  location: open.place,
  sentAt: open.sentAt,
  handler: open.handler,
  responses: [...open.responses],
});
