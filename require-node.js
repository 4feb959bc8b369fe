// Loaded before every program, in plain JavaScript: an older Node cannot read TypeScript and would
// complain of a file extension.
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

// What Node has compiled is kept for the next start, which takes half the time then. Where nothing can
// be written, nothing is kept. The variable NODE_COMPILE_CACHE names another folder.
module.enableCompileCache(`${import.meta.dirname}/node_modules/.cache/guildhall-compiled`);
