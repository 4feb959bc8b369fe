import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { writeOnce } from "../../shared/platform/process/write-once.ts";
import { type Certificate, makeCertificate } from "../support/network/certificate.ts";
import { type KeptKeys, makeKeys } from "../support/push/user-agent.ts";

/** What makes the demo's receiver the same after a restart. */
export interface ReceiverKept {
  readonly certificate: Certificate;
  readonly keys: KeptKeys;
}

/** The name it has at the demo's own name server. */
export const receiverName = "receiver.test";

const fileIn = (folder: string): string => path.join(folder, "demo-receiver.json");

/** Makes what the receiver keeps, and the file by which the demo's processes trust it. */
export function keepReceiver(folder: string): void {
  writeOnce(fileIn(folder), () =>
    JSON.stringify({ certificate: makeCertificate([receiverName]), keys: makeKeys() }),
  );
  const { certificate } = readReceiver(folder);
  // Node reads one file: what the starter's own one adds goes into that.
  const further = process.env["NODE_EXTRA_CA_CERTS"];
  const others = further && existsSync(further) ? [readFileSync(further, "utf8")] : [];
  writeFileSync(path.join(folder, "demo-receiver.pem"), [certificate.cert, ...others].join("\n"));
}

export const readReceiver = (folder: string): ReceiverKept =>
  JSON.parse(readFileSync(fileIn(folder), "utf8")) as ReceiverKept;
