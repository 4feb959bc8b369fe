import { readFileSync } from "node:fs";
import path from "node:path";

import type { RequestHandler } from "express";
import swaggerUi, { type SwaggerUiOptions } from "swagger-ui-express";

/** Where `npm run docs` writes the description, and the service looks for it. */
export const descriptionFile = path.join(import.meta.dirname, "../openapi.json");

type Descriptions = Readonly<Record<"core" | "additive", object>>;

let descriptions: Descriptions | null = null;

/** The API description, read once it is asked for; null while its file is missing or broken. */
export function readDescriptions(): Descriptions | null {
  descriptions ??= readFile();
  return descriptions;
}

function readFile(): Descriptions | null {
  try {
    return JSON.parse(readFileSync(descriptionFile, "utf8")) as Descriptions;
  } catch {
    return null;
  }
}

const options: SwaggerUiOptions = {
  customSiteTitle: "Guildhall API",
  customCss: "",
  explorer: true,
  swaggerOptions: {
    // A service elsewhere would be told of the description.
    validatorUrl: null,
    urls: [
      { url: "/api/docs.json", name: "Core" },
      { url: "/api/docs.json?set=additive", name: "Additive" },
    ],
  },
};

/**
 * The page that reads both sets. It names its files relative to itself, which holds for a folder;
 * the page has no slash at its end.
 */
export const docsPage = swaggerUi
  .generateHTML(undefined, options)
  .replaceAll('="./', '="/api/docs/');

/** The scripts and styles the page loads. */
export const docsFiles = (): RequestHandler[] => swaggerUi.serveFiles(undefined, options);
