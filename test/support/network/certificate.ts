import { generateKeyPairSync, randomBytes, sign } from "node:crypto";

export interface Certificate {
  /** The certificate. It is self-signed, so it is also the certificate of its authority. */
  readonly cert: string;
  readonly key: string;
}

const day = 24 * 3_600_000;

/**
 * Creates a self-signed certificate for these names, as RFC 5280 defines. Node.js has no function
 * for that.
 */
export function makeCertificate(names: readonly string[], from = Date.now() - day): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  // OpenSSL looks an authority up by its name, so each certificate needs a name of its own.
  const name = `Guildhall tests ${randomBytes(8).toString("hex")}`;
  const issuer = sequence(set(sequence(objectId(2, 5, 4, 3), utf8(name))));
  const algorithm = sequence(objectId(1, 2, 840, 10045, 4, 3, 2));
  const body = sequence(
    tagged(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    issuer,
    sequence(utcTime(from), utcTime(from + 300 * day)),
    issuer,
    publicKey.export({ type: "spki", format: "der" }),
    tagged(0xa3, sequence(alternativeNames(names), authority())),
  );
  const signature = sign("sha256", body, privateKey);
  const der = sequence(body, algorithm, tagged(0x03, Buffer.concat([Buffer.from([0]), signature])));
  const lines = der.toString("base64").match(/.{1,64}/g) ?? [];
  return {
    cert: ["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----", ""].join("\n"),
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
}

const alternativeNames = (names: readonly string[]): Buffer =>
  sequence(
    objectId(2, 5, 29, 17),
    tagged(0x04, sequence(...names.map((name) => tagged(0x82, Buffer.from(name))))),
  );

const authority = (): Buffer =>
  sequence(objectId(2, 5, 29, 19), tagged(0x04, sequence(tagged(0x01, Buffer.from([0xff])))));

function tagged(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...parts: readonly Buffer[]): Buffer => tagged(0x30, Buffer.concat(parts));
const set = (...parts: readonly Buffer[]): Buffer => tagged(0x31, Buffer.concat(parts));
const integer = (bytes: Buffer): Buffer => tagged(0x02, bytes);
const utf8 = (text: string): Buffer => tagged(0x0c, Buffer.from(text));

const utcTime = (ms: number): Buffer =>
  tagged(0x17, Buffer.from(`${new Date(ms).toISOString().slice(2, 19).replaceAll(/[-T:]/g, "")}Z`));

function objectId(first: number, second: number, ...rest: readonly number[]): Buffer {
  return tagged(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(encodeBase128)]));
}

/** Encodes a number in base 128. Each byte except the last has its high bit set. */
function encodeBase128(value: number): number[] {
  const sevens = [value & 0x7f];
  for (let left = value >> 7; left > 0; left >>= 7) sevens.unshift((left & 0x7f) | 0x80);
  return sevens;
}
