// This file is loaded before every program. It is plain JavaScript, because an older Node cannot read
// TypeScript and would only report an unknown file extension.
import module from "node:module";

const oldest = 24;

if (Number(process.versions.node.split(".")[0]) < oldest) {
  process.stderr.write(
    `Guildhall needs Node ${oldest} or newer; this is ${process.version} (${process.execPath}).\n` +
      "Install it (.nvmrc names the version), or run `npm ci` with all packages and start it through\n" +
      "npm (`npm run web`, `npx nf start`), which uses the Node that came with them.\n",
  );
  process.exit(78);
}

// Cache compiled code on disk, which halves the time of the next start. If the folder is not writable, nothing
// is cached. The variable NODE_COMPILE_CACHE sets another folder.
module.enableCompileCache(`${import.meta.dirname}/node_modules/.cache/guildhall-compiled`);
