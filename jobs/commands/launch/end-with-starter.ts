// Every process of `npm start` loads this module first. It ends the process when the starting program ends or
// is killed, so that no port stays in use.
const end = () => process.kill(process.pid, "SIGTERM");
process.once("disconnect", end);
// The starting program may have ended before this module is loaded.
if (!process.connected) end();
// The IPC channel must not keep an idle process alive.
process.channel?.unref();
