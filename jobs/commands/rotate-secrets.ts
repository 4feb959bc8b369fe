import {
  countOldPeppers,
  type SecretRotation,
  rotateSecrets,
} from "../../shared/ops/rotate-secrets.ts";
import { runShellTask, printText } from "./shell.ts";

await runShellTask("secrets", async ({ config, models }) => {
  const rotations = await rotateSecrets(config, models);
  printText(rotations.map(describe).join("\n"));
  const former = await countOldPeppers(config, models);
  if (former > 0) {
    printText(`users.password_hash: ${former} users need a former pepper until their next sign-in`);
  }
  if (rotations.some(({ unreadable }) => unreadable.length > 0)) process.exitCode = 1;
});

function describe({ column, rotated, unreadable }: SecretRotation): string {
  const line = `${column}: ${rotated} encrypted under the first key`;
  if (unreadable.length === 0) return line;
  return `${line}, ${unreadable.length} that no key decrypts (rows ${unreadable.join(", ")})`;
}
