import { spawn } from "node:child_process";
import { once } from "node:events";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { projectFolder } from "../../../jobs/commands/launch/script.ts";
import { compileGame, newFolder, removeFolder, RustGame } from "./rust-game.ts";

const anna = "76561198000000001";
const bert = "76561198000000002";

let folder: string;
let program: string;
beforeAll(() => {
  folder = newFolder();
  program = compileGame(folder);
});
afterAll(() => removeFolder(folder));

interface Report {
  readonly ok: boolean;
  readonly subject: string;
  readonly sentences: readonly { readonly id: string; readonly status: string }[];
}

/**
 * Makes the game emit events until the check is over, and fills the plugin's buffer when the site is unreachable.
 */
async function playDuringCheck(game: RustGame, isOver: () => boolean): Promise<void> {
  await game.play("join", anna, "Anna");
  await game.play("join", bert, "Bert");
  for (let round = 0, filled = false; !isOver(); round += 1) {
    await game.play("flood", anna, round % 10 === 9 ? "100" : "3");
    await game.play("kill", anna, bert, "rifle.ak", "headshot");
    const isAway = game.with("No answer from").length > 0;
    if (isAway && !filled) await game.play("flood", anna, "21000");
    filled ||= isAway;
  }
}

describe("npm run plugin:check", () => {
  it("finds no fault in the Rust plugin", async () => {
    // In this test, a minute of the protocol lasts ten seconds.
    const words = ["--game", "rust", "--port", "0", "--minute", "10", "--patience", "10", "--json"];
    const check = spawn(process.execPath, ["plugins/check/plugin.ts", ...words], {
      cwd: projectFolder,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const ended = once(check, "close");
    let isOver = false;
    let [report, said] = ["", ""];
    check.stdout.setEncoding("utf8").on("data", (text: string) => (report += text));
    const setUp = new Promise<string>((resolve) => {
      check.stderr.setEncoding("utf8").on("data", (text: string) => {
        said += text;
        const [command] = /guildhall\.setup \S+ \S+(?=\n)/.exec(said) ?? [];
        if (command !== undefined) resolve(command);
      });
    });
    const game = new RustGame({ program, folder, saveId: 1_764_158_400_000, minuteMs: 10_000 });
    try {
      await game.play("console", await setUp);
      const playing = playDuringCheck(game, () => isOver);
      const [code] = (await ended) as unknown[];
      isOver = true;
      await playing;
      const { ok, subject, sentences } = JSON.parse(report) as Report;
      const wrong = sentences.filter(
        ({ status }) => !["passed", "does not apply"].includes(status),
      );
      expect({ wrong, code, ok }).toEqual({ wrong: [], code: 0, ok: true });
      expect(subject).toContain("guildhall-rust 1.0.0 of Emberfall");
    } finally {
      check.kill();
      await game.kill();
    }
  });
});
