import { parseArgs } from "node:util";

import { type Role, roles } from "../auth/roles.ts";
import { type Config, ConfigError, loadConfig } from "../config/config.ts";
import { dataFolder } from "../config/local-keys.ts";
import { connect } from "../db/connection.ts";
import { AppError } from "../errors.ts";
import {
  addUser,
  changeRole,
  listUsers,
  resetMfa,
  setPassword,
  type ShellGround,
} from "./accounts.ts";
import { isMissingRelation } from "./checks/check.ts";
import { withOwnDatabase } from "./database.ts";
import { ensureFirstAdmin } from "./first-admin.ts";
import { LaunchFault } from "./launch-fault.ts";
import { makePassword } from "./make-password.ts";
import { readEnvironment } from "./plan.ts";

const usage = `npm run user -- list
npm run user -- add NAME --role ${roles.join("|")} [--email ADDRESS] [--stdin]
npm run user -- role NAME ${roles.join("|")}
npm run user -- password NAME [--stdin]
npm run user -- reset-mfa NAME
npm run user -- first-admin

A password is made at random and printed, unless --stdin reads it from standard input.
reset-mfa takes the second factor, its recovery codes and the trusted devices away.
first-admin makes ADMIN_USERNAME with ADMIN_PASSWORD when there is no administrator yet.
`;

const say = (text: string): void => void process.stdout.write(`${text}\n`);

interface Given {
  readonly names: readonly string[];
  readonly role: string | undefined;
  readonly email: string | undefined;
  readonly stdin: boolean;
}

type Command = (given: Given, ground: ShellGround) => Promise<void>;

const commands: Readonly<Record<string, Command>> = {
  async list(_given, ground) {
    for (const { username, role, email, isDisabled, totpEnabled } of await listUsers(ground)) {
      const notes = [email, totpEnabled && "two factors", isDisabled && "disabled"].filter(Boolean);
      say(`${username.padEnd(20)} ${role.padEnd(10)} ${notes.join(", ")}`.trimEnd());
    }
  },
  async add({ names, role, email, stdin }, ground) {
    const username = named(names[0], "NAME");
    const user = { username, role: roleNamed(role), email };
    const password = await choosePassword(stdin);
    await addUser({ ...user, password: password.text }, ground);
    say(`${username} is ${user.role}${password.shown}`);
  },
  async role({ names }, ground) {
    const { username, role } = await changeRole(
      named(names[0], "NAME"),
      roleNamed(names[1]),
      ground,
    );
    say(`${username} is ${role}`);
  },
  async password({ names, stdin }, ground) {
    const username = named(names[0], "NAME");
    const password = await choosePassword(stdin);
    await setPassword(username, password.text, ground);
    say(`${username} has a new password and is signed out everywhere${password.shown}`);
  },
  async "reset-mfa"({ names }, ground) {
    const { username } = await resetMfa(named(names[0], "NAME"), ground);
    say(`${username} signs in by password alone, trusts no device and is signed out everywhere`);
  },
  async "first-admin"(_given, ground) {
    const made = await ensureFirstAdmin(ground);
    if (!made) return say("there is an administrator already");
    const { username, madePassword } = made;
    say(`${username} is admin${madePassword === null ? "" : `\npassword: ${madePassword}`}`);
  },
};

try {
  await run(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exitCode = 1;
}

async function run(given: string[]): Promise<void> {
  const flag = { type: "boolean", default: false } as const;
  const text = { type: "string" } as const;
  const { values, positionals } = parseArgs({
    args: given,
    allowPositionals: true,
    options: { role: text, email: text, stdin: flag, help: flag },
  });
  const [name = "", ...names] = positionals;
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (values.help || !command) {
    process.stdout.write(usage);
    process.exitCode = values.help ? 0 : 1;
    return;
  }
  const { role, email, stdin } = values;
  await withGround((ground) => command({ names, role, email, stdin }, ground));
}

async function withGround(work: (ground: ShellGround) => Promise<void>): Promise<void> {
  const environment = readEnvironment();
  const workOn = async (url: string) => {
    const config = loadConfig({ ...environment, DATABASE_URL: url });
    await useDatabase(config, (ground) => work(ground));
  };
  const given = environment["DATABASE_URL"];
  await (given ? workOn(given) : withOwnDatabase(dataFolder(environment), workOn));
}

async function useDatabase(
  config: Config,
  work: (ground: ShellGround) => Promise<void>,
): Promise<void> {
  const sequelize = connect(config, "user");
  try {
    await work({ config, sequelize });
  } finally {
    await sequelize.close();
  }
}

async function choosePassword(stdin: boolean): Promise<{ text: string; shown: string }> {
  if (!stdin) {
    const text = makePassword();
    return { text, shown: `\npassword: ${text}` };
  }
  let text = "";
  for await (const chunk of process.stdin.setEncoding("utf8")) text += String(chunk);
  return { text: text.replace(/\r?\n$/, ""), shown: "" };
}

function named(value: string | undefined, what: string): string {
  if (value === undefined) throw new LaunchFault(`${what} is missing\n\n${usage}`);
  return value;
}

function roleNamed(value: string | undefined): Role {
  const role = roles.find((each) => each === value);
  if (!role) throw new LaunchFault(`the role must be one of ${roles.join(", ")}`);
  return role;
}

function explain(error: unknown): string {
  if (error instanceof AppError) {
    return (error.faults ?? [error]).map(({ message }) => message).join("\n");
  }
  if (error instanceof LaunchFault || error instanceof ConfigError) return error.message;
  const { code, message, stack } = error as NodeJS.ErrnoException;
  if (code?.startsWith("ERR_PARSE_ARGS")) return `${message}\n\n${usage}`;
  return isMissingRelation(error) ? "The schema is not there: npm run migrate" : (stack ?? message);
}
