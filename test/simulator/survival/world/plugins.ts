/** The mods that the bridge plugin uses, by the id that the service gives them. */
export const helperMods = {
  zones: "ZoneManager",
  pve: "TruePVE",
  kits: "Kits",
  chat: "BetterChat",
  domes: "ZoneDomes",
  npcs: "GuildNpcs",
  clans: "NativeClans",
  playtime: "PlaytimeTracker",
  quests: "Quests",
  map: "MapRender",
} as const;

export type HelperPluginId = keyof typeof helperMods;

export interface Plugin {
  readonly name: string;
  readonly title: string;
  readonly version: string;
  readonly author: string;
  readonly helperId: HelperPluginId | null;
  /** The permissions that the plugin registers while it is loaded. */
  readonly permissions: readonly string[];
  loaded: boolean;
  /** The text of the configuration. Null if the plugin has none. */
  config: string | null;
  configAt: number;
}

const kitsConfig = `{
  // A configuration may have comments. The plugin drops them when it saves.
  "Use UI": true,
  "Discord webhook": "https://discord.example/api/webhooks/1/canary-webhook-token",
  "Skin of the menu": 2873940155493827364,
  "Cooldown factor": NaN,
  "Auto kits": [
    "starter",
    "builder",
  ],
}
`;

const databaseConfig = `{
  "MySQL": {
    "Host": "10.0.0.7",
    "Password": "canary-mysql-password",
    "Connection String": "Server=10.0.0.7;Uid=rust;Pwd=canary-connection"
  },
  "API Key": "canary-api-key",
  "Owners": [76561198012345678, 76561198012345679],
  "Flags": 18446744073709551615
}
`;

const plain = (title: string): string =>
  `{\n  "Title": ${JSON.stringify(title)},\n  "Enabled": true,\n  "Limit": 10\n}\n`;

const kinds: readonly [
  name: string,
  helperId: HelperPluginId | null,
  verbs: readonly string[],
  config: string | null,
][] = [
  ["ZoneManager", "zones", ["zone", "ignoreflag.all"], plain("Zones")],
  ["TruePVE", "pve", ["canmap"], plain("PVE")],
  ["Kits", "kits", ["admin", "vip", "builder"], kitsConfig],
  ["BetterChat", "chat", ["admin", "formatting"], plain("Chat")],
  ["ZoneDomes", "domes", ["admin"], plain("Domes")],
  ["GuildNpcs", "npcs", ["admin"], plain("Npcs")],
  ["NativeClans", "clans", [], null],
  ["PlaytimeTracker", "playtime", ["use"], databaseConfig],
  ["MapRender", "map", [], null],
  ["Backpacks", null, ["use", "size.6", "size.12"], plain("Backpacks")],
  ["RemoverTool", null, ["normal", "admin", "all"], plain("Remover")],
  ["Vanish", null, ["allow"], plain("Vanish")],
];

export const makePlugins = (at: number): Map<string, Plugin> =>
  new Map(
    kinds.map(([name, helperId, verbs, config]) => [
      name,
      {
        name,
        title: name.replaceAll(/([a-z])([A-Z])/g, "$1 $2"),
        version: "3.1.7",
        author: "k1lly0u",
        helperId,
        permissions: verbs.map((verb) => `${name.toLowerCase()}.${verb}`),
        loaded: true,
        config,
        configAt: at,
      },
    ]),
  );
