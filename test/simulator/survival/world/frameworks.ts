export const frameworks = ["oxide", "carbon"] as const;
export type FrameworkName = (typeof frameworks)[number];

/** The differences between the two plugin loaders. */
export interface Framework {
  readonly name: FrameworkName;
  readonly version: string;
  readonly configFolder: string;
  /** The groups that the loader creates by itself. */
  readonly groups: readonly string[];
  readonly reload: (plugin: string) => string;
}

export const frameworkFacts: Readonly<Record<FrameworkName, Framework>> = {
  oxide: {
    name: "oxide",
    version: "2.0.6509",
    configFolder: "oxide/config",
    groups: ["default", "admin"],
    reload: (plugin) => `oxide.reload ${plugin}`,
  },
  carbon: {
    name: "carbon",
    version: "2.0.203",
    configFolder: "carbon/configs",
    groups: ["default", "admin", "moderator"],
    reload: (plugin) => `c.reload ${plugin}`,
  },
};
