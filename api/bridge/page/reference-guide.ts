import type { GuideSection } from "../../../shared/platform/bridge/guide-sections.ts";

const columns = `
If a field is **required**, the object that contains it must have it. The path \`items[].price\`
means the field \`price\` of each object in the list \`items\`.
`;

const seenBy = `
For each kind, **Seen by** names the lowest audience that sees the event by default. From the lowest
to the highest, the audiences are \`anonymous\` (everyone), \`logged_in\` (users who are signed in),
\`player\` (users with a linked game account), \`staff\` (moderators and editors) and \`admin\`
(administrators). An audience includes all higher ones. An entry such as \`location: staff\` names
the lowest audience that sees a single field. Administrators can change the audience of a
**feature**, which is a group of kinds. Kinds without a feature are always for administrators only,
except \`admin.audit\`, which moderators see too. Only administrators see the fields that contain
game accounts and IP addresses, even in kinds that everyone sees.
`;

/** The introductions of the reference's sections, in Markdown. */
export const referenceGuide = {
  "plugin-calls": columns,
  "uo-kinds": seenBy,
  "uo-calls": `
- A **write** changes something in the game, and has an actor and an idempotency key. Only
  \`POST /v1/resync\` has neither if the site sends it to a plugin. A **read** changes nothing, and
  has neither.
- The site sends a call that has a capability only to a plugin that lists this capability in
  \`POST /hello\`. It sends each call without a capability to every plugin, and all calls of the
  protocol version to a sidecar. If your program does not have a call, answer 422 \`UNSUPPORTED\`.
`,
  "rust-kinds": `
Send [\`server.hello\`](#rust-server.hello) before all other events. In each event, next to
\`payload\`, send the field \`saveId\`: the creation time of the world's save in epoch milliseconds.
By \`saveId\`, the site distinguishes the worlds before and after a wipe. Send a kind that has a
capability only if the plugin lists this capability in \`server.hello\`.

**Seen by** names who sees the stored event: \`everyone\`, \`the audience presence\` (by default,
users who are signed in; administrators can change it), or \`administrators and moderators\`. A
state is not stored as an event: the site uses it only to update its data about the server.
`,
  "rust-calls": `
- A **write** changes something in the game, and has an actor and an idempotency key. Only
  \`POST /v1/resync\` has neither if the site sends it to a plugin. A **read** changes nothing, and
  has neither.
- The site makes a call that has a capability only if [\`server.hello\`](#rust-server.hello) lists
  this capability.
- If a call needs an optional mod that the game has not loaded, answer 422 with the body
  \`{ "code": "UNSUPPORTED", "helper": "ZoneManager" }\`, in which \`helper\` is the name of the
  mod.
`,
} as const satisfies { readonly [Section in GuideSection]?: string };
