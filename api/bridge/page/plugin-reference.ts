import { callRefusals } from "../../../shared/platform/bridge/refusals.ts";
import type { BridgeDocument, FamilyDocument, FrameDocument } from "../document/document.ts";
import type { PluginCallDocument } from "../document/plugin-calls.ts";
import { fieldTable } from "./field-table.ts";
import { type Html, html, renderJson, renderSentence, renderTable } from "./html.ts";

type Plugin = BridgeDocument["plugin"];

const limitNames: Readonly<Record<string, string>> = {
  eventsOfACall: "maximum number of events in one `POST /events`",
  bytesOfACall: "maximum size of the body of `POST /hello` and `POST /events`, in bytes",
  bytesOfAnEvent: "maximum size of one event as JSON, in bytes",
  levelsOfAPayload: "maximum number of levels of nested objects and lists in a payload",
  bytesOfAnOutcome: "maximum size of the body of `POST /commands/:id`, in bytes",
  bytesOfAFile: "maximum size of a file in an outcome, in bytes after decoding",
  callsAtOnce:
    "maximum number of calls with one plugin key that are in progress at the same time, " +
    "including `GET /commands`",
  hellosAndEventsInASecond:
    "maximum number of calls of `POST /hello` and `POST /events` together within one second",
  secondsOfAWait: "maximum of `wait` in `GET /commands`, in seconds",
  secondsUntilSilent:
    "seconds after the end of the plugin's last call until the site considers the plugin " +
    "disconnected",
  secondsToTakeACommand: "seconds within which the plugin must fetch a command",
  commandsOfAnAnswer: "maximum number of commands in one answer to `GET /commands`",
  hoursThatAKeyIsRemembered:
    "hours for which the plugin must store a successful outcome with its idempotency key",
  rowsOfAPage: "number of rows that the site requests in one page of a source",
  keysOfImages: "maximum number of keys of pictures that the site sends to a plugin in one call",
};

export const limitTable = ({ limits }: Plugin): Html =>
  renderTable(
    ["Value", "Limit"],
    Object.entries(limits).map(([name, value]) => [
      value.toLocaleString("en-US"),
      limitNames[name] ?? name,
    ]),
  );

/** Renders the error codes of plugin calls and how a plugin reacts to each. */
export const codeTable = ({ codes }: Plugin): Html =>
  renderTable(
    ["Status", "Code", "Meaning", "What the plugin does next"],
    codes.map(({ statuses, code, means, next }) => [
      statuses.join(", "),
      html`<code>${code}</code>`,
      means,
      next,
    ]),
  );

/** Renders the codes with which a game server refuses a call. */
export const refusalTable = (): Html =>
  renderTable(
    ["Status", "Code", "Meaning"],
    Object.entries(callRefusals).map(([code, { status, means }]) => [
      String(status),
      html`<code>${code}</code>`,
      means,
    ]),
  );

export const familyTable = (families: readonly FamilyDocument[]): Html =>
  renderTable(
    ["Family", "Kinds"],
    families.map(({ name, kinds }) => [
      html`<code>${name}</code>`,
      kinds.map((kind) => `\`${kind}\``).join(", "),
    ]),
  );

export const nameListTable = (words: Readonly<Record<string, readonly string[]>>): Html =>
  renderTable(
    ["List", "Names"],
    Object.entries(words).map(([what, list]) => [
      what,
      list.map((word) => `\`${word}\``).join(", "),
    ]),
  );

export const frameReference = (frames: readonly FrameDocument[]): Html =>
  html`${frames.map(
    ({ type, from, about, schema, example }) => html`<section>
<h3 id="frame-${type}"><code>${type}</code> (from the ${from})</h3>
<p>${renderSentence(about)}</p>
${fieldTable(schema)}
<p>Example:</p>
${renderJson(example)}
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
  const answered = answer
    ? part(`Body of the answer ${status}`, fieldTable(answer))
    : html`<p>The answer is ${status} without a body.</p>`;
  const listed = codes.map((code, at) => html`${at > 0 ? ", " : ""}<code>${code}</code>`);
  return html`<section>
<h3 id="${anchor}"><code>${call.call}</code></h3>
<p>${renderSentence(call.about)}</p>
${part("Path parameters", params && fieldTable(params))}
${part("Query parameters", query && fieldTable(query))}
${part("Body", request && fieldTable(request))}
${part("Example of a body", example.request === null ? null : renderJson(example.request))}
${answered}
${part("Example of the body of an answer", example.answer === null ? null : renderJson(example.answer))}
<p>Possible codes of refusals: ${listed}.</p>
</section>
`;
}

/** Renders the calls of a plugin and the fields of a refusal. */
export const pluginReference = ({ calls, refusal }: Plugin): Html =>
  html`${calls.map(pluginCall)}
<section>
<h3 id="plugin-refusal">Body of a refusal</h3>
${fieldTable(refusal)}
</section>
`;
