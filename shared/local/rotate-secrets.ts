import { loadConfig } from "../config/config.ts";
import { dataFolder } from "../config/local-keys.ts";
import { connect } from "../db/connection.ts";
import { type Rotation, rotateSecrets } from "../ops/rotate-secrets.ts";
import { findOwnDatabase } from "./database.ts";
import { readEnvironment } from "./plan.ts";

const environment = readEnvironment();
const own = environment["DATABASE_URL"] ? undefined : findOwnDatabase(dataFolder(environment));
const config = loadConfig(own === undefined ? environment : { ...environment, DATABASE_URL: own });
const sequelize = connect(config, "secrets");
try {
  const rotations = await rotateSecrets(config, sequelize);
  process.stdout.write(`${rotations.map(describe).join("\n")}\n`);
  process.exitCode = rotations.every(({ unreadable }) => unreadable.length === 0) ? 0 : 1;
} finally {
  await sequelize.close();
}

function describe({ column, rotated, unreadable }: Rotation): string {
  const line = `${column}: ${rotated} encrypted under the first key`;
  if (unreadable.length === 0) return line;
  return `${line}, ${unreadable.length} that no key opens (rows ${unreadable.join(", ")})`;
}
