import { describe, expect, it } from "vitest";

import {
  buildConnectionUrl,
  controlAddress,
  socketAddress,
} from "../../shared/platform/bridge/socket/addresses.ts";
import { epoch } from "./stream-server.ts";

describe("socketAddress", () => {
  it.each([
    ["ws://127.0.0.1:7070/stream", "ws://127.0.0.1:7070/stream"],
    [" wss://shard.example ", "wss://shard.example/"],
    ["wss://shard.example/a?tenant=7", "wss://shard.example/a?tenant=7"],
  ])("accepts the URL %j", (text, taken) => {
    expect(socketAddress.validate(text)).toEqual({ value: taken });
  });

  it.each([
    "http://shard.example",
    "shard.example",
    "ws://user:secret@shard.example",
    "ws://shard.example/#",
    "ws://shard.example/#part",
  ])("rejects %j and names the allowed URL forms", (text) => {
    const { error } = socketAddress.label("wsUrl").validate(text);
    expect(error?.message).toBe(
      '"wsUrl" must be a ws or wss URL, with no user, password or fragment',
    );
  });
});

describe("controlAddress", () => {
  it.each([
    ["https://shard.example/", "https://shard.example"],
    ["http://10.0.0.7:7070/bridge/", "http://10.0.0.7:7070/bridge"],
  ])("accepts %j and removes its trailing slash", (text, taken) => {
    expect(controlAddress.validate(text)).toEqual({ value: taken });
  });

  it.each(["ws://shard.example", "http://shard.example/?a=1", "http://u@shard.example", "http://"])(
    "rejects the URL %j",
    (text) => {
      expect(controlAddress.validate(text).error).toBeDefined();
    },
  );
});

describe("buildConnectionUrl", () => {
  it("sends no cursor on the first connection and keeps the query parameters of the address", () => {
    expect(buildConnectionUrl("wss://shard.example/s?tenant=7", 8, null)).toBe(
      "wss://shard.example/s?tenant=7&protocol=8",
    );
  });

  it("sends the epoch and seq of the cursor in place of those in the address", () => {
    expect(buildConnectionUrl("ws://shard.example/s?after=1", 7, { epoch, seq: 42 })).toBe(
      `ws://shard.example/s?protocol=7&epoch=${epoch}&after=42`,
    );
  });
});
