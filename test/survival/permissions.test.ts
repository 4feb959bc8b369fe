import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { computePermissionDrift } from "../../shared/survival/permissions/drift.ts";
import { computeEffectivePermissions } from "../../shared/survival/permissions/effective.ts";
import {
  findGroupFaults,
  groupNamePattern,
  type GroupNode,
  sortParentsFirst,
} from "../../shared/survival/permissions/group-tree.ts";
import { expandNodes, findNodeFault } from "../../shared/survival/permissions/nodes.ts";
import {
  entryKey,
  isEntryOnServer,
  type PermissionOp,
  computePermissionOps,
  type PermissionRow,
} from "../../shared/survival/permissions/permission-ops.ts";
import {
  buildPermissionSync,
  listPermissionOpResults,
} from "../../shared/survival/permissions/permission-sync.ts";
import {
  type PermissionGrant,
  type WantedPermissionsInput,
  type PermissionGroup,
  computeWantedPermissions,
} from "../../shared/survival/permissions/wanted.ts";

const deny = ["oxide.*", "carbon.*"];
const everywhere = { all: true, serverIds: [] };
const now = new Date("2026-05-01T00:00:00Z");
const ann = "76561198000000001";
const bob = "76561198000000002";

const group = (name: string, rest: Partial<PermissionGroup> = {}): PermissionGroup => ({
  name,
  title: name,
  rank: 0,
  parent: null,
  permissions: [],
  scope: everywhere,
  managed: true,
  ...rest,
});

const grant = (steamId: string, value: string, rest: Partial<PermissionGrant> = {}) => ({
  kind: "permission" as const,
  steamId,
  value,
  scope: everywhere,
  expiresAt: null,
  revokedAt: null,
  ...rest,
});

const member = (steamId: string, value: string, rest: Partial<PermissionGrant> = {}) =>
  grant(steamId, value, { kind: "membership", ...rest });

const wanted = (rest: Partial<WantedPermissionsInput>) =>
  computeWantedPermissions({
    serverId: 1,
    groups: [],
    grants: [],
    registered: new Set(["kits.vip", "kits.admin", "zone.view", "oxide.grant"]),
    deny,
    now,
    ...rest,
  });

/** Returns the rows of the ledger as they are after the game has confirmed the operations. */
function pushed(rows: readonly PermissionRow[], ops: readonly PermissionOp[]): PermissionRow[] {
  const after = new Map(rows.map((row) => [entryKey(row), row]));
  for (const { op, ...entry } of ops) {
    const isGone = op === "revoke" || op === "leave" || op === "remove";
    after.set(entryKey(entry), { ...entry, state: isGone ? "withdrawn" : "pushed" });
  }
  return [...after.values()];
}

const row = (
  subjectKind: PermissionRow["subjectKind"],
  subject: string,
  kind: PermissionRow["kind"],
  value = "",
): PermissionRow => ({ subjectKind, subject, kind, value, state: "pushed", shape: null });

describe("a permission that staff enter", () => {
  it.each(["kits.vip", "kits.*", "zonemanager.zone.*", "a", "a-b_c.d1"])("may be %s", (node) => {
    expect(findNodeFault(node, deny)).toBeUndefined();
  });

  it.each([
    "*",
    "",
    "Kits.vip",
    "kits.vip ",
    "kits..vip",
    ".kits",
    "kits.",
    "kits*",
    "*.vip",
    "kits.*.x",
    "kits.v*",
    "oxide.grant",
    "oxide.*",
    "carbon.x.y",
    "a".repeat(129),
    "kıts.vip",
    "kits.vip\n",
  ])("may not be %j", (node) => {
    expect(findNodeFault(node, deny)).toBeDefined();
  });

  it("may not include a permission that is denied to everyone", () => {
    const forbidden = "cannot be given: SURVIVAL_PERMISSION_DENY forbids it";
    expect(findNodeFault("kits.*", ["kits.admin"])).toBe(forbidden);
    expect(findNodeFault("kits.*", ["kits.admin.*"])).toBe(forbidden);
    expect(findNodeFault("*", [])).toBe("cannot be given: it stands for every permission");
    expect(findNodeFault("kits.vip", ["kits.admin"])).toBeUndefined();
  });
});

describe("the permissions that a grant gives on a server, with wildcards expanded", () => {
  const registered = new Set(["kits.vip", "kits.admin", "kitsune.x", "oxide.grant"]);

  it.each<[string[], string[], string[]]>([
    [["kits.*"], ["kits.admin", "kits.vip"], []],
    [["kits.vip", "KITS.VIP", "kits.*"], ["kits.admin", "kits.vip"], []],
    [["zone.view", "zone.*"], [], ["zone.*", "zone.view"]],
    [["*"], [], []],
    [["oxide.grant", "oxide.*"], [], []],
    [["__proto__", "constructor"], [], ["__proto__", "constructor"]],
  ])(
    "are, for the entries %j, exactly %j, with the unknown entries %j",
    (written, nodes, unknown) => {
      expect(expandNodes(written, registered, deny)).toEqual({ nodes, unknown });
    },
  );

  it("include no wildcard while the server has not reported its permissions", () => {
    expect(expandNodes(["kits.vip", "kits.*"], null, deny)).toEqual({
      nodes: ["kits.vip"],
      unknown: ["kits.*"],
    });
  });

  it("include new permissions when a plugin is loaded", () => {
    const later = new Set([...registered, "kits.new"]);
    expect(expandNodes(["kits.*"], later, deny).nodes).toContain("kits.new");
  });
});

describe("the tree of permission groups", () => {
  const node = (name: string, parent: string | null = null): GroupNode => ({ name, parent });
  const chain = (length: number) =>
    Array.from({ length }, (_, at) => node(`g${at}`, at === 0 ? null : `g${at - 1}`));

  it.each<[string, GroupNode[], string[]]>([
    ["a parent of a parent", [node("a"), node("b", "a"), node("c", "b")], []],
    ["a parent in another case", [node("a"), node("b", "A")], []],
    ["an unknown parent", [node("a", "x")], ["a: there is no group x"]],
    ["itself as its parent", [node("a", "A")], ["a: a group cannot be its own parent or ancestor"]],
    [
      "a circle",
      [node("a", "c"), node("b", "A"), node("c", "B")],
      ["a", "b", "c"].map((name) => `${name}: a group cannot be its own parent or ancestor`),
    ],
    ["a name twice", [node("a"), node("A")], ["A: the name is taken"]],
    ["32 groups above a group", chain(33), []],
    ["33 groups above a group", chain(34), ["g33: the group has more than 32 ancestors"]],
    [
      "names of built-in object properties",
      [node("__proto__"), node("b", "constructor")],
      ["b: there is no group constructor"],
    ],
  ])("causes the expected errors, or none, if it has %s", (_case, groups, faults) => {
    expect(findGroupFaults(groups).map(({ name, message }) => `${name}: ${message}`)).toEqual(
      faults,
    );
  });

  it.each(["vip", "vip_1.a-b", "a".repeat(64)])("may contain a group named %s", (name) => {
    expect(groupNamePattern.test(name)).toBe(true);
  });

  it.each(["*", "", "VIP", "a b", "a".repeat(65), "vip\n", "vip>x"])(
    "may not contain a group named %j",
    (name) => {
      expect(groupNamePattern.test(name)).toBe(false);
    },
  );

  it("is ordered with parents first, even if it has cycles", () => {
    const names = ["a", "b", "c", "d", "e", "F"];
    const tree = fc.uniqueArray(
      fc.record({
        name: fc.constantFrom(...names),
        parent: fc.constantFrom(null, ...names, "missing", "f"),
      }),
      { selector: ({ name }) => name },
    );
    fc.assert(
      fc.property(tree, (groups) => {
        const ordered = sortParentsFirst(groups);
        expect(ordered.map(({ name }) => name).toSorted()).toEqual(
          groups.map(({ name }) => name).toSorted(),
        );
        const before = new Set<string>();
        for (const { name, parent } of ordered) {
          expect(parent === null || before.has(parent.toLowerCase())).toBe(true);
          before.add(name.toLowerCase());
        }
        const isSound = findGroupFaults(groups).length === 0;
        const kept = ordered.filter(({ name, parent }) =>
          groups.some((given) => given.name === name && given.parent === parent),
        );
        expect(!isSound || kept.length === groups.length).toBe(true);
      }),
    );
  });

  it("is ordered quickly if it is one chain of 2,000 groups", () => {
    expect(sortParentsFirst(chain(2_000))).toHaveLength(2_000);
  });
});

describe("the wanted permissions of a server", () => {
  it("are those that are active in the server's scope, with names in lower case", () => {
    const { groups, users, unknown } = wanted({
      groups: [
        group("vip", { permissions: ["kits.*"], parent: "Member" }),
        group("member", { permissions: ["zone.view", "gone.x"] }),
        group("elsewhere", { scope: { all: false, serverIds: [2] } }),
      ],
      grants: [
        grant(ann, "KITS.VIP"),
        grant(ann, "kits.admin", { revokedAt: now }),
        grant(ann, "zone.view", { expiresAt: now }),
        member(ann, "VIP", { expiresAt: new Date(now.valueOf() + 1) }),
        member(ann, "elsewhere"),
        member(bob, "member", { scope: { all: false, serverIds: [2] } }),
      ],
    });
    expect(groups.map(({ name, parent, nodes }) => [name, parent, nodes])).toEqual([
      ["member", null, ["zone.view"]],
      ["vip", "member", ["kits.admin", "kits.vip"]],
    ]);
    const ofAnn = { nodes: ["kits.vip"], written: ["kits.vip"], groups: ["vip"] };
    expect([...users]).toEqual([[ann, ofAnn]]);
    expect(unknown).toEqual(["elsewhere", "gone.x"]);
  });

  it("have no parent group outside the scope of the server", () => {
    const { groups } = wanted({
      groups: [group("a", { scope: { all: false, serverIds: [2] } }), group("b", { parent: "a" })],
    });
    expect(groups.map(({ name, parent }) => [name, parent])).toEqual([["b", null]]);
  });
});

describe("a push of permissions", () => {
  const groups = [
    group("vip", { permissions: ["kits.vip"], parent: "base", rank: 2 }),
    group("base"),
  ];
  const full = wanted({ groups, grants: [grant(ann, "zone.view"), member(ann, "vip")] });
  const ops = computePermissionOps(full, []);

  it("sends all data, parents first, to a server that has no data", () => {
    expect(buildPermissionSync("push-1", ops, groups.toReversed())).toEqual({
      pushId: "push-1",
      groups: [
        { name: "base", title: "base", rank: 0, parent: null, grant: [], revoke: [] },
        { name: "vip", title: "vip", rank: 2, parent: "base", grant: ["kits.vip"], revoke: [] },
      ],
      users: [{ steamId: ann, grant: ["zone.view"], revoke: [], join: ["vip"], leave: [] }],
      remove: [],
    });
  });

  it("sends nothing if the server has all data", () => {
    expect(computePermissionOps(full, pushed([], ops))).toEqual([]);
  });

  it("repeats operations that are pending or failed", () => {
    for (const state of ["pending", "failed"] as const) {
      const rows = pushed([], ops).map((given) => ({ ...given, state }));
      expect(computePermissionOps(full, rows)).toEqual(ops);
    }
  });

  it("sends a group again if its title, rank or parent changed", () => {
    const changed = wanted({ groups: [group("vip", { rank: 3 }), group("base")] });
    const rows = pushed(
      [],
      computePermissionOps(wanted({ groups: [group("vip"), group("base")] }), []),
    );
    expect(computePermissionOps(changed, rows).map(({ op, subject }) => [op, subject])).toEqual([
      ["group", "vip"],
    ]);
  });

  it("revokes permissions that are no longer wanted, even if their own push got no answer", () => {
    const rows = pushed([], ops);
    const sent = rows.map((given) =>
      given.kind === "group" ? given : { ...given, state: "pending" as const },
    );
    const fewer = wanted({ groups: [group("vip"), group("base")] });
    for (const known of [rows, sent]) {
      const taken = computePermissionOps(fewer, known).filter(({ op }) => op !== "group");
      expect(buildPermissionSync("push-2", taken, groups.toReversed())).toEqual({
        pushId: "push-2",
        groups: [
          { name: "vip", title: "vip", rank: 2, parent: "base", grant: [], revoke: ["kits.vip"] },
        ],
        users: [{ steamId: ann, grant: [], revoke: ["zone.view"], join: [], leave: ["vip"] }],
        remove: [],
      });
    }
  });

  it.each([[new Set(["zone.view"])], [null]])(
    "keeps the wanted permissions of a plugin that is not loaded, case %#",
    (registered) => {
      const ground = {
        groups: [group("vip", { permissions: ["kits.*"] })],
        grants: [grant(ann, "kits.vip")],
      };
      const rows = pushed([], computePermissionOps(wanted(ground), []));
      expect(computePermissionOps(wanted({ ...ground, registered }), rows)).toEqual([]);
      const less = { ...ground, grants: [], registered };
      expect(computePermissionOps(wanted(less), rows).map(({ op, value }) => [op, value])).toEqual([
        ["revoke", "kits.vip"],
      ]);
    },
  );

  it("revokes a denied permission, although a wildcard includes it", () => {
    const ground = { groups: [group("vip", { permissions: ["kits.*"] })] };
    const rows = pushed([], computePermissionOps(wanted(ground), []));
    const denied = wanted({ ...ground, deny: ["kits.admin"] });
    expect(computePermissionOps(denied, rows).map(({ op, value }) => [op, value])).toEqual([
      ["revoke", "kits.admin"],
    ]);
  });

  it("removes a managed group by sending only its name, and marks the stored rows of the group as withdrawn", () => {
    const rows = pushed([], ops);
    const fewer = wanted({ groups: [group("base")], grants: [grant(ann, "zone.view")] });
    const taken = computePermissionOps(fewer, rows);
    expect(buildPermissionSync("push-3", taken, [group("base")])).toEqual({
      pushId: "push-3",
      groups: [],
      users: [],
      remove: ["vip"],
    });
    expect(pushed(rows, taken).filter(({ state }) => state === "withdrawn")).toHaveLength(3);
  });

  it("does not remove the groups of the game itself, nor entries that the site never pushed", () => {
    const own = group("default", { managed: false, permissions: ["kits.vip"] });
    const rows = pushed([], computePermissionOps(wanted({ groups: [own] }), []));
    const gone = wanted({ groups: [] });
    const push = buildPermissionSync("push-4", computePermissionOps(gone, rows), [own]);
    expect(push.remove).toEqual([]);
    expect(push.groups).toEqual([
      { name: "default", title: "default", rank: 0, parent: null, grant: [], revoke: ["kits.vip"] },
    ]);
    expect(computePermissionOps(gone, [])).toEqual([]);
  });

  it("marks the operations that the server lists as failed, and all others as succeeded", () => {
    const failed = [
      {
        op: "grant" as const,
        subjectKind: "group" as const,
        subject: "VIP",
        kind: "permission" as const,
        value: "Kits.vip",
        reason: "unknown-permission",
      },
      {
        op: "group" as const,
        subjectKind: "group" as const,
        subject: "base",
        kind: "group" as const,
        value: null,
        reason: "invalid",
      },
    ];
    const settled = listPermissionOpResults(ops, failed);
    expect(
      settled.filter(({ reason }) => reason !== null).map(({ op, reason }) => [op.op, reason]),
    ).toEqual([
      ["group", "invalid"],
      ["grant", "unknown-permission"],
    ]);
    expect(settled).toHaveLength(ops.length);
  });

  const name = fc.constantFrom("a", "b", "c", "default");
  const nodes = fc.constantFrom("kits.vip", "kits.*", "zone.view", "gone.x", "oxide.grant");
  const scope = fc.constantFrom(
    everywhere,
    { all: false, serverIds: [1] },
    { all: false, serverIds: [2] },
  );
  const state = fc.record({
    groups: fc.uniqueArray(
      fc.record({
        name,
        parent: fc.option(name, { nil: null }),
        permissions: fc.array(nodes, { maxLength: 3 }),
        rank: fc.integer({ min: 0, max: 1 }),
        scope,
      }),
      { selector: (given) => given.name },
    ),
    grants: fc.array(
      fc.oneof(
        fc
          .tuple(fc.constantFrom(ann, bob), nodes, scope)
          .map(([id, value, on]) => grant(id, value, { scope: on })),
        fc
          .tuple(fc.constantFrom(ann, bob), name, scope)
          .map(([id, value, on]) => member(id, value, { scope: on })),
      ),
      { maxLength: 6 },
    ),
  });
  const wantedOf = ({
    groups: given,
    grants,
  }: {
    groups: readonly Partial<PermissionGroup>[];
    grants: PermissionGrant[];
  }) =>
    wanted({
      groups: given.map((one) =>
        group(one.name ?? "", { ...one, managed: one.name !== "default" }),
      ),
      grants,
    });

  it("leads to the same state whatever was pushed before, and leaves no operation to send", () => {
    fc.assert(
      fc.property(fc.array(state, { minLength: 1, maxLength: 4 }), (states) => {
        let rows: PermissionRow[] = [];
        for (const each of states) rows = pushed(rows, computePermissionOps(wantedOf(each), rows));
        const last = wantedOf(states.at(-1) ?? { groups: [], grants: [] });
        const alone = pushed([], computePermissionOps(last, []));
        const live = (ledger: readonly PermissionRow[]) =>
          ledger.filter(isEntryOnServer).map(entryKey).toSorted();
        expect(live(rows)).toEqual(live(alone));
        expect(computePermissionOps(last, rows)).toEqual([]);
      }),
    );
  });

  it("grants no wildcard and no denied permission", () => {
    fc.assert(
      fc.property(state, (given) => {
        for (const { value } of computePermissionOps(wantedOf(given), [])) {
          expect(value).not.toMatch(/\*|^oxide/);
        }
      }),
    );
  });
});

describe("the effective permissions of a player", () => {
  const groups = [
    group("vip", { permissions: ["kits.vip"], parent: "member" }),
    group("member", { permissions: ["zone.view"] }),
    group("default", { permissions: ["zone.view"], managed: false }),
  ];
  const state = wanted({ groups, grants: [grant(ann, "kits.vip"), member(ann, "vip")] });
  const rows = pushed([], computePermissionOps(state, []));

  it("name every source of a permission, and whether the permission is live", () => {
    expect(computeEffectivePermissions(ann, [{ id: 1, wanted: state, rows }])).toEqual([
      { node: "kits.vip", via: ["direct", "group:vip"], servers: [{ id: 1, live: true }] },
      {
        node: "zone.view",
        via: ["group:default", "group:vip>member"],
        servers: [{ id: 1, live: true }],
      },
    ]);
  });

  it("are live on each server only if they were pushed to it", () => {
    const servers = [
      { id: 1, wanted: state, rows },
      { id: 2, wanted: state, rows: [] },
    ];
    expect(computeEffectivePermissions(ann, servers)[0]?.servers).toEqual([
      { id: 1, live: true },
      { id: 2, live: false },
    ]);
  });

  it("come from a group only if membership, group and permission are live", () => {
    const ofBob = wanted({ groups: groups.slice(0, 2), grants: [member(bob, "vip")] });
    const all = pushed([], computePermissionOps(ofBob, []));
    const isThere = (ledger: readonly PermissionRow[]) =>
      computeEffectivePermissions(bob, [{ id: 1, wanted: ofBob, rows: ledger }]).map(
        ({ node, servers }) => [node, servers[0]?.live],
      );
    expect(isThere(all)).toEqual([
      ["kits.vip", true],
      ["zone.view", true],
    ]);
    for (const missing of all) {
      const lives = isThere(all.filter((given) => given !== missing));
      expect(lives.some(([, live]) => live === false)).toBe(true);
    }
  });

  it("are those of the default group for an unknown player", () => {
    expect(computeEffectivePermissions("__proto__", [{ id: 1, wanted: state, rows }])).toEqual([
      { node: "zone.view", via: ["group:default"], servers: [{ id: 1, live: true }] },
    ]);
  });
});

describe("the difference between pushed and reported permissions of a server", () => {
  const rows = [
    row("group", "vip", "group"),
    row("group", "vip", "permission", "kits.vip"),
    row("user", ann, "membership", "vip"),
    row("user", ann, "permission", "zone.view"),
    { ...row("user", bob, "permission", "gone.x"), state: "withdrawn" as const },
  ];
  const inventory = {
    groups: [
      { name: "VIP", permissions: ["Kits.VIP"] },
      { name: "default", permissions: [] },
    ],
    users: [{ steamId: ann, groups: ["default", "vip"], permissions: ["zone.view"] }],
  };

  it("is empty if the server has the pushed permissions, in upper or lower case", () => {
    expect(computePermissionDrift(rows, inventory)).toEqual({ extra: [], missing: [] });
  });

  it("lists the extra and the missing permissions", () => {
    const drifted = {
      groups: [
        { name: "vip", permissions: ["kits.admin"] },
        { name: "builders", permissions: [] },
        { name: "admin", permissions: ["oxide.grant"] },
      ],
      users: [{ steamId: bob, groups: ["admin", "default"], permissions: ["gone.x"] }],
    };
    expect(computePermissionDrift(rows, drifted)).toEqual({
      extra: [
        { subjectKind: "group", subject: "vip", kind: "permission", value: "kits.admin" },
        { subjectKind: "group", subject: "builders", kind: "group", value: "" },
        { subjectKind: "group", subject: "admin", kind: "permission", value: "oxide.grant" },
        { subjectKind: "user", subject: bob, kind: "permission", value: "gone.x" },
        { subjectKind: "user", subject: bob, kind: "membership", value: "admin" },
      ],
      missing: [
        { subjectKind: "group", subject: "vip", kind: "permission", value: "kits.vip" },
        { subjectKind: "user", subject: ann, kind: "membership", value: "vip" },
        { subjectKind: "user", subject: ann, kind: "permission", value: "zone.view" },
      ],
    });
  });
});
