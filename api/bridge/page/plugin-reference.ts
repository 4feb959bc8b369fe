import { refusals } from "../../../shared/bridge/refusals.ts";
import type { BridgeDocument, FamilyDocument, FrameDocument } from "../document/document.ts";
import type { PluginCallDocument } from "../document/plugin-calls.ts";
import { fieldTable } from "./field-table.ts";
import { type Html, html, json, sentence, table } from "./html.ts";

type Plugin = BridgeDocument["plugin"];

const limitNames: Readonly<Record<string, string>> = {
  eventsOfACall: "events of one call",
  bytesOfACall: "bytes of the body of a hello or of events",
  bytesOfAnEvent: "bytes of one event as JSON",
  levelsOfAPayload: "levels of a payload",
  bytesOfAnOutcome: "bytes of the outcome of a command",
  bytesOfAFile: "bytes of a file in an outcome, decoded",
  callsAtOnce: "calls of one key at once, the wait among them",
  hellosAndEventsInASecond: "hellos and calls with events in a second",
  secondsOfAWait: "seconds of a wait for commands",
  secondsUntilSilent: "seconds after the end of the last call until the plugin counts as lost",
  secondsToTakeACommand: "seconds within which a plugin must take a command",
  commandsOfAnAnswer: "commands of one answer",
  hoursThatAKeyIsRemembered: "hours for which the outcome of an idempotency key is remembered",
  rowsOfAPage: "rows of a page that the site asks a plugin for",
  keysOfImages: "keys of pictures that the site asks a plugin for in one call",
};

/** The numbers that a plugin keeps to. */
export const limitTable = ({ limits }: Plugin): Html =>
  table(
    ["Limit", "Of what"],
    Object.entries(limits).map(([name, value]) => [
      value.toLocaleString("en-US"),
      limitNames[name] ?? name,
    ]),
  );

/** What a plugin does at each code. */
export const codeTable = ({ codes }: Plugin): Html =>
  table(
    ["Status", "Code", "Meaning", "What the plugin does"],
    codes.map(({ statuses, code, means, next }) => [
      statuses.join(", "),
      html`<code>${code}</code>`,
      means,
      next,
    ]),
  );

/** The codes with which a game refuses a call. */
export const refusalTable = (): Html =>
  table(
    ["Status", "Code", "Meaning"],
    Object.entries(refusals).map(([code, { status, means }]) => [
      String(status),
      html`<code>${code}</code>`,
      means,
    ]),
  );

export const familyTable = (families: readonly FamilyDocument[]): Html =>
  table(
    ["Family", "Kinds"],
    families.map(({ name, kinds }) => [
      html`<code>${name}</code>`,
      kinds.map((kind) => `\`${kind}\``).join(", "),
    ]),
  );

export const wordTable = (words: Readonly<Record<string, readonly string[]>>): Html =>
  table(
    ["Words", "Which there are"],
    Object.entries(words).map(([what, list]) => [
      what,
      list.map((word) => `\`${word}\``).join(" "),
    ]),
  );

export const frameReference = (frames: readonly FrameDocument[]): Html =>
  html`${frames.map(
    ({ type, from, about, schema, example }) => html`<section>
<h3 id="frame-${type}"><code>${type}</code> (from the ${from})</h3>
<p>${sentence(about)}</p>
${fieldTable(schema)}
<p>Example:</p>
${json(example)}
</section>
`,
  )}`;

const part = (title: string, shown: Html | null): Html =>
  shown === null
    ? html``
    : html`<p>${title}:</p>
${shown}`;

function pluginCall(call: PluginCallDocument): Html {
  const { params, query, request, answer, status, example, codes } = call;
  const anchor = `plugin-${call.call.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}`;
  return html`<section>
<h3 id="${anchor}"><code>${call.call}</code></h3>
<p>${sentence(call.about)}</p>
${part("Parameters of the path", params && fieldTable(params))}
${part("Parameters of the query", query && fieldTable(query))}
${part("Body", request && fieldTable(request))}
${part("Example of a body", example.request === null ? null : json(example.request))}
${answer ? part(`Answer with ${status}`, fieldTable(answer)) : html`<p>Answer: ${status} without a body.</p>`}
${part("Example of an answer", example.answer === null ? null : json(example.answer))}
<p>Codes of refusals: ${codes.map((code, at) => html`${at > 0 ? ", " : ""}<code>${code}</code>`)}.</p>
</section>
`;
}

/** The four calls of a plugin, and what a refusal holds. */
export const pluginReference = ({ calls, refusal }: Plugin): Html =>
  html`${calls.map(pluginCall)}
<section>
<h3 id="plugin-refusal">A refusal</h3>
${fieldTable(refusal)}
</section>
`;
