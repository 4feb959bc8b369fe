import { parseArgs } from "node:util";

import type { Role } from "../../models/auth/user.ts";
import { defineModels } from "../../models/index.ts";
import { listUsers } from "../../shared/auth/users/user-records.ts";
import { roles } from "../../shared/platform/access/roles.ts";
import {
  addUser,
  changeRole,
  listUserIdentities,
  resetMfa,
  setPassword,
  unlinkUserIdentity,
} from "./accounts/accounts.ts";
import { ensureFirstAdmin } from "./accounts/first-admin.ts";
import { generatePassword } from "./accounts/generate-password.ts";
import { LaunchError } from "./launch/launch-error.ts";
import {
  requireArgument,
  runShellProgram,
  printText,
  type ShellArguments,
  type ShellProgram,
} from "./shell.ts";

const usage = `npm run user -- list
npm run user -- add NAME --role ${roles.join("|")} [--email ADDRESS] [--stdin]
npm run user -- role NAME ${roles.join("|")}
npm run user -- password NAME [--stdin]
npm run user -- reset-mfa NAME
npm run user -- identity NAME [--unlink PROVIDER]
npm run user -- first-admin

A random password is generated and printed, unless --stdin reads it from standard input.
reset-mfa removes the second factor, its recovery codes and the trusted devices.
identity lists the accounts at sign-in providers with which NAME signs in, or removes one. The last
way to sign in cannot be removed: set a password first. Sessions continue; a new password ends them.
first-admin creates ADMIN_USERNAME with ADMIN_PASSWORD if there is no administrator yet.
`;

interface UserArguments extends ShellArguments {
  readonly role: string | undefined;
  readonly email: string | undefined;
  readonly stdin: boolean;
  readonly unlink: string | undefined;
}

const commands: ShellProgram<UserArguments>["commands"] = {
  async list(_given, { sequelize }) {
    const users = await listUsers({ models: defineModels(sequelize) });
    for (const { username, role, email, isDisabled, totpEnabled } of users) {
      const notes = [email, totpEnabled && "two factors", isDisabled && "disabled"].filter(Boolean);
      printText(`${username.padEnd(20)} ${role.padEnd(10)} ${notes.join(", ")}`.trimEnd());
    }
  },
  async add({ words, role, email, stdin }, context) {
    const username = requireArgument(words[0], "NAME");
    const user = { username, role: roleNamed(role), email };
    const password = await choosePassword(stdin);
    await addUser({ ...user, password: password.text }, context);
    printText(`${username} is ${user.role}${password.shown}`);
  },
  async role({ words }, context) {
    const { username, role } = await changeRole(
      requireArgument(words[0], "NAME"),
      roleNamed(words[1]),
      context,
    );
    printText(`${username} is ${role}`);
  },
  async password({ words, stdin }, context) {
    const username = requireArgument(words[0], "NAME");
    const password = await choosePassword(stdin);
    await setPassword(username, password.text, context);
    printText(`${username} has a new password and is signed out everywhere${password.shown}`);
  },
  async "reset-mfa"({ words }, context) {
    const { username } = await resetMfa(requireArgument(words[0], "NAME"), context);
    printText(
      `${username} signs in with only the password, has no trusted devices and is signed out everywhere`,
    );
  },
  async identity({ words, unlink }, context) {
    const name = requireArgument(words[0], "NAME");
    if (unlink !== undefined) {
      const { username } = await unlinkUserIdentity(name, unlink, context);
      return printText(`${username} can no longer sign in at ${unlink}`);
    }
    const identities = await listUserIdentities(name, context);
    for (const { providerId, subject, issuer, linkedAt } of identities) {
      const account = `${subject} at ${issuer}`;
      printText(`${providerId.padEnd(20)} ${account.padEnd(50)} ${linkedAt.toISOString()}`);
    }
    if (identities.length === 0) printText(`${name} has no account at a sign-in provider`);
  },
  async "first-admin"(_given, context) {
    const made = await ensureFirstAdmin(context);
    if (!made) return printText("there is an administrator already");
    const { username, madePassword } = made;
    printText(
      `${username} is the first administrator${madePassword === null ? "" : `\npassword: ${madePassword}`}`,
    );
  },
};

await runShellProgram({ name: "user", usage, read: readArguments, commands });

function readArguments(given: string[]): UserArguments {
  const flag = { type: "boolean", default: false } as const;
  const text = { type: "string" } as const;
  const { values, positionals } = parseArgs({
    args: given,
    allowPositionals: true,
    options: { role: text, email: text, unlink: text, stdin: flag, help: flag },
  });
  const [command, ...words] = positionals;
  const { role, email, unlink, stdin, help } = values;
  return { command, words, help, role, email, unlink, stdin };
}

async function choosePassword(stdin: boolean): Promise<{ text: string; shown: string }> {
  if (!stdin) {
    const text = generatePassword();
    return { text, shown: `\npassword: ${text}` };
  }
  let text = "";
  for await (const chunk of process.stdin.setEncoding("utf8")) text += String(chunk);
  return { text: text.replace(/\r?\n$/, ""), shown: "" };
}

function roleNamed(value: string | undefined): Role {
  const role = roles.find((each) => each === value);
  if (!role) throw new LaunchError(`the role must be one of ${roles.join(", ")}`);
  return role;
}
