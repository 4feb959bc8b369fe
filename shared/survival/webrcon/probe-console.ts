import { askGameSetup, askServerInfo, helloOf } from "./console-answers.ts";
import { ConsoleQuestions, ConsoleMessageQueue } from "./console-questions.ts";
import { ConsoleSocket } from "./console-socket.ts";
import type { ConsoleStore } from "./console-store.ts";
import type { ConsoleProbe, ConsoleSettings } from "./console-types.ts";
import { GameTracker } from "./game-tracker.ts";

/** Connects to a console, asks for the state of the game and disconnects. Returns the hello. */
export async function probeConsole(
  settings: ConsoleSettings,
  withinMs: number,
  store: Pick<ConsoleStore, "reserveDial">,
): Promise<ConsoleProbe> {
  const dial = await store.reserveDial();
  if (dial.waitMs > 0) {
    const seconds = Math.ceil(dial.waitMs / 1_000);
    const reason = `the console refused the password three times; test it again in ${seconds} s`;
    return { ok: false, code: "AUTH", reason };
  }
  const socket = new ConsoleSocket(settings, {
    handshakeMs: withinMs,
    pingMs: withinMs,
    silentMs: withinMs,
    onMessage: (data) => turns.push(data),
  });
  const questions = new ConsoleQuestions((text) => socket.send(text));
  const turns = new ConsoleMessageQueue(questions, () => undefined, socket);
  const deadline = setTimeout(() => socket.terminate("the console did not answer"), withinMs);
  try {
    const isOpen = await socket.opened;
    if (isOpen || (await socket.ended).code !== "AUTH") await dial.free();
    const hello = isOpen ? await askHello(questions) : null;
    if (hello) return { ok: true, hello };
    socket.terminate("the game does not answer: it may still generate its map");
    const { code, reason } = await socket.ended;
    return { ok: false, code, reason };
  } finally {
    clearTimeout(deadline);
    questions.close();
    turns.stop();
    socket.terminate("tested");
  }
}

async function askHello(questions: ConsoleQuestions): Promise<object | null> {
  const [info, facts] = await Promise.all([askServerInfo(questions), askGameSetup(questions)]);
  if (!info) return null;
  const game = new GameTracker();
  game.update(info, Date.now());
  const hello = helloOf({ info, facts, startedAt: game.startedAt });
  return { ...hello, world: { ...hello.world, saveCreatedAt: game.world?.saveId ?? null } };
}
