import {
  array,
  assert,
  constantFrom,
  ipV4,
  ipV6,
  nat,
  oneof,
  property,
  string,
  tuple,
} from "fast-check";
import { describe, expect, it } from "vitest";

import { parseForwardedAddress } from "../../shared/platform/net/forwarded-address.ts";
import {
  addressKey,
  listNetworkKeys,
  networksOf,
  normalizeAddress,
} from "../../shared/platform/net/networks.ts";

describe("the networks of an address", () => {
  it.each([
    ["198.51.100.7", ["198.51.100.7 address", "198.51.100.0/24 network"]],
    ["::ffff:198.51.100.7", ["198.51.100.7 address", "198.51.100.0/24 network"]],
    ["::FFFF:C633:6407", ["198.51.100.7 address", "198.51.100.0/24 network"]],
    [
      "2001:db8:1:2345::6",
      ["2001:db8:1:2345::/64 address", "2001:db8:1:2300::/56 site", "2001:db8:1::/48 network"],
    ],
    ["64:ff9b::c633:6407", ["198.51.100.7 address", "198.51.100.0/24 network"]],
    ["2002:c633:6407:1::1", ["198.51.100.7 address", "198.51.100.0/24 network"]],
    ["fe80::1%eth0", ["fe80::/64 address", "fe80::/56 site", "fe80::/48 network"]],
  ])(
    "are the address itself, its site (IPv6 only) and the network around it: %s",
    (address, expected) => {
      expect(networksOf(address).map(({ key, width }) => `${key} ${width}`)).toEqual(expected);
    },
  );

  it.each(["", "1", "127.1", "0x7f.0.0.1", "010.0.0.1", "999.1.1.1", "[::1]", "a"])(
    "consist only of the given text if that is not an address: %j",
    (text) => {
      expect(networksOf(text)).toEqual([{ key: text || "unknown", width: "address" }]);
      expect(normalizeAddress(text)).toBeUndefined();
    },
  );

  it("are the same however the address is written, and the list of their keys ends with the address", () => {
    assert(
      property(oneof(ipV4(), ipV6()), (address) => {
        const plain = normalizeAddress(address) ?? "";
        expect(networksOf(plain)).toEqual(networksOf(address));
        expect(listNetworkKeys(address).at(-1)).toBe(addressKey(address));
        expect(normalizeAddress(plain)).toBe(plain);
      }),
    );
  });
});

describe("an entry of X-Forwarded-For", () => {
  it.each([
    ["198.51.100.7", "198.51.100.7"],
    ["198.51.100.7:40001", "198.51.100.7"],
    ["198.51.100.7:0", "198.51.100.7"],
    [" \t198.51.100.7:65535 ", "198.51.100.7"],
    ["2001:DB8::7", "2001:db8::7"],
    ["[2001:db8::7]", "2001:db8::7"],
    ["[2001:db8::7]:443", "2001:db8::7"],
    ["::ffff:198.51.100.7", "198.51.100.7"],
    ["[::ffff:198.51.100.7]:5", "198.51.100.7"],
    ["[::ffff:c633:6407]", "198.51.100.7"],
    ["fe80::1%eth0", "fe80::1"],
    // Without brackets, ":443" is the last group of the address and not a port.
    ["2001:db8::7:443", "2001:db8::7:443"],
  ])("%s is read as %s", (entry, address) => {
    expect(parseForwardedAddress(entry)).toEqual({ address });
  });

  it.each([
    ["", "empty"],
    ["  ", "empty"],
    ["999.1.1.1", "ipv4"],
    ["1.2.3.4.5", "ipv4"],
    ["1.2.3.4:", "ipv4"],
    ["1.2.3.4:99999", "ipv4"],
    ["1.2.3.4:123456", "ipv4"],
    ["5", "ipv4"],
    ["010.0.0.1", "ipv4"],
    ["[2001:db8::7", "ipv6"],
    ["[2001:db8::7]:99999", "ipv6"],
    ["2001:db8:::7", "ipv6"],
    ["2001:db8:0:0:0:0:0:7:443", "ipv6"],
    ["[1.2.3.4]:5", "other"],
    ["[[::1]]:5", "other"],
    ["for=198.51.100.7", "element"],
    ['"[2001:db8::7]:443"', "element"],
    ["unknown", "name"],
    ["_hidden", "name"],
    ["client.example:80", "name"],
    ["0x7f.0.0.1", "name"],
    ["<script>", "other"],
    ["1.2.3.4 5.6.7.8", "other"],
    ["198.51.100.7;", "other"],
    ["１98.51.100.7", "other"],
  ])("%s is not an address and is reported as the form %s", (entry, unread) => {
    expect(parseForwardedAddress(entry)).toEqual({ unread });
  });

  it("yields an address that occurs in the text or no address, for any text", () => {
    const pieces = constantFrom(
      "[",
      "]",
      ":",
      ".",
      "%",
      '"',
      "for=",
      "::ffff:",
      "1",
      "ff",
      " ",
      "\0",
    );
    const garbage = array(oneof(pieces, ipV4(), ipV6(), string({ unit: "binary", maxLength: 3 })), {
      maxLength: 6,
    }).map((parts) => parts.join(""));
    assert(
      property(garbage, (text) => {
        const result = parseForwardedAddress(text);
        if (!("address" in result)) return;
        const host = text.trim().replace(/^\[(.*)\](?::\d+)?$/, "$1");
        const candidates = [host, host.replace(/:\d+$/, "")].map((part) => normalizeAddress(part));
        expect(candidates).toContain(result.address);
      }),
      { numRuns: 2_000 },
    );
  });

  it("yields the same address with a port as without one", () => {
    assert(
      property(tuple(oneof(ipV4(), ipV6()), nat(65_535)), ([address, port]) => {
        const written = address.includes(":") ? `[${address}]:${port}` : `${address}:${port}`;
        expect(parseForwardedAddress(written)).toEqual({ address: normalizeAddress(address) });
      }),
    );
  });
});
