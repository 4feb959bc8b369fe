import { readFileSync } from "node:fs";
import path from "node:path";

import type { RequestHandler } from "express";
import swaggerUi, { type SwaggerUiOptions } from "swagger-ui-express";

import { guidePath } from "../../shared/platform/bridge/guide-sections.ts";

/** Where `npm run docs` writes the description, and the service looks for it. */
export const descriptionFile = path.join(import.meta.dirname, "../openapi.json");

type Descriptions = Readonly<Record<"core" | "additive", object>>;

export type DescriptionReader = () => Descriptions | null;

/** Reads the API description once it is asked for; null while its file is missing or broken. */
export function descriptionReader(file: string): DescriptionReader {
  let descriptions: Descriptions | null = null;
  return () => (descriptions ??= readFile(file));
}

function readFile(file: string): Descriptions | null {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Descriptions;
  } catch {
    return null;
  }
}

interface Requirement {
  readonly size: number;
}

interface Requirements {
  every(holds: (one: Requirement) => boolean): boolean;
}

/**
 * A padlock is closed where a route lets nobody in without a session. Swagger UI's own is closed where
 * the credentials that were entered suffice, and so at every route that needs none. This function is
 * sent to the browser as text, so it may use nothing from outside itself.
 */
const padlocks = () => ({
  statePlugins: {
    auth: {
      wrapSelectors: {
        isAuthorized: () => (_state: unknown, requirements: Requirements | undefined) =>
          requirements !== undefined && requirements.every((one) => one.size > 0),
      },
    },
  },
});

const options: SwaggerUiOptions = {
  customSiteTitle: "Guildhall API",
  customCss: "",
  explorer: true,
  swaggerOptions: {
    // A service elsewhere would be told of the description.
    validatorUrl: null,
    // Swagger UI stops, without a word, amid a list of some 150 open operations: chapters begin closed.
    docExpansion: "none",
    plugins: [padlocks],
    urls: [
      { url: "/api/docs.json", name: "Core" },
      { url: "/api/docs.json?set=additive", name: "Additive" },
    ],
  },
};

const linkToGuide = `<p style="padding: 0 20px"><a href="${guidePath}">Write a plugin or a sidecar
of a game server</a></p>
`;

/**
 * The page that reads both sets. It names its files relative to itself, which holds for a folder;
 * the page has no slash at its end.
 */
export const docsPage = swaggerUi
  .generateHTML(undefined, options)
  .replaceAll('="./', '="/api/docs/')
  .replace('<div id="swagger-ui">', `${linkToGuide}<div id="swagger-ui">`);

/** The scripts and styles the page loads. */
export const docsFiles = (): RequestHandler[] => swaggerUi.serveFiles(undefined, options);
