import { objectBody, optionalBoolean, readRequiredText } from "../../control/input.ts";
import { createOkAnswer, refuse, refuseMissing } from "../../control/refusal.ts";
import type { ControlAnswer } from "../../control/refusal.ts";
import { sha256 } from "../../sources/source.ts";
import type { OutcomeMode } from "../faults/standing.ts";
import { buildPluginEntry } from "../game/states.ts";
import { problemOf, normalizeConfigText } from "../world/config-text.ts";
import type { Plugin } from "../world/plugins.ts";
import { command, readPathParam, defineReadRoute } from "./route.ts";
import type { SurvivalControlCall, SurvivalHost, SurvivalRoute } from "./route.ts";

export const configRoutes: readonly SurvivalRoute[] = [
  defineReadRoute("/v1/config", (_, { world }) =>
    createOkAnswer({
      files: [...world.plugins.values()].flatMap((plugin) => {
        const { name, version, loaded, config, configAt } = plugin;
        if (config === null) return [];
        return {
          plugin: name,
          file: fileOf(world, name),
          loaded,
          version,
          bytes: Buffer.byteLength(config),
          hash: sha256(config),
          modifiedAt: configAt,
          editable: true,
        };
      }),
    }),
  ),
  defineReadRoute("/v1/config/:plugin", (call, host) => {
    const { config } = configured(call, host);
    return createOkAnswer({ text: config, hash: sha256(config) });
  }),
  command("PUT", "/v1/config/:plugin", write),
];

const fileOf = ({ framework }: SurvivalHost["world"], name: string): string =>
  `${framework.configFolder}/${name}.json`;

function configured(
  call: SurvivalControlCall,
  { world }: SurvivalHost,
): Plugin & { config: string } {
  const plugin = world.plugins.get(readPathParam(call, "plugin"));
  if (typeof plugin?.config !== "string") throw refuseMissing();
  return plugin as Plugin & { config: string };
}

interface Write {
  readonly writeId: string;
  readonly text: string;
  readonly reload: boolean;
  readonly rollbackOnFailure: boolean;
  readonly key: string | null;
}

const largestText = 1024 * 1024;

/**
 * Writes the file at once. The event `config.outcome` reports later whether the plugin could load
 * it.
 */
function write(call: SurvivalControlCall, host: SurvivalHost): ControlAnswer {
  const { game, standing, reloadMs, deeds } = host;
  const plugin = configured(call, host);
  const fields = objectBody(call.body);
  const asked: Write = {
    writeId: readRequiredText(fields, "writeId", 1, 64),
    text: readRequiredText(fields, "text", 0, largestText),
    reload: optionalBoolean({ reload: true, ...fields }, "reload"),
    rollbackOnFailure: optionalBoolean({ rollbackOnFailure: true, ...fields }, "rollbackOnFailure"),
    key: call.key,
  };
  const currentHash = sha256(plugin.config);
  if (readRequiredText(fields, "baseHash", 1, 128) !== currentHash) {
    throw refuse(409, "CONFLICT", { currentHash });
  }
  const before = plugin.config;
  plugin.config = asked.text;
  plugin.configAt = game.now();
  const deed = { what: "config.written", ref: asked.writeId, key: asked.key } as const;
  deeds.note({ ...deed, at: game.now() });
  const { mode, ms } = standing.takeOutcome();
  if (mode === "missing") return { status: 202, body: { writeId: asked.writeId } };
  game.afterwards(mode === "late" ? ms : reloadMs, () => {
    settle(host, { plugin, before, asked, mode });
  });
  return { status: 202, body: { writeId: asked.writeId } };
}

interface Pending {
  readonly plugin: Plugin;
  readonly before: string;
  readonly asked: Write;
  readonly mode: OutcomeMode;
}

function settle(host: SurvivalHost, pending: Pending): void {
  const { plugin, before, asked } = pending;
  const { writeId, reload, rollbackOnFailure } = asked;
  const problem = problemOfWrite(pending);
  const isFine = problem === null;
  const rolledBack = !isFine && rollbackOnFailure;
  if (rolledBack) plugin.config = before;
  else if (isFine && reload) plugin.config = normalizeConfigText(asked.text);
  host.game.emit("config.outcome", {
    writeId,
    plugin: plugin.name,
    ok: isFine,
    phase: reload ? "load" : "write",
    ...(isFine ? {} : { message: problem }),
    beforeHash: sha256(before),
    afterHash: sha256(plugin.config ?? ""),
    rolledBack,
    logTail: logTail(host, pending, problem),
  });
  if (reload) tellReload(host, plugin, isFine || rolledBack);
}

/** Returns why the plugin could not load the file. The plugin reads the file only if a reload was requested. */
function problemOfWrite({ asked, mode }: Pending): string | null {
  if (mode === "failed") return "the plugin threw in Init()";
  return asked.reload ? problemOf(asked.text) : null;
}

function tellReload({ game }: SurvivalHost, plugin: Plugin, loaded: boolean): void {
  plugin.loaded = loaded;
  const kind = loaded ? "plugin.loaded" : "plugin.unloaded";
  game.emit(kind, { ...buildPluginEntry(plugin), reason: "reload" });
}

/**
 * Returns the output of the console during the write. It quotes the configuration and so contains
 * secrets.
 */
function logTail(
  { world }: SurvivalHost,
  { plugin, asked }: Pending,
  problem: string | null,
): string[] {
  const { name, title, version, author } = plugin;
  const secret = /canary-[a-z-]+/.exec(asked.text)?.[0];
  return [
    `> ${world.framework.reload(name)}`,
    `Unloaded plugin ${title} v${version} by ${author}`,
    ...(secret === undefined ? [] : [`[${title}] connecting with ${secret}`]),
    problem === null
      ? `Loaded plugin ${title} v${version} by ${author}`
      : `Failed to load ${name}: ${problem}`,
  ];
}
