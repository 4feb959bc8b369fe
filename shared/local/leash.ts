// Preloaded into every process that `npm start` begins: when the starter is gone, however it
// ended, its processes end too and leave no port taken.
process.once("disconnect", () => process.kill(process.pid, "SIGTERM"));
// The channel must not keep a process alive that has nothing else to do.
process.channel?.unref();
