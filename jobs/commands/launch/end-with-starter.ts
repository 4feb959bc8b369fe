// Preloaded into every process of `npm start`. It ends the process when the starter ends or is killed,
// so that no port stays in use.
const end = () => process.kill(process.pid, "SIGTERM");
process.once("disconnect", end);
// The starter may have ended before this module is loaded.
if (!process.connected) end();
// The channel must not keep an idle process alive.
process.channel?.unref();
