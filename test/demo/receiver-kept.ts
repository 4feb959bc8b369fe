import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { writeFileOnce } from "../../shared/platform/process/write-once.ts";
import { type Certificate, makeCertificate } from "../support/network/certificate.ts";
import { type StoredKeys, makeKeys } from "../support/push/user-agent.ts";

/** The receiver's data, stored so that they survive a restart. */
export interface ReceiverData {
  readonly certificate: Certificate;
  readonly keys: StoredKeys;
}

/** The receiver's name at the demo's name server. */
export const receiverName = "receiver.test";

const fileIn = (folder: string): string => path.join(folder, "demo-receiver.json");

/**
 * Creates the receiver's data once, and the certificate file with which the demo's processes trust the receiver.
 */
export function keepReceiver(folder: string): void {
  writeFileOnce(fileIn(folder), () =>
    JSON.stringify({ certificate: makeCertificate([receiverName]), keys: makeKeys() }),
  );
  const { certificate } = readReceiver(folder);
  // Node.js reads a single file of extra certificates, so add the certificates of a file that is
  // already set.
  const further = process.env["NODE_EXTRA_CA_CERTS"];
  const others = further && existsSync(further) ? [readFileSync(further, "utf8")] : [];
  writeFileSync(path.join(folder, "demo-receiver.pem"), [certificate.cert, ...others].join("\n"));
}

export const readReceiver = (folder: string): ReceiverData =>
  JSON.parse(readFileSync(fileIn(folder), "utf8")) as ReceiverData;
