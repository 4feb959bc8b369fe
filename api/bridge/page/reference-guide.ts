import type { GuideSection } from "../../../shared/bridge/guide-sections.ts";

const columns = `
A field is **required** if the object that holds it must have it. \`items[].price\` is the field
\`price\` of each object in the list \`items\`.
`;

const seenBy = `
**Seen by** is who sees an event by default. Administrators of the site may change it. From the least to
the most: \`anonymous\` is everyone, \`logged_in\` every user, \`player\` users with a linked game
account, \`staff\` moderators and editors, and \`admin\`. Fields that name game accounts and addresses
are for administrators alone, whoever sees the event.
`;

/** What stands before the reference, section by section, in Markdown. */
export const referenceGuide = {
  "plugin-calls": columns,
  "uo-kinds": seenBy,
  "uo-calls": `
Calls without a capability are asked of every plugin. A **command** acts in the game, and has an actor and
an idempotency key. A **read** changes nothing.
`,
  "rust-kinds": `
Send [\`server.hello\`](#rust-server.hello) before all other events. Name \`saveId\`, the creation time of
the world's save in epoch milliseconds, in each event, so that the site can tell the worlds before and
after a wipe apart. A plugin sends kinds with a capability only if it has the capability.
`,
  "rust-calls": `
The site makes a call only if [\`server.hello\`](#rust-server.hello) names its capability. If an optional mod
is missing that the call needs, answer 422 \`UNSUPPORTED\` with \`helper\`, the mod's name.
`,
} as const satisfies { readonly [Section in GuideSection]?: string };
