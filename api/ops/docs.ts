import { readFileSync } from "node:fs";
import path from "node:path";

import type { RequestHandler } from "express";
import swaggerUi, { type SwaggerUiOptions } from "swagger-ui-express";

import { guidePath } from "../../shared/platform/bridge/guide-sections.ts";

/** The path to which `npm run docs` writes the description and from which the service reads it. */
export const descriptionFile = path.join(import.meta.dirname, "../openapi.json");

type Descriptions = Readonly<Record<"core" | "additive", object>>;

export type DescriptionReader = () => Descriptions | null;

/** Reads the API description at the first call; null while its file is missing or broken. */
export function createDescriptionReader(file: string): DescriptionReader {
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
 * Shows a closed padlock on routes that require a session. Swagger UI's own padlock is closed if the
 * entered credentials suffice, and thus on all public routes. The browser gets this function as text, so it
 * must not use anything outside itself.
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
    // The validator is an external service, which would see the description.
    validatorUrl: null,
    // Swagger UI stops silently when it renders about 150 expanded operations, so chapters start collapsed.
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

/** The API description's page. Its files get absolute URLs, because its own URL does not end in a slash. */
export const docsPage = swaggerUi
  .generateHTML(undefined, options)
  .replaceAll('="./', '="/api/docs/')
  .replace('<div id="swagger-ui">', `${linkToGuide}<div id="swagger-ui">`);

export const docsFiles = (): RequestHandler[] => swaggerUi.serveFiles(undefined, options);
