import { once } from "node:events";
import { createServer, request as httpRequest } from "node:http";
import type { AddressInfo } from "node:net";

import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { AppError } from "../../shared/platform/errors/errors.ts";
import { maxFormBytes, readReportForm } from "../../shared/survival/reports/read-form.ts";
import { propertyRunsOf } from "../support/runner/lane.ts";

/** Sends a form in pieces of this size, as a connection delivers it. */
async function* piecesOf(form: string | Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(form);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const read = (form: string | Uint8Array, size = 65_536) => readReportForm(piecesOf(form, size));

const encode = (fields: Readonly<Record<string, string>>) => new URLSearchParams(fields).toString();

const codeOf = async (reading: Promise<unknown>) => {
  const error = await reading.catch((thrown: unknown) => thrown);
  return error instanceof AppError ? error.errorCode : undefined;
};

describe("the form of a report", () => {
  it("is read as it was written, in pieces of any size", async () => {
    const anyReport = fc.dictionary(fc.string({ unit: "binary" }), fc.jsonValue());
    await fc.assert(
      fc.asyncProperty(anyReport, fc.integer({ min: 1, max: 40 }), async (report, size) => {
        const data = JSON.stringify(report).toWellFormed();
        const form = encode({ userid: "7", data, key: "a&b=c%" });
        expect(await read(form, size)).toBe(data);
      }),
      { numRuns: propertyRunsOf(40) },
    );
  });

  it("is read completely even if one text is longer than 32 KiB and is shortened", async () => {
    const anyText = fc.string({ unit: fc.constantFrom("a", "ä", "😀", '"', "\\", "\u0001", "%") });
    await fc.assert(
      fc.asyncProperty(
        anyText,
        fc.integer({ min: 32_700, max: 32_800 }),
        fc.integer({ min: 1, max: 5_000 }),
        async (text, length, size) => {
          const long = "x".repeat(length) + text.repeat(40);
          const form = encode({ data: JSON.stringify({ long, after: text }) });
          const found = JSON.parse((await read(form, size)) ?? "") as Record<string, string>;
          expect(found["after"]).toBe(text);
          const kept = found["long"] ?? "";
          expect(long.startsWith(kept)).toBe(true);
          expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(32_768 + 12);
        },
      ),
      { numRuns: propertyRunsOf(20) },
    );
  });

  it("is read from its first field named data, and its other fields are ignored", async () => {
    expect(await read("data=1&data=2")).toBe("1");
    expect(await read("dat=1&userid=2&nothing")).toBeUndefined();
    expect(await read("data")).toBeUndefined();
    expect(await read(`${"n".repeat(70_000)}=1&data=2`)).toBe("2");
  });

  it("uses little memory while thirty forms with large screenshots arrive", async () => {
    const image = Buffer.alloc(65_536, "aZ%2B");
    async function* screenshot(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('data={"Image":"');
      for (let sent = 0; sent < maxFormBytes - 2 * image.length; sent += image.length) yield image;
      yield Buffer.from('","Subject":"flying"}');
    }
    const forms = Array.from({ length: 30 }, screenshot);
    const readers = forms.map((form) => readReportForm(form));
    const texts = await Promise.all(readers);
    const kept = texts.map((text) => Buffer.byteLength(text ?? ""));
    expect(Math.max(...kept)).toBeLessThan(33_000);
    expect(texts.map((text) => JSON.parse(text ?? "") as unknown)).toEqual(
      texts.map(() => expect.objectContaining({ Subject: "flying" })),
    );
  });

  it("is refused if the client breaks the upload off", async () => {
    const reading = Promise.withResolvers<string | undefined>();
    const server = createServer((request) => {
      reading.resolve(codeOf(readReportForm(request)));
      request.once("data", () => sent.destroy());
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const sent = httpRequest({ port, host: "127.0.0.1", method: "POST" });
    sent.on("error", () => undefined);
    sent.write("data=");
    expect(await reading.promise).toBe("malformed_body");
    server.close();
  });

  it("is refused if it is broken or too large", async () => {
    expect(await codeOf(read("data=%4"))).toBe("malformed_body");
    expect(await codeOf(read("data=%zz"))).toBe("malformed_body");
    expect(await codeOf(read("dat%61=%4&x=1"))).toBe("malformed_body");
    const fields = `data=[${"1,".repeat(200_000)}1]`;
    expect(await codeOf(read(fields))).toBe("body_too_large");
    const text = Buffer.alloc(maxFormBytes + 1, "x");
    expect(await codeOf(read(text))).toBe("body_too_large");
  });
});
