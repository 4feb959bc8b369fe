import { readFileSync } from "node:fs";
import path from "node:path";

const manifest = path.join(import.meta.dirname, "../../../package.json");

export const version = (JSON.parse(readFileSync(manifest, "utf8")) as { version: string }).version;
