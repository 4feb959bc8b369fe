import { readFileSync } from "node:fs";

import { mailVariables } from "../../shared/platform/config/mail-variables.ts";
import { pushVariables } from "../../shared/platform/config/push-variables.ts";
import { sessionVariables } from "../../shared/platform/config/session-variables.ts";
import { ssoVariables } from "../../shared/platform/config/sso-variables.ts";
import { survivalVariables } from "../../shared/platform/config/survival-variables.ts";
import { throttleVariables } from "../../shared/platform/config/throttle-variables.ts";
import type { Variable } from "../../shared/platform/config/variable.ts";
import { variables } from "../../shared/platform/config/variables.ts";
import { formatPhrase, formatCode, markdownTable } from "./table.ts";

/** The groups of variables that have a separate section. */
const sections: Readonly<Record<string, object>> = {
  "Sessions and tokens": sessionVariables,
  "Sign-in at providers": ssoVariables,
  "Survival servers": survivalVariables,
  Mail: mailVariables,
  "Push messages": pushVariables,
  "Limits and bans": throttleVariables,
};

/** Reads the defaults from `.env.example`, as written there. */
const readDefaults = (): ReadonlyMap<string, string> =>
  new Map(
    [
      ...readFileSync(new URL("../../.env.example", import.meta.url), "utf8").matchAll(
        /^#([A-Z_]+)=(.*)$/gm,
      ),
    ].map(([, name = "", text = ""]) => [name, text]),
  );

/** Returns why production refuses the default of a variable; empty if production accepts the default. */
function productionRule({ schema, refusedInProduction }: Variable<unknown>): string {
  const { value, error } = schema.validate(undefined);
  if (error) return "required";
  return refusedInProduction?.(value, {}) ?? "";
}

function tableOf(
  part: Readonly<Record<string, Variable<unknown>>>,
  defaults: ReadonlyMap<string, string>,
): string {
  const rows = Object.entries(part).map(([name, variable]) => {
    const byDefault = defaults.get(name) ?? "";
    const rule = productionRule(variable);
    return [
      formatCode(name),
      byDefault === "" ? "" : formatCode(byDefault),
      formatPhrase(variable.about),
      rule === "" ? "" : formatPhrase(rule),
    ];
  });
  return markdownTable(["Variable", "Default", "Meaning", "In production"], rows);
}

/** Returns the text of `docs/operate/configuration.md`. */
export function configurationPage(): string {
  const defaults = readDefaults();
  const inSections = new Set(Object.values(sections).flatMap((part) => Object.keys(part)));
  const catalog: Readonly<Record<string, Variable<unknown>>> = variables;
  const partOf = (isOfPart: (name: string) => boolean) =>
    Object.fromEntries(Object.entries(catalog).filter(([name]) => isOfPart(name)));
  const parts = [
    ["General", partOf((name) => !inSections.has(name))],
    ...Object.entries(sections).map(
      ([title, part]) => [title, partOf((name) => Object.hasOwn(part, name))] as const,
    ),
  ] as const;
  return `# Configuration

For people who run the processes. This page lists every environment variable.

Every process and every \`npm run\` command reads the environment. It also reads the file \`.env\` in
the folder in which you start it. If the environment and the file both set a variable, the value of the
environment applies. An empty variable counts as unset unless the column Meaning says otherwise.

If the value of a variable breaks a rule, the process does not start. It prints all broken rules with the
names of the variables.

- A duration is a whole number and a unit: \`250ms\`, \`2s\`, \`15m\`, \`12h\` or \`7d\`.
- The items of a list are separated by commas.
- The rules of the last column apply only with \`NODE_ENV=production\`.
- Two variables \`…_MAX\` and \`…_WINDOW\` form a rate limit: at most \`…_MAX\` requests or other actions
  within the time \`…_WINDOW\`.
- For the limits, an IP address is an IPv4 address or an IPv6 /64. Wider networks share limits as
  [Limits by network](addresses-and-proxies.md#limits-by-network) describes.

${parts.map(([title, part]) => `## ${title}\n\n${tableOf(part, defaults)}`).join("\n\n")}
`;
}
