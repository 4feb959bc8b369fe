import { once } from "node:events";
import path from "node:path";

import { type Script, spawnScript } from "../../jobs/commands/launch/script.ts";
import { waitUntil } from "../support/clock/wait.ts";

export interface DemoSite {
  /** The addresses of the demo's programs, by the variable names of the documentation. */
  readonly addresses: Readonly<Record<"SITE" | "PAGE" | "RECEIVER", string>>;
  stop(): Promise<void>;
}

const addressIn = (said: string, label: string): string => {
  const address = new RegExp(`^  ${label} +(http://localhost:\\d+)/`, "m").exec(said)?.[1];
  if (address === undefined) throw new Error(`the demo does not say: ${label}`);
  return address;
};

/** Starts the programs of `npm run demo` on free ports and waits for the imported world. */
export async function startDemoSite(folder: string, password: string): Promise<DemoSite> {
  const script: Script = {
    name: "demo",
    file: "jobs/commands/start.ts",
    arguments: ["--demo"],
    environment: {
      PATH: process.env["PATH"],
      DATA_FOLDER: path.join(folder, "data"),
      PORT: "0",
      INTERNAL_PORT: "0",
      ADMIN_PASSWORD: password,
      DEMO_PASSWORD: password,
      BCRYPT_COST: "4",
      // The commands of all pages sign in from one address, so raise its limit.
      RL_LOGIN_TOTAL_MAX: "10000",
    },
  };
  const child = spawnScript(script);
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => (said += text));
  }
  const isOver = (): boolean => child.exitCode !== null || child.signalCode !== null;
  await waitUntil(
    "the demo is ready",
    () => /is ready[\s\S]+Ctrl-C|is ready/.test(said) || isOver(),
  );
  if (isOver()) throw new Error(said);
  await waitUntil("the demo says where it is", () => said.includes("Sign in as admin") || isOver());
  return {
    addresses: {
      SITE: addressIn(said, "API description"),
      PAGE: addressIn(said, "Live events, as a page"),
      RECEIVER: addressIn(said, "Push messages received"),
    },
    async stop() {
      if (isOver()) return;
      const ended = once(child, "exit");
      child.kill("SIGINT");
      await ended;
    },
  };
}
