import { readFileSync } from "node:fs";
import path from "node:path";

import type { Request, RequestHandler, Response } from "express";
import swaggerUi, { type SwaggerUiOptions } from "swagger-ui-express";

/** Where `npm run docs` writes the description, and the service looks for it. */
export const descriptionFile = path.join(import.meta.dirname, "../openapi.json");

type Descriptions = Readonly<Record<"core" | "additive", object>>;

let descriptions: Descriptions | null | undefined;

/** The API description, read once a process; null when its file is missing or broken. */
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
  explorer: true,
  swaggerOptions: {
    urls: [
      { url: "/api/docs.json", name: "Core" },
      { url: "/api/docs.json?set=additive", name: "Additive" },
    ],
  },
};

const page = swaggerUi.setup(undefined, options);

/** Answers the page that reads both sets. */
export function docsPage(request: Request, response: Response): void {
  void page(request, response, () => undefined);
}

/** The scripts and styles the page loads. */
export const docsFiles = (): RequestHandler[] => swaggerUi.serveFiles(undefined, options);
