import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** The timeout of a documented command. */
const longestMs = 180_000;

/**
 * By default curl exits with 0 for any HTTP status. In documented blocks, curl must fail at a status of 400 or
 * more, unless the command sets -sf itself.
 */
const strict = `
set -euo pipefail
curl() {
  case " $* " in
    *" -sf "*) command curl "$@" ;;
    *) command curl -sS --fail-with-body "$@" ;;
  esac
}
`;

/** Saves the variables and functions of a block for the next block. */
const keep = `
{ declare -p | grep -E '^declare -[-aAix]+ [a-zA-Z]' | grep -vE ' (BASH|COMP_|DIRSTACK|EPOCH|FUNCNAME|GROUPS|PIPESTATUS|RANDOM|SECONDS|SHELLOPTS|SRANDOM)'
  declare -f; } >"$PAGE_STATE"
`;

/** Runs the code blocks of one page in order and in an empty folder, as a reader types them. */
export class CodeBlockRunner {
  readonly #folder = mkdtempSync(path.join(tmpdir(), "guildhall-page-"));
  readonly #state: string;
  readonly #environment: NodeJS.ProcessEnv;

  /** @param variables environment variables of each block */
  constructor(variables: Readonly<Record<string, string>>) {
    const stateFolder = mkdtempSync(path.join(tmpdir(), "guildhall-state-"));
    this.#state = path.join(stateFolder, "state");
    writeFileSync(this.#state, "");
    const { PATH, HOME = "" } = process.env;
    const node = path.dirname(process.execPath);
    this.#environment = {
      PATH: `${node}:${PATH}`,
      HOME,
      PAGE_STATE: this.#state,
      ...variables,
    };
  }

  /** Runs a block. @returns its output @throws if the block fails; the error contains all output */
  async run(block: string): Promise<string> {
    const script = `source "$PAGE_STATE"\n${strict}\n${block}\n${keep}`;
    try {
      const { stdout } = await run("bash", ["-c", script], {
        cwd: this.#folder,
        env: this.#environment,
        timeout: longestMs,
        killSignal: "SIGKILL",
        maxBuffer: 64 * 1024 * 1024,
      });
      return stdout;
    } catch (error) {
      const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
      throw new Error(`${block}\nprinted:\n${stdout.slice(-4_000)}\n${stderr.slice(-4_000)}`, {
        cause: error,
      });
    }
  }

  close(): void {
    rmSync(this.#folder, { recursive: true, force: true });
    rmSync(path.dirname(this.#state), { recursive: true, force: true });
  }
}
