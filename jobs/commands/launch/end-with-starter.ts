// Preloaded into every process that `npm start` begins: when the starter is gone, however it
// ended, its processes end too and leave no port taken.
const end = () => process.kill(process.pid, "SIGTERM");
process.once("disconnect", end);
// The starter may be gone before this is loaded.
if (!process.connected) end();
// The channel must not keep a process alive that has nothing else to do.
process.channel?.unref();
