// Guildhall plugin for Rust, for Oxide and Carbon. Copy this one file into the folder of the plugins.
//
// Threads: hooks, timers and all code that touches the game run on the game's main thread. Four
// background threads make the calls to the site and read and write files. They never touch the game.
// License: MIT, see the file LICENSE in the same folder.
using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Net;
using System.Security.Authentication;
using System.Security.Cryptography;
using System.Text;
using System.Text.RegularExpressions;
using System.Threading;
using Oxide.Core;
using Oxide.Core.Libraries.Covalence;
using Oxide.Core.Plugins;
using UnityEngine;

namespace Oxide.Plugins
{
    [Info("Guildhall", "Guildhall", "1.0.0")]
    [Description("Links this server to the community's Guildhall site")]
    public class Guildhall : RustPlugin
    {
        private const string PluginVersion = "1.0.0";

#if CARBON
        private const string FrameworkName = "carbon";
        private const string ReloadCommand = "c.reload ";
        private const string ConfigPath = "carbon/configs/";
#else
        private const string FrameworkName = "oxide";
        private const string ReloadCommand = "oxide.reload ";
        private const string ConfigPath = "oxide/config/";
#endif

        #region Settings

        private string m_Url, m_Key;
        private bool m_SendsChat, m_SendsLiveMap, m_AllowsWrites;

        protected override void LoadDefaultConfig()
        {
            Config["Url"] = "";
            Config["Key"] = "";
            Config["Chat"] = true;
            Config["LiveMap"] = true;
            Config["Writes"] = true;
            SaveConfig();
        }

        private void ReadSettings()
        {
            m_Url = Config["Url"] as string ?? "";
            m_Key = Config["Key"] as string ?? "";
            m_SendsChat = ReadFlag("Chat");
            m_SendsLiveMap = ReadFlag("LiveMap");
            m_AllowsWrites = ReadFlag("Writes");
        }

        private bool ReadFlag(string name)
        {
            object value = Config[name];
            return !(value is bool) || (bool)value;
        }

        [ConsoleCommand("guildhall.setup")]
        private void RunSetup(ConsoleSystem.Arg arg)
        {
            Safely("setup", () =>
            {
                if (!IsOwner(arg))
                    return;

                string[] words = arg.Args ?? new string[0];

                if (words.Length != 2)
                {
                    arg.ReplyWith("Type the whole line that the site shows: guildhall.setup <address> <key>");
                    return;
                }

                string problem;
                SiteAddress site = SiteAddress.Read(words[0], words[1], out problem);

                if (site == null)
                {
                    arg.ReplyWith(problem);
                    return;
                }

                Config["Url"] = m_Url = site.Base.AbsoluteUri;
                Config["Key"] = m_Key = site.Key;
                SaveConfig();
                m_Link.SetSite(site);
                arg.ReplyWith("The settings are stored. Trying the site...");
            });
        }

        [ConsoleCommand("guildhall.status")]
        private void RunStatus(ConsoleSystem.Arg arg)
        {
            Safely("status", () =>
            {
                if (IsOwner(arg))
                    arg.ReplyWith(m_Link.Describe() + "\n" + m_Buffer.Describe() + "\n" + DescribeTurns());
            });
        }

        /// <summary>True if the server's console, RCON or an owner of the server sent the command.</summary>
        private static bool IsOwner(ConsoleSystem.Arg arg)
        {
            return arg.Connection == null || arg.Connection.authLevel >= 2;
        }

        #endregion

        #region Life of the plugin

        private SiteLink m_Link;
        private EventBuffer m_Buffer;
        private Inbox m_Inbox;
        private BackgroundQueue m_Background;
        private bool m_IsRunning;
        private long m_SaveId;
        private readonly Dictionary<string, long> m_NextRuns = new Dictionary<string, long>();

        /// <summary>Length of a minute in the pauses after refusals. Tests shorten it.</summary>
        public static double MinuteMs = 60000;

        private void Init()
        {
            ReadSettings();
            m_Buffer = new EventBuffer(text => m_Journal.Add(text));
            m_Inbox = new Inbox();
            m_Background = new BackgroundQueue(text => m_Journal.Add(text));
            m_Link = new SiteLink(m_Buffer, m_Inbox, text => m_Journal.Add(text));
            m_Inbox.Link = m_Link;
            FillHandlers();
        }

        private void OnServerInitialized()
        {
            Safely("start", () =>
            {
                if (m_IsRunning)
                    return;

                m_SaveId = Json.EpochMs(SaveRestore.SaveCreatedTime);
                ReadData();
                m_IsRunning = true;
                UnityEngine.Application.logMessageReceived += OnLogLine;

                foreach (BasePlayer player in BasePlayer.activePlayerList)
                    BeginSession(player);

                // Open the buffer before the link starts, so that events before the first hello are kept.
                string problem;
                SiteAddress site = m_Key.Length == 0 ? null : SiteAddress.Read(m_Url, m_Key, out problem);
                m_Buffer.IsOpen = site != null;
                SendServerHello();
                ReportWipe();
                StartJob(FindEntities());
                m_Link.Start(MakeIdentity(), site);

                if (site == null)
                    Puts("Not set up. Create a key on the site and type the line that the site shows.");

                timer.Every(0.1f, RunTurn);
            });
        }

        private void Unload()
        {
            if (!m_IsRunning)
                return;

            m_IsRunning = false;
            UnityEngine.Application.logMessageReceived -= OnLogLine;
            Safely("unload", SaveData);
            m_Link.Stop();
            m_Background.Stop();
        }

        private void OnServerSave()
        {
            Safely("save", SaveData);
        }

        private void OnServerShutdown()
        {
            Safely("shutdown", () =>
            {
                SendStatus("offline");
                m_Buffer.WaitUntilStored(2000);
            });
        }

        private void OnNewSave(string file)
        {
            m_IsNewSave = true; // the hook runs before OnServerInitialized
        }

        /// <summary>Runs a hook or a step, and logs exceptions: they must not reach the game or stop a timer.</summary>
        private void Safely(string what, Action action)
        {
            try
            {
                action();
            }
            catch (Exception e)
            {
                ReportFault(what, e);
            }
        }

        private readonly HashSet<string> m_ReportedFaults = new HashSet<string>();

        private void ReportFault(string what, Exception e)
        {
            // Report each fault once, because a broken hook would fill the log.
            if (m_ReportedFaults.Count < 100 && m_ReportedFaults.Add(what + e.GetType().Name))
                PrintWarning("An error in \"" + what + "\": " + e);
        }

        #endregion

        #region Turns of the game's main thread

        private const double TurnMs = 4;

        private readonly Journal m_Journal = new Journal();
        private readonly Queue<IEnumerator<bool>> m_Jobs = new Queue<IEnumerator<bool>>();
        private readonly Queue<Action> m_Steps = new Queue<Action>();
        private readonly Stopwatch m_Watch = new Stopwatch();
        private int m_Turns;
        private double m_LongestTurnMs;

        /// <summary>Runs commands and jobs that wait, for some milliseconds. Called ten times a second.</summary>
        private void RunTurn()
        {
            if (!m_IsRunning)
                return;

            m_Watch.Restart();
            Safely("log", PrintJournal);
            Safely("hello", TakeHello);
            Safely("clock", RunDue);

            while (m_Watch.Elapsed.TotalMilliseconds < TurnMs && RunStep())
            { }

            m_Turns++;
            m_LongestTurnMs = Math.Max(m_LongestTurnMs, m_Watch.Elapsed.TotalMilliseconds);
        }

        private bool RunStep()
        {
            Action step = m_Background.TakeForGame();

            if (step == null && m_Steps.Count > 0)
                step = m_Steps.Dequeue();

            if (step != null)
            {
                Safely("step", step);
                return true;
            }

            Command command = m_Inbox.Take();

            if (command != null)
            {
                RunCommand(command);
                return true;
            }

            return RunJob();
        }

        /// <summary>Queues a job: long work that is split, so that each MoveNext does a small part.</summary>
        private void StartJob(IEnumerator<bool> job)
        {
            m_Jobs.Enqueue(job);
        }

        private bool RunJob()
        {
            if (m_Jobs.Count == 0)
                return false;

            bool hasMore = false;
            Safely("job", () => hasMore = m_Jobs.Peek().MoveNext());

            if (!hasMore)
                m_Jobs.Dequeue().Dispose();

            return true;
        }

        private void PrintJournal()
        {
            string text;

            while ((text = m_Journal.Take()) != null)
                Puts(text);
        }

        private string DescribeTurns()
        {
            return "Turns of the game's thread: " + m_Turns.ToString(CultureInfo.InvariantCulture) + ", the longest " + m_LongestTurnMs.ToString("0.0", CultureInfo.InvariantCulture) + " ms.";
        }

        private static long NowMs { get { return Json.EpochMs(DateTime.UtcNow); } }

        private static long ClockMs { get { return (long)Clock.Ms; } }

        private bool IsDue(string name, long everyMs)
        {
            long next;
            long now = ClockMs;

            if (m_NextRuns.TryGetValue(name, out next) && now < next)
                return false;

            m_NextRuns[name] = now + everyMs;
            return next != 0; // after the start, wait for one interval
        }

        private void RunDue()
        {
            if (IsDue("status", 15000))
                SendStatus("online");

            if (IsDue("online", 60000))
                SendOnline();

            if (IsDue("tallies", 60000))
                StartJob(SendTallies(false));

            if (m_SendsLiveMap && IsDue("live", 5000))
                SendLiveMap();

            if (IsDue("leases", 1000))
            {
                CloseExpiredZones();
                RemoveExpiredKits();
                CountZoneTime();
                CheckPendingWrites();
            }

            if (m_ArePermissionsChanged && IsDue("permissions", 2000))
            {
                m_ArePermissionsChanged = false;
                Send("perm.changed", new Json().Open().Close());
            }

            if (m_AreClansChanged && IsDue("clans", 5000))
            {
                m_AreClansChanged = false;
                SendClans();
            }

            if (IsDue("save", 300000))
                SaveData();
        }

        /// <summary>Sends the states that the site asked for in its answer to a hello.</summary>
        private void TakeHello()
        {
            string[] families;

            while ((families = m_Inbox.TakeHello()) != null)
                SendFamilies(m_IsFirstHello ? AllFamilies : families);
        }

        #endregion

        #region Events

        private static readonly string[] AllFamilies = { "server", "players", "tallies", "clans", "map", "permissions" };
        private bool m_IsFirstHello = true;

        private void Send(string kind, Json payload, string eventKey = null)
        {
            m_Buffer.Add(kind, NowMs, eventKey, m_SaveId, payload.ToString());
        }

        private void SendFamilies(ICollection<string> families)
        {
            m_IsFirstHello = false;

            if (families.Contains("server"))
            {
                SendServerHello();
                SendStatus("online");
                Send("world.ready", new Json().Open().Add("saveId", m_SaveId).Close());
            }

            if (families.Contains("players"))
                SendOnline();

            if (families.Contains("map"))
                PrepareMap(false);

            if (families.Contains("clans"))
                SendClans();

            if (families.Contains("tallies"))
                StartJob(SendTallies(true));

            if (families.Contains("permissions"))
                StartJob(SendInventory(NewId()));
        }

        private static string NewId()
        {
            return Guid.NewGuid().ToString();
        }

        #endregion

        #region The server

        private sealed class Helper
        {
            public string Id, Plugin, Capability;
        }

        /// <summary>Optional mods, and the capability that needs each of them.</summary>
        private static readonly Helper[] Helpers =
        {
            new Helper { Id = "zones", Plugin = "ZoneManager", Capability = "zones" },
            new Helper { Id = "kits", Plugin = "Kits", Capability = "kits" },
            new Helper { Id = "chat", Plugin = "BetterChat", Capability = "titles" },
            new Helper { Id = "clans", Plugin = "Clans", Capability = null },
            new Helper { Id = "rulesets", Plugin = "TruePVE", Capability = null },
            new Helper { Id = "npcs", Plugin = "BotReSpawn", Capability = null }
        };

        private static readonly string[] OwnCapabilities =
        {
            "announce", "config", "integrations", "link", "map", "moderation", "participation", "perm", "voice"
        };

        private Plugin FindHelper(string name)
        {
            Plugin found = plugins.Find(name);
            return found != null && found.IsLoaded ? found : null;
        }

        private string WriteCapabilities()
        {
            var json = new Json().OpenList();

            foreach (string name in OwnCapabilities)
                json.Value(name);

            foreach (Helper helper in Helpers)
            {
                if (helper.Capability != null && FindHelper(helper.Plugin) != null)
                    json.Value(helper.Capability);
            }

            return json.CloseList().ToString();
        }

        /// <summary>Makes the members of a hello that describe this server.</summary>
        private string MakeIdentity()
        {
            return new Json().Open()
                .Open("plugin").Add("name", "guildhall-rust").Add("version", PluginVersion).Close()
                .Open("server").Add("name", Cut(ConVar.Server.hostname, 128)).Add("version", Rust.Protocol.printable).Close()
                .Raw("capabilities", WriteCapabilities()).Close().ToString();
        }

        private void SendServerHello()
        {
            Send("server.hello", DescribeServer());
        }

        private Json DescribeServer()
        {
            var json = new Json().Open().Add("serverName", Cut(ConVar.Server.hostname, 256));
            WriteFramework(json);
            json.Open("game").Add("version", Rust.Protocol.printable).Add("protocolNetwork", Rust.Protocol.network).Add("protocolSave", Rust.Protocol.save).Close();
            json.Open("plugin").Add("version", PluginVersion).Close();
            json.AddNull("npcApi");
            json.Add("startedAt", NowMs - (long)(Time.realtimeSinceStartup * 1000.0)).Add("worldReady", true);
            json.Open("world").Add("level", ConVar.Server.level).Add("seed", HasCustomMap ? null : World.Seed.ToString(CultureInfo.InvariantCulture));
            json.Add("size", (long)World.Size).Add("saveCreatedAt", m_SaveId).Add("levelUrl", HasCustomMap ? Cut(ConVar.Server.levelurl, 2048) : null).Close();
            json.OpenList("helpers");

            foreach (Helper helper in Helpers)
            {
                Plugin found = FindHelper(helper.Plugin);
                json.Open().Add("id", helper.Id).Add("name", helper.Plugin).Add("version", VersionOf(found)).Add("loaded", found != null).Close();
            }

            return json.CloseList().Raw("capabilities", WriteCapabilities()).Close();
        }

        private static void WriteFramework(Json json)
        {
#if CARBON
            json.Open("framework").Add("name", FrameworkName).AddNull("version").Close();
#else
            json.Open("framework").Add("name", FrameworkName).Add("version", OxideMod.Version.ToString()).Close();
#endif
        }

        private static string VersionOf(Plugin plugin)
        {
            return plugin == null ? null : plugin.Version.ToString();
        }

        private static bool HasCustomMap { get { return !String.IsNullOrEmpty(ConVar.Server.levelurl); } }

        private void SendStatus(string state)
        {
            ServerMgr manager = ServerMgr.Instance;
            var json = new Json().Open().Add("state", state).Add("players", BasePlayer.activePlayerList.Count).Add("maxPlayers", ConVar.Server.maxplayers);

            if (manager != null && manager.connectionQueue != null)
                json.Add("queued", manager.connectionQueue.Queued).Add("joining", manager.connectionQueue.Joining);

            json.Add("fps", (double)Performance.current.frameRate).Add("uptimeSec", (long)Time.realtimeSinceStartup);
            json.Add("gameTime", GameTime).Add("entities", BaseNetworkable.serverEntities.Count);
            Send("server.status", json.Close());
        }

        private static double? GameTime
        {
            get
            {
                TOD_Sky sky = TOD_Sky.Instance;
                return sky == null ? (double?)null : Math.Round(sky.Cycle.Hour, 2);
            }
        }

        private bool m_IsNewSave;

        private void ReportWipe()
        {
            long previous = m_Data.SaveId;
            int protocol = m_Data.SaveProtocol;
            m_Data.SaveId = m_SaveId;
            m_Data.SaveProtocol = Rust.Protocol.save;

            if (previous == m_SaveId && !m_IsNewSave)
                return;

            // A restored backup also changes the save. The site detects a wipe by the times of both saves.
            bool isFirstStart = previous == 0;
            m_Tallies.Clear();
            SaveData();

            if (isFirstStart)
                return;

            ExpireAllZones("wipe");
            var json = new Json().Open().Add("saveId", m_SaveId).Add("previousSaveId", previous == m_SaveId ? (long?)null : previous);
            json.Add("saveProtocol", Rust.Protocol.save).Add("previousProtocol", protocol == 0 ? (long?)null : protocol).Add("blueprints", "unknown");
            json.Add("level", ConVar.Server.level).Add("seed", HasCustomMap ? null : World.Seed.ToString(CultureInfo.InvariantCulture)).Add("size", (long)World.Size);
            Send("world.wiped", json.Close(), "wipe:" + m_SaveId.ToString(CultureInfo.InvariantCulture));
        }

        private void OnPluginLoaded(Plugin plugin)
        {
            Safely("plugin loaded", () =>
            {
                if (!m_IsRunning || plugin == null || plugin.Name == Name)
                    return;

                Send("plugin.loaded", DescribePlugin(plugin, null));
                SettlePendingWrite(plugin.Name, true, null);
                NoteHelper(plugin);
            });
        }

        private void OnPluginUnloaded(Plugin plugin)
        {
            Safely("plugin unloaded", () =>
            {
                if (!m_IsRunning || plugin == null || plugin.Name == Name)
                    return;

                Send("plugin.unloaded", DescribePlugin(plugin, null));
                NoteHelper(plugin);
            });
        }

        private static Helper HelperOf(string plugin)
        {
            return Array.Find(Helpers, helper => helper.Plugin == plugin);
        }

        private Json DescribePlugin(Plugin plugin, string reason)
        {
            Helper helper = HelperOf(plugin.Name);
            var json = new Json().Open().Add("name", Cut(plugin.Name, 128)).Add("title", Cut(plugin.Title, 256)).Add("version", Cut(VersionOf(plugin), 64));
            json.Add("author", Cut(plugin.Author, 256)).Add("helperId", helper == null ? null : helper.Id).OpenList("permissions");
            string prefix = plugin.Name.ToLowerInvariant() + ".";

            foreach (string node in permission.GetPermissions())
            {
                if (node.StartsWith(prefix, StringComparison.OrdinalIgnoreCase))
                    json.Value(Cut(node, 128));
            }

            return json.CloseList().Add("reason", reason).Close();
        }

        /// <summary>Sends a new hello when an optional mod is loaded or unloaded: the capabilities have changed.</summary>
        private void NoteHelper(Plugin plugin)
        {
            m_ArePermissionsChanged = true;
            m_AreClansChanged |= plugin.Name == "Clans";

            if (HelperOf(plugin.Name) == null)
                return;

            // The framework still lists a plugin during its own unload, so wait for the next frame.
            NextTick(() => Safely("helpers", () =>
            {
                if (!m_IsRunning)
                    return;

                RegisterTitles();
                SendServerHello();
                m_Link.SetIdentity(MakeIdentity());
            }));
        }

        private static readonly Regex FailedCompile = new Regex(@"(?:Error while compiling |Failed compiling ')([A-Za-z0-9_]+)(?:\.cs)?'?:\s*(.*)", RegexOptions.Singleline);
        private static readonly Regex FailedPosition = new Regex(@"\((?:line:? )?(\d+)(?:, ?(?:column:? )?(\d+))?\)|line:? (\d+) .*?column:? (\d+)");
        private readonly Queue<string> m_LogTail = new Queue<string>();

        /// <summary>Neither framework has a hook for a plugin that fails to compile, so read the log.</summary>
        private void OnLogLine(string line, string stackTrace, LogType type)
        {
            Safely("log line", () =>
            {
                if (String.IsNullOrEmpty(line))
                    return;

                if (m_PendingWrites.Count > 0)
                {
                    m_LogTail.Enqueue(Cut(line, 500));

                    while (m_LogTail.Count > 200)
                        m_LogTail.Dequeue();
                }

                Match failed = line.Length < 20000 ? FailedCompile.Match(line) : Match.Empty;

                if (failed.Success)
                    ReportFailedPlugin(failed.Groups[1].Value, failed.Groups[2].Value.Trim());
            });
        }

        private void ReportFailedPlugin(string plugin, string message)
        {
            Match at = FailedPosition.Match(message);
            var json = new Json().Open().Add("name", plugin).OpenList("errors").Open();
            json.Add("line", NumberOf(at, 1, 3)).Add("column", NumberOf(at, 2, 4)).AddNull("code").Add("message", Cut(message, 2000)).Close();
            Send("plugin.failed", json.CloseList().Close());
            SettlePendingWrite(plugin, false, message);
        }

        private static long? NumberOf(Match match, int first, int second)
        {
            string text = match.Groups[first].Success ? match.Groups[first].Value : match.Groups[second].Value;
            int value;
            return Int32.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out value) ? value : (long?)null;
        }

        #endregion

        #region Players

        private sealed class Session
        {
            public string Name;
            public long ConnectedAt; // epoch milliseconds
            public long CountedAt; // play time up to this time is already counted
        }

        private readonly Dictionary<string, Session> m_Sessions = new Dictionary<string, Session>();

        private static bool IsAccount(string id)
        {
            return id != null && id.Length == 17 && id.StartsWith("7656119", StringComparison.Ordinal);
        }

        private static bool IsPlayer(BasePlayer player)
        {
            return player != null && IsAccount(player.UserIDString);
        }

        private static string NameOf(BasePlayer player)
        {
            return Cut(player.displayName ?? "", 256);
        }

        private Session BeginSession(BasePlayer player)
        {
            Session session;

            if (!IsPlayer(player) || m_Sessions.TryGetValue(player.UserIDString, out session))
                return null;

            long now = NowMs;
            double seconds = player.Connection == null ? 0 : player.Connection.GetSecondsConnected();
            session = new Session { Name = NameOf(player), ConnectedAt = now - (long)(seconds * 1000.0), CountedAt = now };
            m_Sessions[player.UserIDString] = session;
            return session;
        }

        private void OnPlayerConnected(BasePlayer player)
        {
            Safely("player connected", () =>
            {
                if (!m_IsRunning)
                    return;

                Session session = BeginSession(player);

                if (session == null)
                    return;

                string id = player.UserIDString;
                Json json = new Json().Open().Add("steamId", id).Add("name", session.Name).Add("connectedAt", session.ConnectedAt).AddNull("first").Close();
                Send("player.joined", json, "join:" + id + ":" + session.ConnectedAt.ToString(CultureInfo.InvariantCulture));
                TellKits(player);
            });
        }

        private void OnPlayerDisconnected(BasePlayer player, string reason)
        {
            Safely("player disconnected", () =>
            {
                Session session;

                if (!m_IsRunning || !IsPlayer(player) || !m_Sessions.TryGetValue(player.UserIDString, out session))
                    return;

                string id = player.UserIDString;
                CountPlaytime(id, session);
                m_Sessions.Remove(id);
                var json = new Json().Open().Add("steamId", id).Add("name", session.Name).Add("connectedAt", session.ConnectedAt);
                json.Add("reason", reason == null ? null : Cut(reason, 256)).Add("sessionSec", Math.Max(0, (NowMs - session.ConnectedAt) / 1000));
                Send("player.left", json.Close(), "left:" + id + ":" + session.ConnectedAt.ToString(CultureInfo.InvariantCulture));
            });
        }

        private void SendOnline()
        {
            var json = new Json().Open().OpenList("players");

            foreach (KeyValuePair<string, Session> each in m_Sessions)
                json.Open().Add("steamId", each.Key).Add("name", each.Value.Name).Add("connectedAt", each.Value.ConnectedAt).Close();

            Send("player.online", json.CloseList().Close());
        }

        private object OnPlayerChat(BasePlayer player, string message, ConVar.Chat.ChatChannel channel)
        {
            // Messages to teams and clans must not leave the game.
            if (m_IsRunning && m_SendsChat && channel == ConVar.Chat.ChatChannel.Global && IsPlayer(player) && !String.IsNullOrEmpty(message))
                Safely("chat", () => Send("player.chat", new Json().Open().Add("steamId", player.UserIDString).Add("name", NameOf(player)).Add("channel", "global").Add("message", Cut(message, 1024)).Close()));

            return null;
        }

        private void OnPlayerRespawned(BasePlayer player)
        {
            Safely("respawned", () =>
            {
                if (!m_IsRunning || !IsPlayer(player))
                    return;

                var json = new Json().Open().Add("steamId", player.UserIDString).Add("name", NameOf(player));
                WritePosition(json, player.transform.position);
                Send("player.respawned", json.AddNull("bag").Close());
            });
        }

        private void OnPlayerReported(BasePlayer reporter, string targetName, string targetId, string subject, string message, string type)
        {
            Safely("reported", () =>
            {
                if (!m_IsRunning || !IsPlayer(reporter))
                    return;

                var json = new Json().Open().Open("reporter").Add("steamId", reporter.UserIDString).Add("name", NameOf(reporter)).Close();

                if (IsAccount(targetId))
                    json.Open("target").Add("steamId", targetId).Add("name", Cut(targetName ?? "", 256)).Close();
                else
                    json.AddNull("target");

                Send("player.reported", json.Add("subject", Cut(subject, 256)).Add("message", Cut(message, 2000)).Add("type", Cut(type, 64)).Close());
            });
        }

        #endregion

        #region Deaths

        private static readonly HashSet<string> Animals = new HashSet<string>
        {
            "bear", "polarbear", "boar", "chicken", "stag", "wolf", "wolf2", "horse", "testridablehorse", "ridablehorse", "ridablehorse2",
            "simpleshark", "crocodile", "panther", "tiger", "snake.entity"
        };

        private void OnPlayerDeath(BasePlayer victim, HitInfo hit)
        {
            Safely("death", () =>
            {
                if (!m_IsRunning || !IsPlayer(victim))
                    return;

                BasePlayer killer = KillerOf(victim, hit);
                double? distance = DistanceOf(victim, hit);
                bool isHeadshot = hit != null && hit.isHeadshot;
                var json = new Json().Open().Open("victim").Add("steamId", victim.UserIDString).Add("name", NameOf(victim)).Close();
                WriteKiller(json, victim, hit, killer);
                json.Add("weapon", WeaponOf(hit)).Add("distance", distance).Add("headshot", isHeadshot).Add("sleeping", victim.IsSleeping());
                WritePosition(json, victim.transform.position);
                Send("player.died", json.Close());

                if (IsPlayer(killer) && killer != victim)
                    CountPlayerKill(killer, hit, distance ?? 0, isHeadshot);
            });
        }

        private static BasePlayer KillerOf(BaseEntity victim, HitInfo hit)
        {
            if (hit == null)
                return null;

            if (hit.InitiatorPlayer != null)
                return hit.InitiatorPlayer;

            // The killer behind a trap, turret or explosive is the player who placed it.
            BaseEntity initiator = hit.Initiator;
            return initiator == null || initiator == victim || initiator.OwnerID == 0 ? null : BasePlayer.FindAwakeOrSleeping(initiator.OwnerID.ToString(CultureInfo.InvariantCulture));
        }

        private static void WriteKiller(Json json, BasePlayer victim, HitInfo hit, BasePlayer killer)
        {
            BaseEntity initiator = hit == null ? null : hit.Initiator;
            string prefab = initiator == null ? null : Cut(initiator.ShortPrefabName, 256);
            string kind, name = null, steamId = null;

            if (killer == victim || initiator == victim)
                kind = "self";
            else if (IsPlayer(killer))
            {
                kind = "player";
                steamId = killer.UserIDString;
                name = NameOf(killer);
            }
            else if (initiator is BasePlayer)
            {
                kind = "npc";
                name = NameOf((BasePlayer)initiator);
            }
            else if (prefab != null && Animals.Contains(prefab))
                kind = "animal";
            else
                kind = initiator == null ? "environment" : "entity";

            json.Open("killer").Add("kind", kind).Add("steamId", steamId).Add("name", name).AddNull("profile").Add("prefab", kind == "player" ? null : prefab).Close();
        }

        /// <summary>Returns the short name of the weapon's item, such as rifle.ak, or else of its prefab.</summary>
        private static string WeaponOf(HitInfo hit)
        {
            if (hit == null)
                return null;

            if (hit.Weapon != null)
            {
                Item item = hit.Weapon.GetItem();

                if (item != null && item.info != null)
                    return Cut(item.info.shortname, 128);
            }

            return hit.WeaponPrefab == null ? null : Cut(hit.WeaponPrefab.ShortPrefabName, 128);
        }

        private static double? DistanceOf(BaseEntity victim, HitInfo hit)
        {
            if (hit == null || hit.Initiator == null || hit.Initiator == victim)
                return null;

            return Math.Round(Vector3.Distance(hit.Initiator.transform.position, victim.transform.position), 1);
        }

        private void OnEntityDeath(BaseCombatEntity entity, HitInfo hit)
        {
            // The game calls this hook also for barrels and walls, so return early if no player is the killer.
            if (!m_IsRunning || entity == null || hit == null || hit.InitiatorPlayer == null || !IsPlayer(hit.InitiatorPlayer))
                return;

            Safely("entity death", () => CountKill(entity, hit));
        }

        private void CountKill(BaseCombatEntity entity, HitInfo hit)
        {
            string prefab = entity.ShortPrefabName ?? "";
            string stat = null;

            if (entity is BasePlayer)
                stat = IsPlayer((BasePlayer)entity) ? null : "npcKills";
            else if (Animals.Contains(prefab))
                stat = "animalKills";
            else if (prefab == "patrolhelicopter")
                stat = "helicopterKills";
            else if (prefab == "bradleyapc")
                stat = "apcKills";

            if (stat == null)
                return;

            Tally tally = TallyOf(hit.InitiatorPlayer);
            tally.Count(stat, 1);

            if (stat == "npcKills" || stat == "animalKills")
                tally.Raise("pveKillDistance", (long)(DistanceOf(entity, hit) ?? 0));

            if (stat == "npcKills")
                CountParticipants(null, hit.InitiatorPlayer, "kill", 1);
        }

        /// <summary>Hook of the mod BotReSpawn, whose NPCs are the only ones with a profile.</summary>
        private void OnBotReSpawnNPCKilled(BasePlayer npc, string profile, string group, HitInfo hit)
        {
            Safely("profile npc death", () =>
            {
                if (!m_IsRunning || npc == null || String.IsNullOrEmpty(profile))
                    return;

                BasePlayer killer = KillerOf(npc, hit);
                string netId = npc.net == null ? "0" : npc.net.ID.Value.ToString(CultureInfo.InvariantCulture);
                var json = new Json().Open().Add("netId", netId).Add("profile", Cut(profile, 64)).AddNull("placement").Add("name", NameOf(npc)).Add("boss", false);

                if (IsPlayer(killer))
                    json.Open("killer").Add("steamId", killer.UserIDString).Add("name", NameOf(killer)).Close();
                else
                    json.AddNull("killer");

                json.AddNull("contributors").Add("weapon", WeaponOf(hit)).Add("distance", DistanceOf(npc, hit));
                WritePosition(json, npc.transform.position);
                // After a restart, the game reuses entity ids, so the key also contains the time.
                string key = "npc:" + netId + ":" + NowMs.ToString(CultureInfo.InvariantCulture);
                Send("survival.npc.died", json.AddNull("alive").AddNull("runId").Close(), key);
                CountParticipants(profile, killer, "kill", 1);
            });
        }

        #endregion

        #region Statistics

        private sealed class Tally
        {
            public string Name;
            public bool IsStaff, IsChanged;
            public long PlaytimeMs;
            public readonly Dictionary<string, long> Stats = new Dictionary<string, long>();

            public void Count(string stat, long more)
            {
                long value;
                Stats.TryGetValue(stat, out value);
                Stats[stat] = value + more;
                IsChanged = true;
            }

            public void Raise(string stat, long to)
            {
                long value;

                if (Stats.TryGetValue(stat, out value) && value >= to)
                    return;

                Stats[stat] = to;
                IsChanged = true;
            }
        }

        private readonly Dictionary<string, Tally> m_Tallies = new Dictionary<string, Tally>();

        private Tally TallyOf(BasePlayer player)
        {
            Tally tally = TallyOf(player.UserIDString);
            tally.Name = NameOf(player);
            tally.IsStaff = player.IsAdmin;
            return tally;
        }

        private Tally TallyOf(string id)
        {
            Tally tally;

            if (!m_Tallies.TryGetValue(id, out tally))
                m_Tallies[id] = tally = new Tally { Name = "" };

            return tally;
        }

        private void Count(BasePlayer player, string stat, long more)
        {
            if (m_IsRunning && more > 0 && IsPlayer(player))
                Safely("statistics", () => TallyOf(player).Count(stat, more));
        }

        private void CountPlaytime(string id, Session session)
        {
            long now = NowMs;
            Tally tally = TallyOf(id);
            tally.Name = session.Name;
            tally.PlaytimeMs += Math.Max(0, now - session.CountedAt);
            tally.IsChanged = true;
            session.CountedAt = now;
        }

        private static readonly HashSet<string> Melee = new HashSet<string>
        {
            "rock", "torch", "hatchet", "pickaxe", "stonehatchet", "stone.pickaxe", "axe.salvaged", "icepick.salvaged", "hammer.salvaged",
            "mace", "mace.baseballbat", "bone.club", "knife.bone", "knife.butcher", "knife.combat", "pitchfork", "sickle", "paddle", "spear.wooden", "spear.stone"
        };

        private static readonly HashSet<string> Blades = new HashSet<string> { "salvaged.sword", "salvaged.cleaver", "longsword", "machete", "krieg.chainsword" };

        private void CountPlayerKill(BasePlayer killer, HitInfo hit, double distance, bool isHeadshot)
        {
            Tally tally = TallyOf(killer);
            string weapon = WeaponOf(hit) ?? "";
            tally.Count("playersKilled", 1);
            tally.Raise("pvpKillDistance", (long)distance);

            if (isHeadshot)
                tally.Count("headshots", 1);

            if (Blades.Contains(weapon))
                tally.Count("bladeKills", 1);
            else if (Melee.Contains(weapon))
                tally.Count("meleeKills", 1);
            else if (weapon.StartsWith("bow.", StringComparison.Ordinal) || weapon == "crossbow")
                tally.Count("arrowKills", 1);
            else if (weapon == "pistol.revolver" || weapon == "pistol.python")
                tally.Count("revolverKills", 1);
        }

        private void OnDispenserGather(ResourceDispenser dispenser, BasePlayer player, Item item)
        {
            CountGathered(dispenser, player, item);
        }

        private void OnDispenserBonus(ResourceDispenser dispenser, BasePlayer player, Item item)
        {
            CountGathered(dispenser, player, item);
        }

        private void CountGathered(ResourceDispenser dispenser, BasePlayer player, Item item)
        {
            if (dispenser == null || item == null)
                return;

            if (dispenser.gatherType == ResourceDispenser.GatherType.Tree)
                Count(player, "woodGathered", item.amount);
            else if (dispenser.gatherType == ResourceDispenser.GatherType.Ore)
                Count(player, "rocksGathered", item.amount);
        }

        private void OnCollectiblePickup(CollectibleEntity entity, BasePlayer player)
        {
            Count(player, "plantsGathered", 1);
        }

        private void OnGrowableGathered(GrowableEntity plant, Item item, BasePlayer player)
        {
            Count(player, "plantsGathered", 1);
        }

        private void OnEntityBuilt(Planner planner, GameObject built)
        {
            if (planner != null && built != null && built.ToBaseEntity() is BuildingBlock)
                Count(planner.GetOwnerPlayer(), "structuresBuilt", 1);
        }

        private void OnStructureRepair(BaseCombatEntity entity, BasePlayer player)
        {
            if (entity != null && entity.Health() < entity.MaxHealth())
                Count(player, "structuresRepaired", 1);
        }

        private void OnExplosiveThrown(BasePlayer player, BaseEntity entity, ThrownWeapon weapon)
        {
            string prefab = entity == null ? "" : entity.ShortPrefabName ?? "";

            if (!prefab.Contains("flare") && !prefab.Contains("supplysignal") && !prefab.Contains("survey"))
                Count(player, "explosivesThrown", 1);
        }

        private void OnRocketLaunched(BasePlayer player, BaseEntity entity)
        {
            Count(player, "rocketsFired", 1);
        }

        private void OnItemCraftFinished(ItemCraftTask task, Item item, ItemCrafter crafter)
        {
            if (item == null || item.info == null || crafter == null)
                return;

            if (item.info.category == ItemCategory.Attire)
                Count(crafter.owner, "clothesCrafted", 1);
            else if (item.info.category == ItemCategory.Weapon)
                Count(crafter.owner, "weaponsCrafted", 1);
        }

        private void OnHealingItemUse(MedicalTool tool, BasePlayer target)
        {
            BasePlayer healer = tool == null ? null : tool.GetOwnerPlayer();

            if (healer != null && target != null && healer != target && target.Health() < target.MaxHealth())
                Count(healer, "playersHealed", 1);
        }

        /// <summary>Sends changed tallies, or all of them, in events of at most 200 players.</summary>
        private IEnumerator<bool> SendTallies(bool all)
        {
            foreach (KeyValuePair<string, Session> each in m_Sessions)
                CountPlaytime(each.Key, each.Value);

            Json json = null;
            int rows = 0;

            foreach (string id in new List<string>(m_Tallies.Keys))
            {
                Tally tally;

                if (!m_Tallies.TryGetValue(id, out tally) || !(all || tally.IsChanged))
                    continue;

                tally.IsChanged = false;
                json = json ?? new Json().Open().Add("saveId", m_SaveId).OpenList("tallies");
                WriteTally(json, id, tally);

                if (++rows % 50 == 0)
                    yield return true;

                if (rows % 200 == 0)
                {
                    Send("player.tally", json.CloseList().Close());
                    json = null;
                }
            }

            if (json != null)
                Send("player.tally", json.CloseList().Close());
        }

        private static void WriteTally(Json json, string id, Tally tally)
        {
            json.Open().Add("steamId", id).Add("name", tally.Name).Open("stats");

            foreach (KeyValuePair<string, long> stat in tally.Stats)
                json.Add(stat.Key, stat.Value);

            json.Close().Add("playtimeSec", tally.PlaytimeMs / 1000).AddNull("afkSec").Add("staff", tally.IsStaff).Close();
        }

        #endregion

        #region Map

        private const int OceanMargin = 500; // pixels, as the game's own renderer draws it

        private static readonly Dictionary<string, string> MapEvents = new Dictionary<string, string>
        {
            { "cargoshiptest", "cargoShip" }, { "patrolhelicopter", "patrolHelicopter" }, { "bradleyapc", "bradley" }, { "ch47scientists.entity", "chinook" },
            { "codelockedhackablecrate", "lockedCrate" }, { "codelockedhackablecrate_oilrig", "lockedCrate" }, { "supply_drop", "supplyDrop" },
            { "travellingvendor", "travellingVendor" }
        };

        private sealed class Tracked
        {
            public BaseEntity Entity;
            public string Type;
            public long Since;
        }

        private readonly Dictionary<ulong, Tracked> m_Tracked = new Dictionary<ulong, Tracked>();
        private readonly Dictionary<ulong, BuildingPrivlidge> m_Cupboards = new Dictionary<ulong, BuildingPrivlidge>();

        private void OnEntitySpawned(BaseNetworkable entity)
        {
            if (m_IsRunning)
                Track(entity, NowMs);
        }

        private void OnEntityKill(BaseNetworkable entity)
        {
            if (!m_IsRunning || entity == null || entity.net == null)
                return;

            m_Tracked.Remove(entity.net.ID.Value);
            m_Cupboards.Remove(entity.net.ID.Value);
        }

        private void Track(BaseNetworkable entity, long since)
        {
            if (entity == null || entity.net == null)
                return;

            var cupboard = entity as BuildingPrivlidge;
            string type;

            if (cupboard != null)
                m_Cupboards[entity.net.ID.Value] = cupboard;
            else if (entity is BaseEntity && MapEvents.TryGetValue(entity.ShortPrefabName ?? "", out type))
                m_Tracked[entity.net.ID.Value] = new Tracked { Entity = (BaseEntity)entity, Type = type, Since = since };
        }

        /// <summary>Finds the tool cupboards and events that existed before the plugin was loaded.</summary>
        private IEnumerator<bool> FindEntities()
        {
            var all = new List<BaseNetworkable>(BaseNetworkable.serverEntities);
            yield return true;

            for (int i = 0; i < all.Count; i++)
            {
                if (all[i] != null && !all[i].IsDestroyed)
                    Track(all[i], 0);

                if (i % 500 == 499)
                    yield return true;
            }
        }

        private void SendLiveMap()
        {
            if (m_Sessions.Count == 0 && m_Tracked.Count == 0)
                return;

            var json = new Json().Open().Add("at", NowMs).Add("gameTime", GameTime).OpenList("events");

            foreach (KeyValuePair<ulong, Tracked> each in m_Tracked)
            {
                if (each.Value.Entity == null || each.Value.Entity.IsDestroyed)
                    continue;

                json.Open().Add("id", each.Key.ToString(CultureInfo.InvariantCulture)).Add("type", each.Value.Type);
                WritePlace(json, each.Value.Entity.transform);
                json.AddNull("label").Add("since", each.Value.Since == 0 ? (long?)null : each.Value.Since).Close();
            }

            json.CloseList().OpenList("players");

            foreach (BasePlayer player in BasePlayer.activePlayerList)
            {
                if (!IsPlayer(player))
                    continue;

                json.Open().Add("steamId", player.UserIDString).Add("name", NameOf(player));
                WritePlace(json, player.transform);
                json.Add("health", Math.Round(player.Health(), 1)).AddNull("clan").Add("sleeping", player.IsSleeping()).Add("dead", player.IsDead()).Close();
            }

            json.CloseList().OpenList("bases");
            WriteBases(json);
            Send("map.live", json.CloseList().Close());
        }

        private void WriteBases(Json json)
        {
            int rows = 0;

            foreach (KeyValuePair<ulong, BuildingPrivlidge> each in m_Cupboards)
            {
                BuildingPrivlidge cupboard = each.Value;

                // Limit the rows, because an event may have at most 256 KiB.
                if (cupboard == null || cupboard.IsDestroyed || ++rows > 1500)
                    continue;

                string owner = cupboard.OwnerID.ToString(CultureInfo.InvariantCulture);
                Vector3 at = cupboard.transform.position;
                json.Open().Add("id", each.Key.ToString(CultureInfo.InvariantCulture)).Add("x", Math.Round(at.x, 1)).Add("z", Math.Round(at.z, 1));
                json.Add("owner", IsAccount(owner) ? owner : null).AddNull("auth");
                json.Add("protectedUntil", NowMs + (long)(cupboard.GetProtectedMinutes() * 60000.0)).Close();
            }
        }

        private static void WritePlace(Json json, Transform transform)
        {
            Vector3 at = transform.position;
            json.Add("x", Math.Round(at.x, 1)).Add("z", Math.Round(at.z, 1)).Add("rotation", Math.Round(transform.eulerAngles.y, 0));
        }

        private static void WritePosition(Json json, Vector3 at)
        {
            json.Add("x", Math.Round(at.x, 1)).Add("z", Math.Round(at.z, 1)).Add("grid", GridOf(at));
        }

        /// <summary>Returns the square of the map: letters count from the west, numbers from the north.</summary>
        private static string GridOf(Vector3 at)
        {
            double size = World.Size;
            double cells = Math.Floor(size * 7 / 1024);

            if (cells < 1)
                return null;

            int column = (int)Math.Floor((at.x + size / 2) / (size / cells));
            int row = (int)Math.Floor((size / 2 - at.z) / (size / cells));

            if (column < 0 || row < 0 || column >= cells || row >= cells)
                return null;

            string letters = ((char)('A' + column % 26)).ToString();
            return (column >= 26 ? ((char)('A' + column / 26 - 1)).ToString() : "") + letters + row.ToString(CultureInfo.InvariantCulture);
        }

        private sealed class MapImage
        {
            public byte[] Bytes; // read only
            public string Hash, Background;
            public int Width, Height;
            public long SaveId;
        }

        private MapImage m_Map;

        /// <summary>
        /// Sends map.info. Rendering stops the game for a second or more, so it reuses a stored image of this
        /// world if there is one.
        /// </summary>
        private void PrepareMap(bool mustRender)
        {
            if (m_Map != null && !mustRender)
            {
                SendMapInfo();
                return;
            }

            string image = PathOf("map.jpg"), facts = PathOf("map.json");
            m_Background.Run(() =>
            {
                MapImage stored = mustRender ? null : LoadMap(image, facts);
                return () => UseMap(stored, image, facts);
            });
        }

        private MapImage LoadMap(string image, string facts)
        {
            if (!File.Exists(image) || !File.Exists(facts))
                return null;

            Dictionary<string, object> read = JsonReader.ParseObject(File.ReadAllText(facts));
            byte[] bytes = File.ReadAllBytes(image);

            if (JsonReader.Text(read, "hash") != Hashes.Sha256(bytes) || JsonReader.Integer(read, "saveId") != m_SaveId)
                return null;

            return new MapImage
            {
                Bytes = bytes,
                Hash = JsonReader.Text(read, "hash"),
                Background = JsonReader.Text(read, "background"),
                Width = (int)(JsonReader.Integer(read, "width") ?? 0),
                Height = (int)(JsonReader.Integer(read, "height") ?? 0),
                SaveId = m_SaveId
            };
        }

        private void UseMap(MapImage stored, string image, string facts)
        {
            m_Map = stored ?? RenderMap(m_Data.MapScale);

            if (stored == null && m_Map != null)
            {
                MapImage made = m_Map;
                string text = new Json().Open().Add("hash", made.Hash).Add("background", made.Background).Add("width", made.Width).Add("height", made.Height).Add("saveId", made.SaveId).Close().ToString();
                m_Background.Run(() =>
                {
                    Files.Write(image, made.Bytes);
                    Files.Write(facts, Encoding.UTF8.GetBytes(text));
                    return null;
                });
            }

            SendMapInfo();
        }

        private MapImage RenderMap(double scale)
        {
            int width, height;
            Color background;
            byte[] bytes = MapImageRenderer.Render(out width, out height, out background, (float)scale, true);

            if (bytes == null || bytes.Length > 8 * 1024 * 1024)
                return null;

            return new MapImage { Bytes = bytes, Hash = Hashes.Sha256(bytes), Width = width, Height = height, Background = "#" + ColorUtility.ToHtmlStringRGB(background).ToLowerInvariant(), SaveId = m_SaveId };
        }

        private void SendMapInfo()
        {
            MapImage map = m_Map;
            var json = new Json().Open().Add("saveId", m_SaveId).Add("worldSize", (long)World.Size).Add("seed", HasCustomMap ? null : World.Seed.ToString(CultureInfo.InvariantCulture)).Add("level", ConVar.Server.level);

            if (map == null)
                json.AddNull("imageHash").AddNull("width").AddNull("height").AddNull("oceanMargin").AddNull("background");
            else
                json.Add("imageHash", map.Hash).Add("width", map.Width).Add("height", map.Height).Add("oceanMargin", OceanMargin).Add("background", map.Background);

            json.OpenList("monuments");

            foreach (MonumentInfo monument in Monuments)
            {
                Vector3 at = monument.transform.position;
                json.Open().Add("label", LabelOf(monument)).Add("name", Cut(monument.name, 128)).Add("x", Math.Round(at.x, 1)).Add("z", Math.Round(at.z, 1)).Close();
            }

            Send("map.info", json.CloseList().Close());
        }

        private static IEnumerable<MonumentInfo> Monuments
        {
            get
            {
                if (TerrainMeta.Path == null || TerrainMeta.Path.Monuments == null)
                    yield break;

                foreach (MonumentInfo monument in TerrainMeta.Path.Monuments)
                {
                    if (monument != null && monument.shouldDisplayOnMap && !String.IsNullOrEmpty(LabelOf(monument)))
                        yield return monument;
                }
            }
        }

        private static string LabelOf(MonumentInfo monument)
        {
            return monument.displayPhrase == null ? null : Cut((monument.displayPhrase.english ?? "").Replace("\n", " ").Trim(), 128);
        }

        private void FetchMap(Command command)
        {
            MapImage map = m_Map;

            if (map == null)
                throw new RefusalException(404, "NO_IMAGE");

            long worldSize = World.Size;
            m_Background.Run(() =>
            {
                var json = new Json().Open().Add("mime", map.Bytes.Length > 1 && map.Bytes[0] == 0x89 ? "image/png" : "image/jpeg").Add("data", Convert.ToBase64String(map.Bytes)).Add("hash", map.Hash);
                json.Add("width", map.Width).Add("height", map.Height).Add("oceanMargin", OceanMargin).Add("background", map.Background).Add("worldSize", worldSize).Add("saveId", map.SaveId);
                m_Inbox.Finish(command, new CommandOutcome(200, json.Close()));
                return null;
            });
        }

        private void RequestRender(Command command)
        {
            double? scale = JsonReader.Number(command.Body, "scale");

            if (scale == null || scale < 0.1 || scale > 2)
                throw RefusalException.Invalid("scale", "must be a number from 0.1 to 2");

            m_Data.MapScale = scale.Value;
            m_Inbox.Finish(command, CommandOutcome.Accepted);
            PrepareMap(true);
        }

        #endregion

        #region Permissions

        private const string EveryonesGroup = "default";

        private bool m_ArePermissionsChanged;
        private bool m_IsPushing; // do not report changes that the site itself makes

        private void NotePermissions()
        {
            if (m_IsRunning && !m_IsPushing)
                m_ArePermissionsChanged = true;
        }

        private void OnPermissionRegistered(string node, Plugin owner)
        {
            NotePermissions();
        }

        private void OnUserPermissionGranted(string id, string node)
        {
            NotePermissions();
        }

        private void OnUserPermissionRevoked(string id, string node)
        {
            NotePermissions();
        }

        private void OnUserGroupAdded(string id, string group)
        {
            // The framework adds each player to this group at each connection, so ignore that change.
            if (group != EveryonesGroup)
                NotePermissions();
        }

        private void OnUserGroupRemoved(string id, string group)
        {
            NotePermissions();
        }

        private void OnGroupPermissionGranted(string group, string node)
        {
            NotePermissions();
        }

        private void OnGroupPermissionRevoked(string group, string node)
        {
            NotePermissions();
        }

        private void OnGroupCreated(string group, string title, int rank)
        {
            NotePermissions();
        }

        private void OnGroupDeleted(string group)
        {
            NotePermissions();
        }

        private void OnGroupParentSet(string group, string parent)
        {
            NotePermissions();
        }

        private void RequestInventory(Command command)
        {
            string id = NewId();
            m_Inbox.Finish(command, new CommandOutcome(200, new Json().Open().Add("inventoryId", id).Close()));
            StartJob(SendInventory(id));
        }

        /// <summary>Sends groups, permissions and users in pages of at most 400 rows and 180 KB.</summary>
        private IEnumerator<bool> SendInventory(string id)
        {
            var pages = new InventoryPages();

            foreach (string group in permission.GetGroups())
            {
                pages.Add(0, WriteGroup(group));
                yield return true;
            }

            foreach (string node in permission.GetPermissions())
                pages.Add(1, new Json().Open().Add("name", Cut(node, 128)).Add("plugin", OwnerOf(node)).Close().ToString());

            yield return true;
            var users = new HashSet<string>();

            foreach (string group in permission.GetGroups())
            {
                // Skip this group: it contains all players who were ever on the server.
                if (group != EveryonesGroup)
                    AddIds(users, permission.GetUsersInGroup(group));

                yield return true;
            }

            foreach (string node in permission.GetPermissions())
            {
                AddIds(users, permission.GetPermissionUsers(node));
                yield return true;
            }

            foreach (string user in users)
            {
                pages.Add(2, WriteUser(user));
                yield return true;
            }

            for (int i = 1; i <= pages.Count; i++)
            {
                Send("perm.inventory", new Json().Open().Add("inventoryId", id).Add("page", i).Add("pages", pages.Count).Members(pages.MembersOf(i)).Close());
                yield return true;
            }
        }

        /// <summary>Adds the Steam ids from the framework's texts, such as 76561198000000001(Anna).</summary>
        private static void AddIds(HashSet<string> to, string[] users)
        {
            foreach (string user in users ?? new string[0])
            {
                string id = user.Length > 17 ? user.Substring(0, 17) : user;

                if (IsAccount(id))
                    to.Add(id);
            }
        }

        private string WriteGroup(string group)
        {
            string parent = permission.GetGroupParent(group);
            var json = new Json().Open().Add("name", Cut(group, 64)).Add("title", Cut(permission.GetGroupTitle(group), 128)).Add("rank", permission.GetGroupRank(group));
            json.Add("parent", String.IsNullOrEmpty(parent) ? null : Cut(parent, 64)).OpenList("permissions");

            foreach (string node in permission.GetGroupPermissions(group, false))
                json.Value(Cut(node, 128));

            return json.CloseList().Close().ToString();
        }

        private string WriteUser(string id)
        {
            var user = permission.GetUserData(id);
            var json = new Json().Open().Add("steamId", id).Add("name", Cut(user.LastSeenNickname, 256)).OpenList("groups");

            foreach (string group in user.Groups)
                json.Value(Cut(group, 64));

            json.CloseList().OpenList("permissions");

            foreach (string node in user.Perms)
                json.Value(Cut(node, 128));

            return json.CloseList().Close().ToString();
        }

        /// <summary>Guesses a permission's plugin by its prefix: the framework does not say who registered it.</summary>
        private string OwnerOf(string node)
        {
            int dot = node.IndexOf('.');
            string name = dot < 0 ? node : node.Substring(0, dot);
            Plugin owner = Array.Find(plugins.GetAll(), plugin => String.Equals(plugin.Name, name, StringComparison.OrdinalIgnoreCase));
            return owner == null ? null : owner.Name;
        }

        private sealed class InventoryPages
        {
            private static readonly string[] Lists = { "groups", "permissions", "users" };

            private sealed class Page
            {
                public readonly List<string>[] Rows = { new List<string>(), new List<string>(), new List<string>() };
                public int Count, Length;
            }

            private readonly List<Page> m_Pages = new List<Page> { new Page() };

            public int Count { get { return m_Pages.Count; } }

            public void Add(int list, string row)
            {
                Page page = m_Pages[m_Pages.Count - 1];

                if (page.Count >= 400 || page.Length + row.Length > 60000)
                    m_Pages.Add(page = new Page());

                page.Rows[list].Add(row);
                page.Count++;
                page.Length += row.Length;
            }

            public string MembersOf(int number)
            {
                var parts = new List<string>();

                for (int i = 0; i < Lists.Length; i++)
                    parts.Add("\"" + Lists[i] + "\":[" + String.Join(",", m_Pages[number - 1].Rows[i].ToArray()) + "]");

                return String.Join(",", parts.ToArray());
            }
        }

        private void PushPermissions(Command command)
        {
            string id = JsonReader.Text(command.Body, "pushId");

            if (String.IsNullOrEmpty(id))
                throw RefusalException.Invalid("pushId", "is missing");

            m_Inbox.Finish(command, CommandOutcome.Accepted);
            StartJob(ApplyPush(id, command.Body));
        }

        private sealed class PushResult
        {
            public int Applied;
            public readonly Json Failed = new Json().OpenList();
            public bool HasFailed;

            public void Fail(string op, string subjectKind, string subject, string kind, string value, string reason)
            {
                HasFailed = true;
                Failed.Open().Add("op", op).Add("subjectKind", subjectKind).Add("subject", subject).Add("kind", kind).Add("value", value).Add("reason", reason).Close();
            }
        }

        private IEnumerator<bool> ApplyPush(string id, Dictionary<string, object> body)
        {
            var result = new PushResult();

            foreach (Dictionary<string, object> group in JsonReader.Objects(body, "groups"))
            {
                Dictionary<string, object> each = group;
                Push(() => ApplyGroup(each, result));
                yield return true;
            }

            foreach (Dictionary<string, object> user in JsonReader.Objects(body, "users"))
            {
                Dictionary<string, object> each = user;
                Push(() => ApplyUser(each, result));
                yield return true;
            }

            foreach (string group in JsonReader.Texts(body, "remove"))
            {
                string each = group;
                Push(() =>
                {
                    if (permission.GroupExists(each) && !permission.RemoveGroup(each))
                        result.Fail("group", "group", each, "group", null, "not-removed");
                    else
                        result.Applied++;
                });
                yield return true;
            }

            var json = new Json().Open().Add("pushId", id).Add("ok", !result.HasFailed).Add("applied", result.Applied);
            Send("perm.sync", json.Raw("failed", result.Failed.CloseList().ToString()).Add("at", NowMs).Close());
        }

        private void Push(Action change)
        {
            m_IsPushing = true;

            try
            {
                change();
            }
            finally
            {
                m_IsPushing = false;
            }
        }

        private void ApplyGroup(Dictionary<string, object> from, PushResult result)
        {
            string name = JsonReader.Text(from, "name");
            string title = JsonReader.Text(from, "title") ?? "";
            string parent = JsonReader.Text(from, "parent") ?? "";
            int rank = (int)(JsonReader.Integer(from, "rank") ?? 0);

            if (String.IsNullOrEmpty(name) || name == "*")
                return;

            if (!permission.GroupExists(name))
                permission.CreateGroup(name, title, rank);

            if (!permission.GroupExists(name))
            {
                result.Fail("group", "group", name, "group", null, "not-created");
                return;
            }

            if (permission.GetGroupTitle(name) != title)
                permission.SetGroupTitle(name, title);

            if (permission.GetGroupRank(name) != rank)
                permission.SetGroupRank(name, rank);

            if ((permission.GetGroupParent(name) ?? "") != parent && !permission.SetGroupParent(name, parent))
                result.Fail("group", "group", name, "group", null, "invalid-parent");

            foreach (string node in JsonReader.Texts(from, "grant"))
            {
                if (!permission.PermissionExists(node, null))
                {
                    result.Fail("grant", "group", name, "permission", node, "unknown-permission");
                    continue;
                }

                permission.GrantGroupPermission(name, node, null);
                result.Applied++;
            }

            foreach (string node in JsonReader.Texts(from, "revoke"))
            {
                permission.RevokeGroupPermission(name, node);
                result.Applied++;
            }
        }

        private void ApplyUser(Dictionary<string, object> from, PushResult result)
        {
            string id = JsonReader.Text(from, "steamId");

            if (!IsAccount(id))
                return;

            // Read the user's data through the framework, which creates the user on Oxide. Carbon returns a shared
            // blank user for an unknown id, so report the change as failed there; the site tries again later.
            bool isKnown = permission.UserExists(id);
#if !CARBON
            isKnown = permission.GetUserData(id) != null;
#endif

            foreach (string node in JsonReader.Texts(from, "grant"))
            {
                if (!permission.PermissionExists(node, null))
                    result.Fail("grant", "user", id, "permission", node, "unknown-permission");
                else if (!isKnown)
                    result.Fail("grant", "user", id, "permission", node, "unknown-user");
                else
                {
                    permission.GrantUserPermission(id, node, null);
                    result.Applied++;
                }
            }

            foreach (string group in JsonReader.Texts(from, "join"))
            {
                if (!permission.GroupExists(group))
                    result.Fail("join", "user", id, "membership", group, "unknown-group");
                else if (!isKnown)
                    result.Fail("join", "user", id, "membership", group, "unknown-user");
                else
                {
                    permission.AddUserGroup(id, group);
                    result.Applied++;
                }
            }

            if (!isKnown)
                return;

            foreach (string node in JsonReader.Texts(from, "revoke"))
            {
                permission.RevokeUserPermission(id, node);
                result.Applied++;
            }

            foreach (string group in JsonReader.Texts(from, "leave"))
            {
                permission.RemoveUserGroup(id, group);
                result.Applied++;
            }
        }

        #endregion

        #region Configuration files of plugins

        private const int MaxConfigBytes = 1024 * 1024;
        private const long LoadTimeoutMs = 45000;
        private static readonly Regex PluginName = new Regex("^[A-Za-z0-9_]{1,100}$");

        private sealed class PendingWrite
        {
            public string Id, Plugin, Path, BeforeHash;
            public byte[] Before;
            public bool CanRollBack;
            public long TimeoutAt;
        }

        private readonly Dictionary<string, PendingWrite> m_PendingWrites = new Dictionary<string, PendingWrite>();

        private string ConfigFileOf(string plugin)
        {
            // A name without dots and slashes cannot leave the folder.
            if (plugin == null || !PluginName.IsMatch(plugin))
                throw RefusalException.NotFound();

            return Path.Combine(Interface.Oxide.ConfigDirectory, plugin + ".json");
        }

        /// <summary>The plugin's own configuration contains the key, so the site neither reads nor writes it.</summary>
        private bool IsProtected(string plugin)
        {
            return String.Equals(plugin, Name, StringComparison.OrdinalIgnoreCase);
        }

        private void ListConfigs(Command command)
        {
            string folder = Interface.Oxide.ConfigDirectory;
            var versions = new Dictionary<string, string>();

            foreach (Plugin plugin in plugins.GetAll())
            {
                if (plugin.IsLoaded)
                    versions[plugin.Name] = VersionOf(plugin);
            }

            m_Background.Run(() =>
            {
                var json = new Json().Open().OpenList("files");

                string[] paths = Directory.GetFiles(folder, "*.json");
                Array.Sort(paths, StringComparer.Ordinal);

                foreach (string path in paths)
                {
                    string plugin = Path.GetFileNameWithoutExtension(path);

                    if (PluginName.IsMatch(plugin))
                        WriteConfigRow(json, path, plugin, versions);
                }

                m_Inbox.Finish(command, new CommandOutcome(200, json.CloseList().Close()));
                return null;
            });
        }

        private void WriteConfigRow(Json json, string path, string plugin, Dictionary<string, string> versions)
        {
            string version;
            bool isLoaded = versions.TryGetValue(plugin, out version);
            string problem = IsProtected(plugin) ? "protected" : null;
            string hash = "";
            var file = new FileInfo(path);

            try
            {
                if (file.Length > MaxConfigBytes)
                    problem = problem ?? "too-large";
                else
                    hash = Hashes.Sha256(File.ReadAllBytes(path));
            }
            catch (Exception)
            {
                problem = problem ?? "unreadable";
            }

            json.Open().Add("plugin", plugin).Add("file", ConfigPath + plugin + ".json").Add("loaded", isLoaded).Add("version", version);
            json.Add("bytes", file.Length).Add("hash", hash.Length == 0 ? Hashes.Sha256(new byte[0]) : hash).Add("modifiedAt", Json.EpochMs(file.LastWriteTimeUtc));
            json.Add("editable", problem == null).Add("problem", problem).Close();
        }

        private void ReadConfig(Command command)
        {
            string plugin = command.Param("plugin");
            string path = ConfigFileOf(plugin);

            if (IsProtected(plugin))
                throw new RefusalException(403, "PROTECTED");

            RunOnFile(command, () =>
            {
                byte[] bytes = ReadConfigBytes(path);
                string text = new UTF8Encoding(false).GetString(bytes);
                m_Inbox.Finish(command, new CommandOutcome(200, new Json().Open().Add("text", text).Add("hash", Hashes.Sha256(bytes)).Close()));
                return null;
            });
        }

        private static byte[] ReadConfigBytes(string path)
        {
            if (!File.Exists(path) || new FileInfo(path).Length > MaxConfigBytes)
                throw RefusalException.NotFound();

            return File.ReadAllBytes(path);
        }

        /// <summary>Runs work on the thread for files; a refusal or a fault there becomes the outcome.</summary>
        private void RunOnFile(Command command, Func<Action> work)
        {
            m_Background.Run(() =>
            {
                try
                {
                    return work();
                }
                catch (RefusalException refusal)
                {
                    m_Inbox.Finish(command, refusal.ToOutcome());
                }
                catch (Exception e)
                {
                    m_Inbox.Finish(command, new RefusalException(503, "SHARD_DOWN", null, e.GetType().Name).ToOutcome());
                }

                return null;
            });
        }

        private void WriteConfig(Command command)
        {
            string plugin = command.Param("plugin");
            string path = ConfigFileOf(plugin);
            string text = JsonReader.Text(command.Body, "text");
            string id = JsonReader.Text(command.Body, "writeId");
            string baseHash = JsonReader.Text(command.Body, "baseHash");
            bool mustReload = JsonReader.Flag(command.Body, "reload") ?? true;

            if (IsProtected(plugin))
                throw new RefusalException(403, "PROTECTED");

            if (text == null || id == null || baseHash == null)
                throw RefusalException.Invalid(text == null ? "text" : id == null ? "writeId" : "baseHash", "is missing");

            if (m_PendingWrites.ContainsKey(plugin))
                throw new RefusalException(409, "CONFLICT", null, "another write to this file is under way");

            var write = new PendingWrite { Id = id, Plugin = plugin, Path = path, CanRollBack = JsonReader.Flag(command.Body, "rollbackOnFailure") ?? false };
            // Do not load a plugin that is not loaded: only write its file.
            mustReload = mustReload && FindHelper(plugin) != null;
            m_LogTail.Clear();
            m_PendingWrites[plugin] = write;
            write.TimeoutAt = ClockMs + LoadTimeoutMs;
            RunOnFile(command, () => StoreConfig(command, write, new UTF8Encoding(false).GetBytes(text), baseHash, mustReload));
        }

        private Action StoreConfig(Command command, PendingWrite write, byte[] bytes, string baseHash, bool mustReload)
        {
            try
            {
                write.Before = ReadConfigBytes(write.Path);
                write.BeforeHash = Hashes.Sha256(write.Before);

                if (write.BeforeHash != baseHash)
                    throw new RefusalException(409, "CONFLICT");

                Files.Write(write.Path, bytes);
            }
            catch (RefusalException refusal)
            {
                m_Inbox.Finish(command, refusal.ToOutcome());
                return () => m_PendingWrites.Remove(write.Plugin);
            }
            catch (Exception e)
            {
                m_Inbox.Finish(command, CommandOutcome.Accepted);
                return () => FinishWrite(write, "write", e.Message, false);
            }

            m_Inbox.Finish(command, CommandOutcome.Accepted);

            if (!mustReload)
                return () => FinishWrite(write, "write", null, false);

            return () =>
            {
                write.TimeoutAt = ClockMs + LoadTimeoutMs;
                Reload(write.Plugin);
            };
        }

        private static void Reload(string plugin)
        {
            ConsoleSystem.Run(ConsoleSystem.Option.Server, ReloadCommand + plugin);
        }

        private void SettlePendingWrite(string plugin, bool isLoaded, string message)
        {
            PendingWrite write;

            if (!m_PendingWrites.TryGetValue(plugin, out write) || write.Before == null)
                return;

            if (isLoaded)
                FinishWrite(write, "load", null, false);
            else if (write.CanRollBack)
                RollBack(write, message);
            else
                FinishWrite(write, "load", message, false);
        }

        private void RollBack(PendingWrite write, string message)
        {
            m_Background.Run(() =>
            {
                string problem = message;

                try
                {
                    Files.Write(write.Path, write.Before);
                }
                catch (Exception e)
                {
                    problem = message + " The previous file could not be restored: " + e.Message;
                    return () => FinishWrite(write, "load", problem, false);
                }

                return () =>
                {
                    FinishWrite(write, "load", problem, true);
                    Reload(write.Plugin);
                };
            });
        }

        private void FinishWrite(PendingWrite write, string phase, string failure, bool isRolledBack)
        {
            m_PendingWrites.Remove(write.Plugin);
            var tail = new Json().OpenList();

            foreach (string line in m_LogTail)
            {
                if (line.IndexOf(write.Plugin, StringComparison.OrdinalIgnoreCase) >= 0)
                    tail.Value(line);
            }

            string lines = tail.CloseList().ToString();
            m_Background.Run(() =>
            {
                string after = File.Exists(write.Path) ? Hashes.Sha256(File.ReadAllBytes(write.Path)) : null;
                var json = new Json().Open().Add("writeId", write.Id).Add("plugin", write.Plugin).Add("ok", failure == null).Add("phase", phase).Add("message", failure);
                json.Add("beforeHash", write.BeforeHash).Add("afterHash", after).Add("rolledBack", isRolledBack).Raw("logTail", lines).Close();
                return () => Send("config.outcome", json);
            });
        }

        private void CheckPendingWrites()
        {
            if (m_PendingWrites.Count == 0)
                return;

            foreach (PendingWrite write in new List<PendingWrite>(m_PendingWrites.Values))
            {
                if (ClockMs < write.TimeoutAt)
                    continue;

                write.TimeoutAt = Int64.MaxValue;
                SettlePendingWrite(write.Plugin, false, "The plugin did not load within 45 seconds.");
            }
        }

        #endregion

        #region Kits

        private sealed class Entitlement
        {
            public long Id, ExpiresAt; // ExpiresAt is 0 if there is no end
            public string SteamId, Kit;
            public int Uses;
        }

        private void EntitleKit(Command command)
        {
            Plugin kits = RequireHelper("Kits");
            long? id = JsonReader.Integer(command.Body, "entitlementId");
            string steamId = JsonReader.Text(command.Body, "steamId");
            string kit = JsonReader.Text(command.Body, "kit");
            long? uses = JsonReader.Integer(command.Body, "uses");

            if (id == null || uses == null || uses < 1 || !IsAccount(steamId) || String.IsNullOrEmpty(kit))
                throw RefusalException.Invalid(id == null ? "entitlementId" : "kit", "is missing");

            if (!(kits.Call("IsKit", kit) is bool known) || !known)
                throw new RefusalException(422, "UNSUPPORTED", "kit", "there is no such kit");

            if (m_Data.GrantedKits.Add(id.Value))
            {
                var made = new Entitlement { Id = id.Value, SteamId = steamId, Kit = kit, Uses = (int)uses.Value, ExpiresAt = JsonReader.Integer(command.Body, "expiresAt") ?? 0 };
                m_Data.Kits[id.Value] = made;
                SaveData();
                TellKits(FindPlayer(steamId));
            }

            m_Inbox.Finish(command, new CommandOutcome(200, new Json().Open().Add("state", "delivered").Close()));
        }

        private void TellKits(BasePlayer player)
        {
            if (player == null || !player.IsConnected)
                return;

            foreach (Entitlement each in m_Data.Kits.Values)
            {
                if (each.SteamId == player.UserIDString)
                    player.ChatMessage("You may take the kit \"" + each.Kit + "\". Type /claim " + each.Kit);
            }
        }

        [ChatCommand("claim")]
        private void RunClaim(BasePlayer player, string command, string[] words)
        {
            Safely("claim", () =>
            {
                Plugin kits = FindHelper("Kits");

                if (!m_IsRunning || !IsPlayer(player) || kits == null)
                    return;

                string kit = words == null ? "" : String.Join(" ", words).Trim();
                Entitlement found = null;

                foreach (Entitlement each in m_Data.Kits.Values)
                {
                    bool isMeant = kit.Length == 0 || String.Equals(each.Kit, kit, StringComparison.OrdinalIgnoreCase);

                    if (each.SteamId == player.UserIDString && isMeant && (found == null || each.Id < found.Id))
                        found = each;
                }

                if (found == null)
                {
                    player.ChatMessage("There is no such kit for you.");
                    return;
                }

                object given = kits.Call("GiveKit", player, found.Kit);

                if (given is bool && (bool)given)
                    NoteTaken(found);
                else
                    player.ChatMessage(given as string ?? "The kit could not be given. Make room in your inventory and try again.");
            });
        }

        private void NoteTaken(Entitlement taken)
        {
            if (--taken.Uses <= 0)
                m_Data.Kits.Remove(taken.Id);

            SaveData();
            SendRedeemed(taken.Id, taken.SteamId, taken.Kit);
        }

        private void SendRedeemed(long? id, string steamId, string kit)
        {
            Send("kit.redeemed", new Json().Open().Add("entitlementId", id).Add("steamId", steamId).Add("kit", Cut(kit, 128)).Add("at", NowMs).Close());
        }

        /// <summary>Hook of the mod Kits, for a kit that a player takes by a command of this mod.</summary>
        private void OnKitRedeemed(BasePlayer player, string kit)
        {
            Safely("kit redeemed", () =>
            {
                if (m_IsRunning && IsPlayer(player) && !String.IsNullOrEmpty(kit))
                    SendRedeemed(null, player.UserIDString, kit);
            });
        }

        private void RemoveExpiredKits()
        {
            long now = NowMs;

            foreach (Entitlement each in new List<Entitlement>(m_Data.Kits.Values))
            {
                if (each.ExpiresAt == 0 || each.ExpiresAt > now)
                    continue;

                m_Data.Kits.Remove(each.Id);
                Send("world.expired", new Json().Open().Add("what", "kit").Add("ref", each.Id.ToString(CultureInfo.InvariantCulture)).Add("reason", "timeout").Add("at", now).Close());
            }
        }

        #endregion

        #region Zones

        private sealed class Zone
        {
            public string LeaseId, ZoneId;
            public long OpenedAt, LeaseUntil;
            public long? RunId;
            public bool HasRuleset;
        }

        private void OpenZone(Command command)
        {
            Plugin manager = RequireHelper("ZoneManager");
            Dictionary<string, object> preset = JsonReader.Object(command.Body, "preset");
            string leaseId = JsonReader.Text(command.Body, "leaseId");
            string zoneId = JsonReader.Text(command.Body, "zoneId");
            long? ttl = JsonReader.Integer(command.Body, "ttlSec");

            if (String.IsNullOrEmpty(leaseId) || String.IsNullOrEmpty(zoneId) || ttl == null || preset == null)
                throw RefusalException.Invalid("leaseId", "is missing");

            Vector3 at = PlaceOf(JsonReader.Object(command.Body, "at"));
            var zone = new Zone { LeaseId = leaseId, ZoneId = zoneId, OpenedAt = NowMs, LeaseUntil = NowMs + ttl.Value * 1000, RunId = JsonReader.Integer(command.Body, "runId") };
            string ruleset = JsonReader.Text(preset, "ruleset");
            Plugin rules = FindHelper("TruePVE");

            // Store the lease first: after a crash in between, the next start closes the zone.
            m_Data.Zones[leaseId] = zone;
            zone.HasRuleset = !String.IsNullOrEmpty(ruleset) && rules != null;
            SaveData();

            object made = manager.Call("CreateOrUpdateZone", zoneId, WriteZone(preset), at);
            bool isOpen = made is bool && (bool)made;

            if (!isOpen)
                EraseZone(zone);
            else if (zone.HasRuleset)
                rules.Call("AddOrUpdateMapping", zoneId, ruleset);

            m_Inbox.Finish(command, new CommandOutcome(200, new Json().Open().Add("opened", isOpen).Close()));
        }

        private static Vector3 PlaceOf(Dictionary<string, object> at)
        {
            string label = JsonReader.Text(at, "monument");

            if (label == null)
                return new Vector3((float)(JsonReader.Number(at, "x") ?? 0), (float)(JsonReader.Number(at, "y") ?? 0), (float)(JsonReader.Number(at, "z") ?? 0));

            foreach (MonumentInfo monument in Monuments)
            {
                if (String.Equals(LabelOf(monument), label, StringComparison.OrdinalIgnoreCase))
                    return monument.transform.position;
            }

            throw RefusalException.NotFound();
        }

        /// <summary>Returns the arguments for ZoneManager: names and values in turn.</summary>
        private static string[] WriteZone(Dictionary<string, object> preset)
        {
            Dictionary<string, object> shape = JsonReader.Object(preset, "shape");
            var words = new List<string> { "name", JsonReader.Text(preset, "name") ?? "" };

            if (JsonReader.Text(shape, "kind") == "box")
            {
                words.Add("size");
                words.Add(Decimal(shape, "x") + " " + Decimal(shape, "y") + " " + Decimal(shape, "z"));
                AddWords(words, "rotation", Decimal(preset, "rotation"), "0");
            }
            else
                AddWords(words, "radius", Decimal(shape, "radius"), null);

            foreach (string amount in new[] { "radiation", "comfort", "temperature" })
                AddWords(words, amount, Decimal(preset, amount), "0");

            if (JsonReader.Flag(preset, "safeZone") == true)
                AddWords(words, "safezone", "true", null);

            AddWords(words, "enter_message", JsonReader.Text(preset, "enterMessage"), null);
            AddWords(words, "leave_message", JsonReader.Text(preset, "leaveMessage"), null);
            AddWords(words, "permission", JsonReader.Text(preset, "permission"), null);
            AddWords(words, "ejectspawns", JsonReader.Text(preset, "ejectSpawns"), null);

            foreach (string flag in JsonReader.Texts(preset, "flags"))
                AddWords(words, flag, "true", null);

            return words.ToArray();
        }

        private static void AddWords(List<string> to, string name, string value, string unless)
        {
            if (String.IsNullOrEmpty(value) || value == unless)
                return;

            to.Add(name);
            to.Add(value);
        }

        private static string Decimal(Dictionary<string, object> from, string name)
        {
            return (JsonReader.Number(from, name) ?? 0).ToString("0.###", CultureInfo.InvariantCulture);
        }

        private Zone ZoneOf(Command command)
        {
            Zone zone;

            if (!m_Data.Zones.TryGetValue(command.Param("leaseId") ?? "", out zone))
                throw RefusalException.NotFound();

            return zone;
        }

        private void RenewZone(Command command)
        {
            Zone zone = ZoneOf(command);
            long? ttl = JsonReader.Integer(command.Body, "ttlSec");

            if (ttl == null)
                throw RefusalException.Invalid("ttlSec", "is missing");

            zone.LeaseUntil = NowMs + ttl.Value * 1000;
            m_Inbox.Finish(command, CommandOutcome.Done);
        }

        private void CloseZone(Command command)
        {
            EraseZone(ZoneOf(command));
            m_Inbox.Finish(command, CommandOutcome.Done);
        }

        private void EraseZone(Zone zone)
        {
            Plugin manager = FindHelper("ZoneManager"), rules = FindHelper("TruePVE");

            if (zone.HasRuleset && rules != null)
                rules.Call("RemoveMapping", zone.ZoneId);

            if (manager != null)
                manager.Call("EraseZone", zone.ZoneId);

            m_Data.Zones.Remove(zone.LeaseId);
            SaveData();
        }

        private void CloseExpiredZones()
        {
            // Keep the lease until the mod is loaded: otherwise the zone would never be closed.
            if (m_Data.Zones.Count == 0 || FindHelper("ZoneManager") == null)
                return;

            long now = NowMs;

            foreach (Zone zone in new List<Zone>(m_Data.Zones.Values))
            {
                if (zone.LeaseUntil > now)
                    continue;

                EraseZone(zone);
                var json = new Json().Open().Add("leaseId", zone.LeaseId).Add("what", "zone").Add("ref", zone.ZoneId).Add("openedAt", zone.OpenedAt);
                Send("lease.expired", json.Add("leaseUntil", zone.LeaseUntil).Add("runId", zone.RunId).Close(), "lease:" + zone.LeaseId);
            }
        }

        private void ExpireAllZones(string reason)
        {
            foreach (Zone zone in new List<Zone>(m_Data.Zones.Values))
            {
                EraseZone(zone);
                Send("world.expired", new Json().Open().Add("what", "zone").Add("ref", zone.LeaseId).Add("reason", reason).Add("at", NowMs).Close());
            }
        }

        #endregion

        #region Participation

        private sealed class Participant
        {
            public string Name;
            public long FirstAt, LastAt;
            public double Score;
        }

        private sealed class Participation
        {
            public long Id, EndsAt;
            public string Method, ZoneId, Profile;
            public readonly Dictionary<string, Participant> Members = new Dictionary<string, Participant>();
        }

        private readonly Dictionary<long, Participation> m_Participations = new Dictionary<long, Participation>();
        private readonly Dictionary<string, HashSet<string>> m_PlayersInZones = new Dictionary<string, HashSet<string>>();

        private void OpenParticipation(Command command)
        {
            long? id = JsonReader.Integer(command.Body, "participationId");
            string method = JsonReader.Text(command.Body, "method");
            long? ttl = JsonReader.Integer(command.Body, "ttlSec");

            if (id == null || method == null || ttl == null)
                throw RefusalException.Invalid("participationId", "is missing");

            // BotReSpawn does not report damage to NPCs, so refuse the method `damage`.
            if (method == "damage" || (method == "zone" && FindHelper("ZoneManager") == null) || (method == "kill" && FindHelper("BotReSpawn") == null))
                throw new RefusalException(422, "UNSUPPORTED", "method", "this server cannot count participants in this way");

            if (!m_Participations.ContainsKey(id.Value))
            {
                m_Participations[id.Value] = new Participation
                {
                    Id = id.Value,
                    Method = method,
                    ZoneId = JsonReader.Text(command.Body, "zoneId"),
                    Profile = JsonReader.Text(command.Body, "profile"),
                    EndsAt = NowMs + ttl.Value * 1000
                };
            }

            m_Inbox.Finish(command, CommandOutcome.Done);
        }

        private void CollectParticipation(Command command)
        {
            long id;
            Participation found;

            if (!Int64.TryParse(command.Param("id"), NumberStyles.None, CultureInfo.InvariantCulture, out id) || !m_Participations.TryGetValue(id, out found))
                throw RefusalException.NotFound();

            found.EndsAt = Math.Min(found.EndsAt, NowMs);
            var json = new Json().Open().OpenList("members");

            foreach (KeyValuePair<string, Participant> each in found.Members)
                json.Open().Add("steamId", each.Key).Add("name", each.Value.Name).Add("firstAt", each.Value.FirstAt).Add("lastAt", each.Value.LastAt).Add("score", Math.Round(each.Value.Score, 1)).Close();

            m_Inbox.Finish(command, new CommandOutcome(200, json.CloseList().Close()));
        }

        private void CountParticipants(string profile, BasePlayer player, string method, double score)
        {
            if (!IsPlayer(player) || m_Participations.Count == 0)
                return;

            foreach (Participation each in m_Participations.Values)
            {
                if (each.Method == method && (method != "kill" || each.Profile == profile))
                    CountParticipant(each, player.UserIDString, NameOf(player), score);
            }
        }

        private void CountParticipant(Participation participation, string id, string name, double score)
        {
            long now = NowMs;

            if (now >= participation.EndsAt || (participation.Members.Count >= 10000 && !participation.Members.ContainsKey(id)))
                return;

            Participant member;

            if (!participation.Members.TryGetValue(id, out member))
            {
                participation.Members[id] = member = new Participant { Name = name, FirstAt = now };
                Send("participation.joined", new Json().Open().Add("participationId", participation.Id).Add("steamId", id).Add("name", name).Add("at", now).Close());
            }

            member.LastAt = now;
            member.Score += score;
        }

        [ChatCommand("join")]
        private void RunJoin(BasePlayer player, string command, string[] words)
        {
            if (m_IsRunning)
                Safely("join", () => CountParticipants(null, player, "command", 1));
        }

        private void OnEnterZone(string zoneId, BasePlayer player)
        {
            if (!m_IsRunning || !IsPlayer(player) || zoneId == null)
                return;

            HashSet<string> inside;

            if (!m_PlayersInZones.TryGetValue(zoneId, out inside))
                m_PlayersInZones[zoneId] = inside = new HashSet<string>();

            inside.Add(player.UserIDString);
        }

        private void OnExitZone(string zoneId, BasePlayer player)
        {
            HashSet<string> inside;

            if (player != null && zoneId != null && m_PlayersInZones.TryGetValue(zoneId, out inside) && inside.Remove(player.UserIDString) && inside.Count == 0)
                m_PlayersInZones.Remove(zoneId);
        }

        /// <summary>Adds a second of participation for each player in the zone of an event.</summary>
        private void CountZoneTime()
        {
            foreach (Participation each in m_Participations.Values)
            {
                HashSet<string> inside;

                if (each.Method != "zone" || each.ZoneId == null || !m_PlayersInZones.TryGetValue(each.ZoneId, out inside))
                    continue;

                foreach (string id in inside)
                {
                    Session session;

                    if (m_Sessions.TryGetValue(id, out session))
                        CountParticipant(each, id, session.Name, 1);
                }
            }
        }

        #endregion

        #region Announcements, style and titles

        private void Announce(Command command)
        {
            string message = JsonReader.Text(command.Body, "message");

            if (String.IsNullOrEmpty(message))
                throw RefusalException.Invalid("message", "is missing");

            Dictionary<string, object> style = JsonReader.Object(command.Body, "voice") ?? m_Data.Style;
            string icon = JsonReader.Text(style, "iconSteamId") ?? "0";
            string text = Compose(style, message);
            int delivered = 0;

            foreach (BasePlayer player in BasePlayer.activePlayerList)
            {
                if (player == null || !player.IsConnected)
                    continue;

                player.SendConsoleCommand("chat.add", 2, icon, text);
                delivered++;
            }

            Puts(OneLine(message));
            m_Inbox.Finish(command, new CommandOutcome(200, new Json().Open().Add("delivered", delivered).Close()));
        }

        private static string OneLine(string text)
        {
            return Regex.Replace(text, @"[\u0000-\u001f\u007f-\u009f\u2028\u2029]+", " ");
        }

        /// <summary>Replaces the characters that begin markup, so that a message cannot change its style.</summary>
        private static string Escape(string text)
        {
            return OneLine(text ?? "").Replace('<', '\u2039').Replace('>', '\u203a');
        }

        private static string Compose(Dictionary<string, object> style, string message)
        {
            if (style == null)
                return Escape(message);

            Dictionary<string, object> title = JsonReader.Object(style, "title");
            string template = JsonReader.Text(JsonReader.Object(style, "format"), "chat") ?? "{Title}: {Message}";
            bool isHidden = JsonReader.Flag(title, "hidden") ?? false;
            DateTime now = DateTime.UtcNow;
            var values = new Dictionary<string, string>
            {
                { "{Title}", isHidden ? "" : Decorate(JsonReader.Text(title, "text"), title) },
                { "{Username}", Decorate(JsonReader.Text(style, "name"), JsonReader.Object(style, "username")) },
                { "{Message}", Decorate(message, JsonReader.Object(style, "message")) },
                { "{ID}", JsonReader.Text(style, "iconSteamId") ?? "" },
                { "{Time}", now.ToString("HH:mm", CultureInfo.InvariantCulture) },
                { "{Date}", now.ToString("yyyy-MM-dd", CultureInfo.InvariantCulture) }
            };

            // Replace all names in one pass: the message may contain the text of a name.
            string text = Regex.Replace(template, @"\{(?:Title|Username|Message|ID|Time|Date)\}", match => values[match.Value]);
            string prefix = JsonReader.Text(style, "prefix");
            return String.IsNullOrEmpty(prefix) ? text : Escape(prefix) + " " + text;
        }

        private static string Decorate(string text, Dictionary<string, object> style)
        {
            string result = Escape(text);
            string color = JsonReader.Text(style, "color");
            long? size = JsonReader.Integer(style, "size");

            if (color != null && Regex.IsMatch(color, "^#[0-9a-fA-F]{6}$"))
                result = "<color=" + color + ">" + result + "</color>";

            return size == null ? result : "<size=" + size.Value.ToString(CultureInfo.InvariantCulture) + ">" + result + "</size>";
        }

        private void SetStyle(Command command)
        {
            m_Data.Style = command.Body;
            SaveData();
            m_Inbox.Finish(command, CommandOutcome.Done);
        }

        private readonly Dictionary<string, string> m_Titles = new Dictionary<string, string>();
        private Plugin m_TitledChat; // the instance of BetterChat to which the titles were added

        private void SetTitles(Command command)
        {
            RequireHelper("BetterChat");
            m_Titles.Clear();

            foreach (Dictionary<string, object> holder in JsonReader.Objects(command.Body, "holders"))
            {
                string id = JsonReader.Text(holder, "steamId");
                var parts = new List<string>();

                foreach (Dictionary<string, object> title in JsonReader.Objects(holder, "titles"))
                {
                    string color = JsonReader.Text(title, "color");
                    string text = "[" + Escape(JsonReader.Text(title, "text")).Replace('[', '(').Replace(']', ')') + "]";
                    parts.Add(color != null && Regex.IsMatch(color, "^#[0-9a-fA-F]{6}$") ? "[" + color + "]" + text + "[/#]" : text);
                }

                if (IsAccount(id) && parts.Count > 0)
                    m_Titles[id] = String.Join(" ", parts.ToArray());
            }

            RegisterTitles();
            m_Inbox.Finish(command, CommandOutcome.Done);
        }

        private void RegisterTitles()
        {
            Plugin chat = FindHelper("BetterChat");

            if (chat == null || chat == m_TitledChat)
                return;

            m_TitledChat = chat;
            chat.Call("API_RegisterThirdPartyTitle", this, new Func<IPlayer, string>(TitleOf));
        }

        private string TitleOf(IPlayer player)
        {
            string title;
            return player != null && m_Titles.TryGetValue(player.Id, out title) ? title : "";
        }

        #endregion

        #region Links of accounts

        private const string CodeLetters = "23456789ABCDEFGHJKMNPQRSTUVWXYZ";
        private const long CodeLifetimeMs = 5 * 60 * 1000;

        private sealed class LinkCode
        {
            public string SteamId, Name;
            public long ExpiresAt;
        }

        private readonly Dictionary<string, LinkCode> m_Codes = new Dictionary<string, LinkCode>();

        [ChatCommand("link")]
        private void RunLink(BasePlayer player, string command, string[] words)
        {
            Safely("link", () =>
            {
                if (!m_IsRunning || !IsPlayer(player))
                    return;

                if (!m_Link.IsLinked)
                {
                    player.ChatMessage("The site cannot be reached now. Try again later.");
                    return;
                }

                RemoveCodes(player.UserIDString);
                long now = NowMs;
                string code = MakeCode(), salt = MakeSalt();
                m_Codes[code] = new LinkCode { SteamId = player.UserIDString, Name = NameOf(player), ExpiresAt = now + CodeLifetimeMs };
                string hash = Hashes.Sha256(Encoding.UTF8.GetBytes(salt + ":" + code));
                Send("link.minted", new Json().Open().Add("at", now).Add("expiresAt", now + CodeLifetimeMs).Add("salt", salt).Add("hash", hash).Close());
                player.ChatMessage("Your code: " + code + ". Type it on " + m_Link.Host + " within 5 minutes. It works once. Show it to nobody.");
            });
        }

        /// <summary>Removes the codes of a player, and all that have expired.</summary>
        private void RemoveCodes(string steamId)
        {
            foreach (KeyValuePair<string, LinkCode> each in new List<KeyValuePair<string, LinkCode>>(m_Codes))
            {
                if (each.Value.SteamId == steamId || each.Value.ExpiresAt <= NowMs)
                    m_Codes.Remove(each.Key);
            }
        }

        private static string MakeCode()
        {
            var code = new StringBuilder();

            using (var random = RandomNumberGenerator.Create())
            {
                var one = new byte[1];

                while (code.Length < 8)
                {
                    random.GetBytes(one);

                    // Ignore bytes at or above the largest multiple of the number of letters, so that
                    // all letters are equally likely.
                    if (one[0] < 256 - 256 % CodeLetters.Length)
                        code.Append(CodeLetters[one[0] % CodeLetters.Length]);
                }
            }

            return code.ToString();
        }

        private static string MakeSalt()
        {
            var bytes = new byte[24];

            using (var random = RandomNumberGenerator.Create())
                random.GetBytes(bytes);

            return Convert.ToBase64String(bytes).Replace('+', '-').Replace('/', '_');
        }

        private void RedeemCode(Command command)
        {
            string code = Regex.Replace(JsonReader.Text(command.Body, "code") ?? "", "[^A-Za-z0-9]", "").ToUpperInvariant();
            LinkCode found;

            if (!m_Codes.TryGetValue(code, out found) || found.ExpiresAt <= NowMs)
                throw RefusalException.NotFound();

            m_Codes.Remove(code);
            m_Inbox.Finish(command, new CommandOutcome(200, new Json().Open().Add("steamId", found.SteamId).Add("name", found.Name).Close()));
        }

        #endregion

        #region Moderation

        private static string SteamIdOf(Command command)
        {
            string id = JsonReader.Text(command.Body, "steamId");

            if (!IsAccount(id))
                throw RefusalException.Invalid("steamId", "must be a Steam id");

            return id;
        }

        private static string ReasonOf(Command command)
        {
            return Cut(OneLine(JsonReader.Text(command.Body, "reason") ?? ""), 200);
        }

        private static BasePlayer FindPlayer(string steamId)
        {
            foreach (BasePlayer player in BasePlayer.activePlayerList)
            {
                if (player != null && player.UserIDString == steamId)
                    return player;
            }

            return null;
        }

        private static ulong ToNumber(string steamId)
        {
            return UInt64.Parse(steamId, NumberStyles.None, CultureInfo.InvariantCulture);
        }

        private void Kick(Command command)
        {
            BasePlayer player = FindPlayer(SteamIdOf(command));

            if (player == null)
                throw RefusalException.NotFound();

            player.Kick(ReasonOf(command));
            m_Inbox.Finish(command, CommandOutcome.Done);
        }

        private void Ban(Command command)
        {
            string id = SteamIdOf(command);
            string reason = ReasonOf(command);
            object duration = JsonReader.Member(command.Body, "durationSec");
            long? seconds = JsonReader.Integer(command.Body, "durationSec");

            if (duration != null && (seconds == null || seconds < 1))
                throw RefusalException.Invalid("durationSec", "must be a positive number or null");

            if (IsBanned(id))
                throw new RefusalException(409, "TAKEN", "steamId", "is already banned");

            BasePlayer player = FindPlayer(id);
            string name = player == null ? permission.UserExists(id) ? permission.GetUserData(id).LastSeenNickname : "" : NameOf(player);
            long expiry = seconds == null ? -1 : NowMs / 1000 + seconds.Value;
            ServerUsers.Set(ToNumber(id), ServerUsers.UserGroup.Banned, OneLine(name ?? ""), reason, expiry);
            ServerUsers.Save();

            if (player != null)
                player.Kick(reason);

            // Only the player's account is banned, and not the account from which the player borrows the game.
            m_Inbox.Finish(command, new CommandOutcome(200, new Json().Open().AddNull("ownerSteamId").Close()));
        }

        /// <summary>Returns bans that have not expired: the game removes others only at the player's next visit.</summary>
        private static List<ServerUsers.User> ReadBans()
        {
            long now = NowMs / 1000;
            var bans = new List<ServerUsers.User>();

            foreach (ServerUsers.User user in ServerUsers.GetAll(ServerUsers.UserGroup.Banned))
            {
                if (user.expiry <= 0 || user.expiry > now)
                    bans.Add(user);
            }

            return bans;
        }

        private static bool IsBanned(string id)
        {
            ulong number = ToNumber(id);
            return ReadBans().Exists(user => user.steamid == number);
        }

        private void Unban(Command command)
        {
            string id = SteamIdOf(command);

            if (!IsBanned(id))
                throw RefusalException.NotFound();

            ServerUsers.Remove(ToNumber(id));
            ServerUsers.Save();
            m_Inbox.Finish(command, CommandOutcome.Done);
        }

        private void ListBans(Command command)
        {
            var json = new Json().Open().OpenList("bans");

            foreach (ServerUsers.User user in ReadBans())
            {
                string id = user.steamid.ToString(CultureInfo.InvariantCulture);

                if (!IsAccount(id))
                    continue;

                json.Open().Add("steamId", id).Add("name", Cut(user.username ?? "", 256)).Add("reason", Cut(user.notes ?? "", 1000));
                json.Add("expiresAt", user.expiry <= 0 ? (long?)null : user.expiry * 1000).Close();
            }

            m_Inbox.Finish(command, new CommandOutcome(200, json.CloseList().Close()));
        }

        #endregion

        #region Clans

        private bool m_AreClansChanged;

        private sealed class ClanMark
        {
            public long Id, Created;
        }

        /// <summary>
        /// The mod Clans identifies a clan only by its tag. The site needs an id and a creation time, so the plugin
        /// makes them when it first sees the tag, and keeps them until the clan is deleted.
        /// </summary>
        private ClanMark MarkOf(string tag)
        {
            ClanMark mark;

            if (!m_Data.Clans.TryGetValue(tag, out mark))
            {
                m_Data.Clans[tag] = mark = new ClanMark { Id = ++m_Data.LastClanId, Created = NowMs };
                SaveData();
            }

            return mark;
        }

        private sealed class Clan
        {
            public string Tag, Owner, Description;
            public readonly List<string> Members = new List<string>();
            public readonly HashSet<string> Moderators = new HashSet<string>();
        }

        private Clan ReadClan(string tag)
        {
            Plugin clans = FindHelper("Clans");
            object answer = clans == null ? null : clans.Call("GetClan", tag);
            Dictionary<string, object> from = answer == null ? null : JsonReader.ParseObject(answer.ToString());

            if (from == null)
                return null;

            var clan = new Clan { Tag = tag, Owner = JsonReader.Text(from, "owner"), Description = JsonReader.Text(from, "description") };
            clan.Members.AddRange(JsonReader.Texts(from, "members"));
            clan.Moderators.UnionWith(JsonReader.Texts(from, "moderators"));
            return clan;
        }

        private void SendClans()
        {
            Plugin plugin = FindHelper("Clans");
            object answer = plugin == null ? null : plugin.Call("GetAllClans");
            Dictionary<string, object> list = answer == null ? null : JsonReader.ParseObject("{\"tags\":" + answer + "}");

            if (list == null)
                return;

            var clans = new List<Clan>();

            foreach (string tag in JsonReader.Texts(list, "tags"))
            {
                Clan clan = ReadClan(tag);

                if (clan != null)
                    clans.Add(clan);
            }

            clans.Sort((one, other) => one.Members.Count != other.Members.Count ? other.Members.Count.CompareTo(one.Members.Count) : String.CompareOrdinal(one.Tag, other.Tag));
            var board = new Json().Open().Add("at", NowMs).OpenList("clans");

            for (int i = 0; i < clans.Count && i < 100; i++)
            {
                WriteClan(board.Open(), clans[i].Tag);
                board.Add("score", "0").AddNull("color").Add("members", clans[i].Members.Count).Close();
            }

            Send("clan.board", board.CloseList().Add("limit", 100).Close());

            foreach (Clan clan in clans)
                SendRoster(clan);
        }

        private void WriteClan(Json json, string tag)
        {
            ClanMark mark = MarkOf(tag);
            json.Add("clanId", mark.Id.ToString(CultureInfo.InvariantCulture)).Add("created", mark.Created.ToString(CultureInfo.InvariantCulture)).Add("name", Cut(tag, 256));
        }

        private void SendRoster(Clan clan)
        {
            ClanMark mark = MarkOf(clan.Tag);
            var json = new Json().Open().Add("clanId", mark.Id.ToString(CultureInfo.InvariantCulture)).Add("created", mark.Created.ToString(CultureInfo.InvariantCulture)).Add("motd", Cut(clan.Description, 2000));
            json.OpenList("roles").Open().Add("roleId", 1).Add("rank", 1).Add("name", "Owner").Close().Open().Add("roleId", 2).Add("rank", 2).Add("name", "Moderator").Close();
            json.Open().Add("roleId", 3).Add("rank", 3).Add("name", "Member").Close().CloseList().OpenList("members");

            foreach (string id in clan.Members)
            {
                if (!IsAccount(id))
                    continue;

                int role = id == clan.Owner ? 1 : clan.Moderators.Contains(id) ? 2 : 3;
                string name = permission.UserExists(id) ? permission.GetUserData(id).LastSeenNickname : "";
                json.Open().Add("steamId", id).Add("name", Cut(name ?? "", 256)).Add("roleId", role).AddNull("joinedAt").AddNull("lastSeenAt").Add("online", m_Sessions.ContainsKey(id)).Close();
            }

            Send("clan.roster", json.CloseList().Close());
        }

        private void OnClanCreate(string tag)
        {
            NoteClan(tag, "clan.created");
        }

        private void OnClanUpdate(string tag)
        {
            m_AreClansChanged |= m_IsRunning;
        }

        private void OnClanDestroy(string tag)
        {
            NoteClan(tag, "clan.disbanded");
        }

        private void NoteClan(string tag, string kind)
        {
            Safely(kind, () =>
            {
                if (!m_IsRunning || String.IsNullOrEmpty(tag))
                    return;

                var json = new Json().Open();
                WriteClan(json, tag);
                Send(kind, json.AddNull("actor").AddNull("member").AddNull("field").Close());
                m_AreClansChanged = true;

                if (kind == "clan.disbanded")
                    m_Data.Clans.Remove(tag);
            });
        }

        #endregion

        #region Commands of the site

        private readonly Dictionary<string, Action<Command>> m_Handlers = new Dictionary<string, Action<Command>>();

        private void FillHandlers()
        {
            m_Handlers["GET /v1/hello"] = AnswerHello;
            m_Handlers["POST /v1/resync"] = Resync;
            m_Handlers["POST /v1/announce"] = Announce;
            m_Handlers["POST /v1/link/redeem"] = RedeemCode;
            m_Handlers["POST /v1/map/fetch"] = FetchMap;
            m_Handlers["POST /v1/map/render"] = RequestRender;
            m_Handlers["GET /v1/perm/inventory"] = RequestInventory;
            m_Handlers["POST /v1/perm/push"] = PushPermissions;
            m_Handlers["POST /v1/zones"] = OpenZone;
            m_Handlers["POST /v1/zones/:leaseId/renew"] = RenewZone;
            m_Handlers["DELETE /v1/zones/:leaseId"] = CloseZone;
            m_Handlers["POST /v1/participation/open"] = OpenParticipation;
            m_Handlers["POST /v1/participation/:id/collect"] = CollectParticipation;
            m_Handlers["POST /v1/kits/entitle"] = EntitleKit;
            m_Handlers["PUT /v1/titles"] = SetTitles;
            m_Handlers["PUT /v1/voice"] = SetStyle;
            m_Handlers["GET /v1/config"] = ListConfigs;
            m_Handlers["GET /v1/config/:plugin"] = ReadConfig;
            m_Handlers["PUT /v1/config/:plugin"] = WriteConfig;
            m_Handlers["GET /v1/integrations"] = ListIntegrations;
            m_Handlers["POST /v1/players/kick"] = Kick;
            m_Handlers["POST /v1/players/ban"] = Ban;
            m_Handlers["POST /v1/players/unban"] = Unban;
            m_Handlers["GET /v1/players/bans"] = ListBans;
        }

        private static readonly HashSet<string> CallsWithoutEffect = new HashSet<string> { "POST /v1/resync", "POST /v1/map/fetch", "POST /v1/link/redeem" };

        private void RunCommand(Command command)
        {
            Action<Command> handler;

            try
            {
                if (!m_Handlers.TryGetValue(command.Call, out handler))
                    throw new RefusalException(422, "UNSUPPORTED");

                if (!m_AllowsWrites && !command.Call.StartsWith("GET ", StringComparison.Ordinal) && !CallsWithoutEffect.Contains(command.Call))
                    throw new RefusalException(403, "WRITES_DISABLED");

                // The site has already answered its caller, so do not execute an expired command.
                if (DateTime.UtcNow > command.ExpiresAt)
                    throw new RefusalException(503, "SHARD_DOWN");

                handler(command);
            }
            catch (RefusalException refusal)
            {
                m_Inbox.Finish(command, refusal.ToOutcome());
            }
            catch (Exception e)
            {
                ReportFault(command.Call, e);
                m_Inbox.Finish(command, new CommandOutcome(500, new Json().Open().Add("code", "INTERNAL").Close()));
            }
        }

        private Plugin RequireHelper(string name)
        {
            Plugin found = FindHelper(name);

            if (found == null)
                throw new RefusalException(422, "UNSUPPORTED", null, "the server does not have the mod " + name);

            return found;
        }

        private void AnswerHello(Command command)
        {
            m_Inbox.Finish(command, new CommandOutcome(200, DescribeServer()));
        }

        private void Resync(Command command)
        {
            m_Inbox.Finish(command, CommandOutcome.Accepted);
            SendFamilies(JsonReader.Texts(command.Body, "families"));
        }

        private void ListIntegrations(Command command)
        {
            var json = new Json().Open();
            WriteFramework(json);
            json.OpenList("integrations");

            foreach (Helper helper in Helpers)
            {
                Plugin found = FindHelper(helper.Plugin);
                json.Open().Add("id", helper.Id).Add("mod", helper.Plugin).Add("loaded", found != null).Add("version", VersionOf(found)).Close();
            }

            m_Inbox.Finish(command, new CommandOutcome(200, json.CloseList().Close()));
        }

        #endregion

        #region Files of the plugin

        private readonly StoredData m_Data = new StoredData();

        /// <summary>State that survives a restart of the game, in a JSON file in the folder for plugins' data.</summary>
        private sealed class StoredData
        {
            public long SaveId, LastClanId;
            public int SaveProtocol;
            public double MapScale = 0.5;
            public Dictionary<string, object> Style; // as the site sent it
            public readonly Dictionary<string, Zone> Zones = new Dictionary<string, Zone>();
            public readonly Dictionary<long, Entitlement> Kits = new Dictionary<long, Entitlement>();
            public readonly HashSet<long> GrantedKits = new HashSet<long>();
            public readonly Dictionary<string, ClanMark> Clans = new Dictionary<string, ClanMark>();
        }

        private static string PathOf(string file)
        {
            return Path.Combine(Path.Combine(Interface.Oxide.DataDirectory, "Guildhall"), file);
        }

        private static Dictionary<string, object> ReadFile(string file)
        {
            string path = PathOf(file);
            return File.Exists(path) ? JsonReader.ParseObject(File.ReadAllText(path)) : null;
        }

        private void ReadData()
        {
            Dictionary<string, object> from = ReadFile("data.json");
            m_Data.SaveId = JsonReader.Integer(from, "saveId") ?? 0;
            m_Data.SaveProtocol = (int)(JsonReader.Integer(from, "saveProtocol") ?? 0);
            m_Data.LastClanId = JsonReader.Integer(from, "lastClanId") ?? 0;
            m_Data.MapScale = JsonReader.Number(from, "mapScale") ?? 0.5;
            m_Data.Style = JsonReader.Object(from, "style");

            foreach (Dictionary<string, object> zone in JsonReader.Objects(from, "zones"))
                m_Data.Zones[JsonReader.Text(zone, "leaseId")] = new Zone { LeaseId = JsonReader.Text(zone, "leaseId"), ZoneId = JsonReader.Text(zone, "zoneId"), OpenedAt = JsonReader.Integer(zone, "openedAt") ?? 0, LeaseUntil = JsonReader.Integer(zone, "leaseUntil") ?? 0, RunId = JsonReader.Integer(zone, "runId"), HasRuleset = JsonReader.Flag(zone, "ruleset") ?? false };

            foreach (Dictionary<string, object> kit in JsonReader.Objects(from, "kits"))
                m_Data.Kits[JsonReader.Integer(kit, "id") ?? 0] = new Entitlement { Id = JsonReader.Integer(kit, "id") ?? 0, SteamId = JsonReader.Text(kit, "steamId"), Kit = JsonReader.Text(kit, "kit"), Uses = (int)(JsonReader.Integer(kit, "uses") ?? 1), ExpiresAt = JsonReader.Integer(kit, "expiresAt") ?? 0 };

            foreach (Dictionary<string, object> granted in JsonReader.Objects(from, "granted"))
                m_Data.GrantedKits.Add(JsonReader.Integer(granted, "id") ?? 0);

            foreach (Dictionary<string, object> clan in JsonReader.Objects(from, "clans"))
                m_Data.Clans[JsonReader.Text(clan, "tag") ?? ""] = new ClanMark { Id = JsonReader.Integer(clan, "id") ?? 0, Created = JsonReader.Integer(clan, "created") ?? 0 };

            ReadTallies();
        }

        private void ReadTallies()
        {
            Dictionary<string, object> from = ReadFile("tallies.json");

            // Drop the statistics of an earlier world.
            if (JsonReader.Integer(from, "saveId") != m_SaveId)
                return;

            foreach (Dictionary<string, object> each in JsonReader.Objects(from, "tallies"))
            {
                Tally tally = TallyOf(JsonReader.Text(each, "steamId") ?? "");
                tally.Name = JsonReader.Text(each, "name") ?? "";
                tally.IsStaff = JsonReader.Flag(each, "staff") ?? false;
                tally.PlaytimeMs = (JsonReader.Integer(each, "playtimeSec") ?? 0) * 1000;

                foreach (KeyValuePair<string, object> stat in JsonReader.Object(each, "stats") ?? new Dictionary<string, object>())
                    tally.Stats[stat.Key] = stat.Value is long ? (long)stat.Value : 0;
            }
        }

        private void SaveData()
        {
            var json = new Json().Open().Add("saveId", m_Data.SaveId).Add("saveProtocol", m_Data.SaveProtocol).Add("lastClanId", m_Data.LastClanId).Add("mapScale", m_Data.MapScale);

            if (m_Data.Style != null)
                json.Raw("style", JsonReader.ToCanonical(m_Data.Style));

            json.OpenList("zones");

            foreach (Zone zone in m_Data.Zones.Values)
                json.Open().Add("leaseId", zone.LeaseId).Add("zoneId", zone.ZoneId).Add("openedAt", zone.OpenedAt).Add("leaseUntil", zone.LeaseUntil).Add("runId", zone.RunId).Add("ruleset", zone.HasRuleset).Close();

            json.CloseList().OpenList("kits");

            foreach (Entitlement kit in m_Data.Kits.Values)
                json.Open().Add("id", kit.Id).Add("steamId", kit.SteamId).Add("kit", kit.Kit).Add("uses", kit.Uses).Add("expiresAt", kit.ExpiresAt).Close();

            json.CloseList().OpenList("granted");

            foreach (long id in m_Data.GrantedKits)
                json.Open().Add("id", id).Close();

            json.CloseList().OpenList("clans");

            foreach (KeyValuePair<string, ClanMark> clan in m_Data.Clans)
                json.Open().Add("tag", clan.Key).Add("id", clan.Value.Id).Add("created", clan.Value.Created).Close();

            string data = json.CloseList().Close().ToString();
            var tallies = new Json().Open().Add("saveId", m_SaveId).OpenList("tallies");

            foreach (KeyValuePair<string, Tally> each in m_Tallies)
                WriteTally(tallies, each.Key, each.Value);

            string statistics = tallies.CloseList().Close().ToString();
            m_Background.Run(() =>
            {
                Files.Write(PathOf("data.json"), Encoding.UTF8.GetBytes(data));
                Files.Write(PathOf("tallies.json"), Encoding.UTF8.GetBytes(statistics));
                return null;
            });
        }

        private static string Cut(string text, int length)
        {
            if (text == null || text.Length <= length)
                return text;

            // Do not cut between the two halves of a surrogate pair.
            return text.Substring(0, Char.IsHighSurrogate(text[length - 1]) ? length - 1 : length);
        }

        private static class Files
        {
            /// <summary>Replaces a file atomically: after a crash, it is either the old or the new one.</summary>
            public static void Write(string path, byte[] bytes)
            {
                Directory.CreateDirectory(Path.GetDirectoryName(path));
                string temporary = path + ".new";
                File.WriteAllBytes(temporary, bytes);

                if (File.Exists(path))
                    File.Replace(temporary, path, null);
                else
                    File.Move(temporary, path);
            }
        }

        private static class Hashes
        {
            public static string Sha256(byte[] bytes)
            {
                using (SHA256 hash = SHA256.Create())
                {
                    var text = new StringBuilder(64);

                    foreach (byte one in hash.ComputeHash(bytes))
                        text.Append(one.ToString("x2", CultureInfo.InvariantCulture));

                    return text.ToString();
                }
            }
        }

        #endregion

        #region Threads and queues

        /// <summary>A monotonic clock: changes of the host's clock do not affect it.</summary>
        private static class Clock
        {
            public static double Ms { get { return Stopwatch.GetTimestamp() * 1000.0 / Stopwatch.Frequency; } }
        }

        /// <summary>Lines for the console, which only the game's main thread prints.</summary>
        private sealed class Journal
        {
            private readonly Queue<string> m_Lines = new Queue<string>();

            public void Add(string line)
            {
                lock (m_Lines)
                {
                    if (m_Lines.Count < 100)
                        m_Lines.Enqueue(line);
                }
            }

            public string Take()
            {
                lock (m_Lines)
                    return m_Lines.Count == 0 ? null : m_Lines.Dequeue();
            }
        }

        /// <summary>
        /// Runs file operations in order on its own thread. Each may return a step for the game's main thread.
        /// </summary>
        private sealed class BackgroundQueue
        {
            private readonly Queue<Func<Action>> m_Work = new Queue<Func<Action>>();
            private readonly Queue<Action> m_ForGame = new Queue<Action>();
            private readonly Action<string> m_Print;
            private Thread m_Thread;
            private bool m_IsStopped;

            public BackgroundQueue(Action<string> print)
            {
                m_Print = print;
            }

            public void Run(Func<Action> work)
            {
                lock (m_Work)
                {
                    m_Work.Enqueue(work);
                    Monitor.PulseAll(m_Work);

                    if (m_Thread != null)
                        return;

                    m_Thread = new Thread(RunForever) { IsBackground = true, Name = "Guildhall files" };
                    m_Thread.Start();
                }
            }

            /// <summary>Ends the thread after all queued work, because the next load of the plugin reads the files.</summary>
            public void Stop()
            {
                Thread thread;

                lock (m_Work)
                {
                    m_IsStopped = true;
                    thread = m_Thread;
                    Monitor.PulseAll(m_Work);
                }

                if (thread != null)
                    thread.Join(2000);
            }

            public Action TakeForGame()
            {
                lock (m_ForGame)
                    return m_ForGame.Count == 0 ? null : m_ForGame.Dequeue();
            }

            private void RunForever()
            {
                for (; ; )
                {
                    Func<Action> work;

                    lock (m_Work)
                    {
                        while (m_Work.Count == 0 && !m_IsStopped)
                            Monitor.Wait(m_Work);

                        if (m_Work.Count == 0)
                            return;

                        work = m_Work.Dequeue();
                    }

                    try
                    {
                        Action step = work();

                        if (step == null)
                            continue;

                        lock (m_ForGame)
                            m_ForGame.Enqueue(step);
                    }
                    catch (Exception e)
                    {
                        m_Print("An error in the work with files: " + e.Message);
                    }
                }
            }
        }

        #endregion

        #region Commands and outcomes

        /// <summary>A command of the site. It is immutable, so any thread may read it.</summary>
        private sealed class Command
        {
            public readonly string Id;
            public readonly string Call; // method and path template, such as POST /v1/announce
            public readonly string Key; // idempotency key; null for reads
            public readonly Dictionary<string, object> Params, Query, Body;
            public readonly Uri Site; // the site that sent it; another site does not know the id
            public readonly DateTime ExpiresAt;

            public Command(Dictionary<string, object> from, Uri site)
            {
                Id = JsonReader.Text(from, "id");
                Call = JsonReader.Text(from, "call");
                Key = JsonReader.Text(from, "key");
                Params = JsonReader.Object(from, "params");
                Query = JsonReader.Object(from, "query");
                Body = JsonReader.Object(from, "body");
                Site = site;
                ExpiresAt = DateTime.UtcNow.AddMilliseconds(JsonReader.Integer(from, "timeoutMs") ?? 10000);
            }

            public string Param(string name)
            {
                return JsonReader.Text(Params, name);
            }

            /// <summary>Returns a text that is equal for equal requests.</summary>
            public string Fingerprint()
            {
                string text = Call + JsonReader.ToCanonical(Params) + JsonReader.ToCanonical(Query) + JsonReader.ToCanonical(Body);
                return Hashes.Sha256(Encoding.UTF8.GetBytes(text));
            }
        }

        /// <summary>The answer to a command: an HTTP status and a JSON object.</summary>
        private sealed class CommandOutcome
        {
            public static readonly CommandOutcome Accepted = new CommandOutcome(202, new Json().Open().Close());
            public static readonly CommandOutcome Done = new CommandOutcome(200, new Json().Open().Close());

            public readonly int Status;
            public readonly string Body;

            public CommandOutcome(int status, Json body)
            {
                Status = status;
                Body = body.ToString();
            }

            public bool IsSuccess { get { return Status >= 200 && Status < 300; } }
        }

        /// <summary>The refusal of a command, with the status and code that the site expects.</summary>
        private sealed class RefusalException : Exception
        {
            private readonly int m_Status;
            private readonly string m_Code, m_Field, m_Reason;

            public RefusalException(int status, string code, string field = null, string reason = null)
                : base(code)
            {
                m_Status = status;
                m_Code = code;
                m_Field = field;
                m_Reason = reason;
            }

            public static RefusalException Invalid(string field, string reason)
            {
                return new RefusalException(400, "INVALID", field, reason);
            }

            public static RefusalException NotFound()
            {
                return new RefusalException(404, "NOT_FOUND");
            }

            public CommandOutcome ToOutcome()
            {
                var body = new Json().Open().Add("code", m_Code);

                if (m_Field != null)
                    body.Add("field", m_Field);

                if (m_Reason != null)
                    body.Add("reason", m_Reason);

                return new CommandOutcome(m_Status, body.Close());
            }
        }

        /// <summary>
        /// Commands that wait for the game's main thread. A command with a repeated key gets the outcome of the first
        /// command with that key.
        /// </summary>
        private sealed class Inbox
        {
            private const int MaxKeys = 10000;
            private static readonly TimeSpan KeyLifetime = TimeSpan.FromHours(24);

            private sealed class KeyedCommand
            {
                public string Fingerprint;
                public CommandOutcome Outcome; // null while the command is running
                public DateTime EndedAt;
                public readonly List<Command> Waiting = new List<Command>();
            }

            private readonly object m_Lock = new object();
            private readonly Dictionary<string, KeyedCommand> m_Keys = new Dictionary<string, KeyedCommand>(StringComparer.Ordinal);
            private readonly Queue<Command> m_Commands = new Queue<Command>();
            private readonly Queue<string[]> m_Hellos = new Queue<string[]>();

            public SiteLink Link;

            /// <summary>Queues the site's answer to a hello: the families whose states it needs.</summary>
            public void QueueHello(string[] families)
            {
                lock (m_Lock)
                    m_Hellos.Enqueue(families);
            }

            public string[] TakeHello()
            {
                lock (m_Lock)
                    return m_Hellos.Count == 0 ? null : m_Hellos.Dequeue();
            }

            public Command Take()
            {
                lock (m_Lock)
                    return m_Commands.Count == 0 ? null : m_Commands.Dequeue();
            }

            public void Receive(Command command)
            {
                CommandOutcome outcome;

                if (command.Key != null && FindOutcome(command, out outcome))
                {
                    if (outcome != null)
                        Post(command, outcome);

                    return;
                }

                lock (m_Lock)
                    m_Commands.Enqueue(command);
            }

            /// <summary>
            /// Returns true if the command must not run: its outcome is known, or a command with the same key is
            /// running. In the second case `outcome` is null, and the command gets the running one's outcome.
            /// </summary>
            private bool FindOutcome(Command command, out CommandOutcome outcome)
            {
                string fingerprint = command.Fingerprint();
                outcome = null;

                lock (m_Lock)
                {
                    KeyedCommand keyed;

                    if (m_Keys.TryGetValue(command.Key, out keyed) && keyed.Outcome != null && DateTime.UtcNow - keyed.EndedAt > KeyLifetime)
                        keyed = null;

                    if (keyed == null)
                    {
                        RemoveOldKeys();
                        keyed = new KeyedCommand { Fingerprint = fingerprint };
                        keyed.Waiting.Add(command);
                        m_Keys[command.Key] = keyed;
                        return false;
                    }

                    if (keyed.Fingerprint != fingerprint)
                        outcome = new RefusalException(409, "CONFLICT").ToOutcome();
                    else if (keyed.Outcome != null)
                        outcome = keyed.Outcome;
                    else
                        keyed.Waiting.Add(command);

                    return true;
                }
            }

            private void RemoveOldKeys()
            {
                if (m_Keys.Count < MaxKeys)
                    return;

                var old = new List<string>();
                DateTime now = DateTime.UtcNow;

                foreach (KeyValuePair<string, KeyedCommand> entry in m_Keys)
                {
                    if (entry.Value.Outcome != null && (now - entry.Value.EndedAt > KeyLifetime || old.Count < MaxKeys / 10))
                        old.Add(entry.Key);
                }

                foreach (string key in old)
                    m_Keys.Remove(key);
            }

            /// <summary>Posts the outcome of a command. Any thread may call it.</summary>
            public void Finish(Command command, CommandOutcome outcome)
            {
                if (command.Key == null)
                {
                    Post(command, outcome);
                    return;
                }

                List<Command> waiting;

                lock (m_Lock)
                {
                    KeyedCommand keyed;

                    if (!m_Keys.TryGetValue(command.Key, out keyed) || keyed.Outcome != null)
                        return;

                    waiting = new List<Command>(keyed.Waiting);
                    keyed.Waiting.Clear();

                    if (outcome.IsSuccess)
                    {
                        keyed.Outcome = outcome;
                        keyed.EndedAt = DateTime.UtcNow;
                    }
                    else
                        m_Keys.Remove(command.Key); // a refused command had no effect, so allow a retry
                }

                foreach (Command each in waiting)
                    Post(each, outcome);
            }

            private void Post(Command command, CommandOutcome outcome)
            {
                Link.PostOutcome(command, outcome);
            }
        }

        #endregion

        #region Events that the site has not stored

        private sealed class EventBatch
        {
            public byte[] Body;
            public int Events;
            public long GapEnd; // last seq of the gap before the events, or 0
        }

        /// <summary>
        /// Keeps events in memory until the site has stored them: at most 20,000 events and 16 MiB. When it overflows,
        /// the oldest events are dropped and the next batch reports them as a gap.
        /// </summary>
        private sealed class EventBuffer
        {
            public const int MaxEvents = 20000;
            public const int MaxBytes = 16 * 1024 * 1024;
            private const int MaxEventBytes = 255 * 1024;

            private struct Entry
            {
                public long Seq;
                public byte[] Text;
            }

            private readonly object m_Lock = new object();
            private readonly Queue<Entry> m_Entries = new Queue<Entry>();
            private readonly Action<string> m_Print;
            private string m_Epoch = Guid.NewGuid().ToString();
            private long m_Bytes, m_Head, m_Stored, m_Dropped;
            private bool m_IsOpen;

            public EventBuffer(Action<string> print)
            {
                m_Print = print;
            }

            /// <summary>If false, events are dropped: no site is set, or another game server took over the link.</summary>
            public bool IsOpen
            {
                get { lock (m_Lock) return m_IsOpen; }
                set
                {
                    lock (m_Lock)
                    {
                        m_IsOpen = value;

                        if (value)
                            return;

                        m_Entries.Clear();
                        m_Bytes = 0;
                        m_Stored = m_Head;
                    }
                }
            }

            public string Epoch { get { lock (m_Lock) return m_Epoch; } }
            public long Stored { get { lock (m_Lock) return m_Stored; } }

            public string Describe()
            {
                lock (m_Lock)
                    return String.Format(CultureInfo.InvariantCulture, "Events: {0} of {1} stored by the site, {2} waiting ({3} KiB of 16 MiB), {4} dropped.", m_Stored, m_Head, m_Entries.Count, m_Bytes / 1024, m_Dropped);
            }

            public void Add(string kind, long time, string eventKey, long saveId, string payload)
            {
                lock (m_Lock)
                {
                    if (!m_IsOpen)
                        return;

                    var json = new Json().Open().Add("seq", m_Head + 1).Add("kind", kind).Add("t", time).Add("saveId", saveId);

                    if (eventKey != null)
                        json.Add("eventKey", eventKey);

                    byte[] text = Encoding.UTF8.GetBytes(json.Raw("payload", payload).Close().ToString());

                    if (text.Length > MaxEventBytes)
                    {
                        m_Print("An event of the kind " + kind + " is too large for the site and was discarded.");
                        return;
                    }

                    m_Entries.Enqueue(new Entry { Seq = ++m_Head, Text = text });
                    m_Bytes += text.Length;

                    while (m_Entries.Count > MaxEvents || m_Bytes > MaxBytes)
                        DropOldestLocked();

                    Monitor.PulseAll(m_Lock);
                }
            }

            /// <summary>Drops the oldest event, because a proxy before the site refuses it as too large.</summary>
            public void DropOldest()
            {
                lock (m_Lock)
                {
                    if (m_Entries.Count > 0)
                        DropOldestLocked();
                }
            }

            private void DropOldestLocked()
            {
                m_Bytes -= m_Entries.Dequeue().Text.Length;
                m_Dropped++;
            }

            /// <summary>Starts a new epoch, to which the buffered events belong from then on.</summary>
            public void BeginEpoch()
            {
                lock (m_Lock)
                    m_Epoch = Guid.NewGuid().ToString();
            }

            /// <summary>Reads the position for a hello; `oldest` is `head + 1` if the buffer is empty.</summary>
            public void ReadPosition(out string epoch, out long oldest, out long head)
            {
                lock (m_Lock)
                {
                    epoch = m_Epoch;
                    head = m_Head;
                    oldest = FirstSeq;
                }
            }

            private long FirstSeq { get { return m_Entries.Count > 0 ? m_Entries.Peek().Seq : m_Head + 1; } }

            /// <summary>
            /// Continues after the last event that the site stored. After a restore of the site's database, this can
            /// be an earlier event; the next batch reports the events that were already dropped as a gap.
            /// </summary>
            public void Resume(long storedSeq)
            {
                lock (m_Lock)
                {
                    m_Stored = storedSeq;
                    DropStored();
                }
            }

            /// <summary>Drops the events that the site has stored; ignores a position of another epoch.</summary>
            public void Confirm(string epoch, long storedSeq)
            {
                lock (m_Lock)
                {
                    if (epoch != m_Epoch || storedSeq <= m_Stored || storedSeq > m_Head)
                        return;

                    m_Stored = storedSeq;
                    DropStored();
                    Monitor.PulseAll(m_Lock);
                }
            }

            private void DropStored()
            {
                while (m_Entries.Count > 0 && m_Entries.Peek().Seq <= m_Stored)
                    m_Bytes -= m_Entries.Dequeue().Text.Length;
            }

            private bool HasWork { get { return m_Entries.Count > 0 || m_Stored < m_Head; } }

            /// <summary>Waits for events to send. Returns false if there are none after the timeout.</summary>
            public bool WaitForWork(int timeoutMs)
            {
                lock (m_Lock)
                {
                    if (!HasWork)
                        Monitor.Wait(m_Lock, timeoutMs);

                    return HasWork;
                }
            }

            public void WaitUntilStored(int timeoutMs)
            {
                double end = Clock.Ms + timeoutMs;

                lock (m_Lock)
                {
                    while (m_IsOpen && HasWork && Clock.Ms < end)
                        Monitor.Wait(m_Lock, Math.Max(1, (int)(end - Clock.Ms)));
                }
            }

            /// <summary>Makes the next call's body from the oldest events. Returns null if there are none.</summary>
            public EventBatch MakeBatch(string bootId, int maxEvents, int maxBytes)
            {
                var texts = new List<byte[]>();
                var start = new Json().Open();
                long gapEnd = 0;

                lock (m_Lock)
                {
                    if (!HasWork)
                        return null;

                    start.Add("epoch", m_Epoch).Add("bootId", bootId);

                    if (FirstSeq > m_Stored + 1)
                    {
                        gapEnd = FirstSeq - 1;
                        start.Open("gap").Add("from", m_Stored + 1).Add("to", gapEnd).Add("reason", "events were dropped because the buffer was full").Close();
                    }

                    int length = 512;

                    foreach (Entry entry in m_Entries)
                    {
                        length += entry.Text.Length + 1;

                        if (texts.Count >= maxEvents || (texts.Count > 0 && length > maxBytes))
                            break;

                        texts.Add(entry.Text);
                    }
                }

                var body = new MemoryStream();
                byte[] head = Encoding.UTF8.GetBytes(start + ",\"events\":[");
                body.Write(head, 0, head.Length);

                for (int i = 0; i < texts.Count; i++)
                {
                    if (i > 0)
                        body.WriteByte((byte)',');

                    body.Write(texts[i], 0, texts[i].Length);
                }

                body.WriteByte((byte)']');
                body.WriteByte((byte)'}');
                return new EventBatch { Body = body.ToArray(), Events = texts.Count, GapEnd = gapEnd };
            }
        }

        #endregion

        #region Calls to the site

        /// <summary>The address of the site, and the plugin's key. Immutable.</summary>
        private sealed class SiteAddress
        {
            public readonly Uri Base;
            public readonly string Key;

            private SiteAddress(Uri address, string key)
            {
                Base = address;
                Key = key;
            }

            public string Host { get { return Base.IsDefaultPort ? Base.Host : Base.Host + ":" + Base.Port.ToString(CultureInfo.InvariantCulture); } }

            /// <summary>Reads the owner's input; returns null and a sentence for the owner if it is invalid.</summary>
            public static SiteAddress Read(string url, string key, out string problem)
            {
                Uri address;
                url = (url ?? "").Trim().TrimEnd('/');
                key = (key ?? "").Trim();

                if (url.Length > 0 && url.IndexOf("://", StringComparison.Ordinal) < 0)
                    url = "https://" + url;

                if (url.Length > 8 && url.IndexOf('/', 8) < 0)
                    url += "/api/v1/plugin";

                if (!Uri.TryCreate(url, UriKind.Absolute, out address) || (address.Scheme != Uri.UriSchemeHttps && address.Scheme != Uri.UriSchemeHttp))
                    problem = "The address must begin with https://. Copy the address that the site shows with the key.";
                else if (address.UserInfo.Length > 0 || address.Query.Length > 0 || address.Fragment.Length > 0)
                    problem = "The address must not contain a user name, a question mark or a number sign.";
                else if (!Regex.IsMatch(key, "^ghk_[A-Za-z0-9_-]{43}$"))
                    problem = "The key must begin with ghk_ and have 47 characters. Copy the whole key, which the site shows once.";
                else
                {
                    problem = null;
                    return new SiteAddress(address, key);
                }

                return null;
            }

            public Uri MakeUri(string path)
            {
                return new Uri(Base.AbsoluteUri.TrimEnd('/') + path);
            }
        }

        private sealed class SiteAnswer
        {
            public int Status, RetryAfterSec;
            public Dictionary<string, object> Body; // null if it is not a JSON object

            public string Code { get { return JsonReader.Text(Body, "code") ?? ""; } }
        }

        /// <summary>The site did not answer. The message gives the owner the reason.</summary>
        private sealed class NoAnswerException : Exception
        {
            public NoAnswerException(string message)
                : base(message)
            { }
        }

        private static class SiteHttp
        {
            private const int MaxAnswerBytes = 4 * 1024 * 1024;

            // Mono can count a connection as idle while a call uses it, and closes it after this time. So the time
            // must be longer than each call. See github.com/mono/mono/issues/20999.
            private const int MaxIdleMs = 100000;

            /// <summary>Enables TLS 1.2 on hosts whose default lacks it.</summary>
            public static void EnableTls12()
            {
                const SecurityProtocolType tls12 = (SecurityProtocolType)3072;

                // 0 lets the operating system choose the versions; setting a flag would prevent that.
                if (ServicePointManager.SecurityProtocol != 0)
                    ServicePointManager.SecurityProtocol |= tls12;
            }

            public static HttpWebRequest MakeRequest(SiteAddress site, string method, string path, int timeoutMs)
            {
                var request = (HttpWebRequest)WebRequest.Create(site.MakeUri(path));
                request.Method = method;
                request.Headers[HttpRequestHeader.Authorization] = "Bearer " + site.Key;
                request.Accept = "application/json";
                request.UserAgent = "Guildhall-Rust/" + PluginVersion;
                request.Timeout = timeoutMs;
                request.ReadWriteTimeout = timeoutMs;
                request.AllowAutoRedirect = false; // a redirect could send the key to another address

                ServicePoint point = request.ServicePoint;
                point.ConnectionLimit = 8;
                point.Expect100Continue = false;
                point.UseNagleAlgorithm = false;
                point.MaxIdleTime = MaxIdleMs;
                return request;
            }

            /// <exception cref="NoAnswerException">The site did not answer.</exception>
            public static SiteAnswer Call(HttpWebRequest request, byte[] body)
            {
                try
                {
                    if (body != null)
                    {
                        request.ContentType = "application/json";
                        request.ContentLength = body.Length;
                        request.AllowWriteStreamBuffering = false; // otherwise the runtime copies the body

                        using (Stream stream = request.GetRequestStream())
                            stream.Write(body, 0, body.Length);
                    }

                    using (var response = (HttpWebResponse)request.GetResponse())
                        return ReadAnswer(response);
                }
                catch (WebException e)
                {
                    var refusal = e.Response as HttpWebResponse;

                    if (refusal == null)
                        throw new NoAnswerException(Explain(e));

                    using (refusal)
                        return ReadRefusal(refusal);
                }
                catch (IOException e)
                {
                    throw new NoAnswerException("the connection broke (" + e.Message + ")");
                }
                catch (InvalidOperationException e)
                {
                    throw new NoAnswerException("the call failed (" + e.Message + ")");
                }
                catch (NotSupportedException e)
                {
                    throw new NoAnswerException("the call failed (" + e.Message + ")");
                }
            }

            private static SiteAnswer ReadRefusal(HttpWebResponse response)
            {
                try
                {
                    return ReadAnswer(response);
                }
                catch (IOException e)
                {
                    throw new NoAnswerException("the connection broke (" + e.Message + ")");
                }
                catch (WebException e)
                {
                    throw new NoAnswerException(Explain(e));
                }
            }

            private static SiteAnswer ReadAnswer(HttpWebResponse response)
            {
                var answer = new SiteAnswer { Status = (int)response.StatusCode };
                int seconds;

                if (Int32.TryParse(response.Headers["Retry-After"] ?? "", NumberStyles.None, CultureInfo.InvariantCulture, out seconds))
                    answer.RetryAfterSec = Math.Min(seconds, 3600);

                using (Stream stream = response.GetResponseStream())
                    answer.Body = JsonReader.ParseObject(ReadText(stream));

                return answer;
            }

            private static string ReadText(Stream stream)
            {
                if (stream == null)
                    return "";

                var content = new MemoryStream();
                var chunk = new byte[16 * 1024];
                int read;

                while ((read = stream.Read(chunk, 0, chunk.Length)) > 0)
                {
                    content.Write(chunk, 0, read);

                    if (content.Length > MaxAnswerBytes)
                        throw new IOException("the answer is too long");
                }

                return Encoding.UTF8.GetString(content.GetBuffer(), 0, (int)content.Length);
            }

            private static string Explain(WebException e)
            {
                switch (e.Status)
                {
                    case WebExceptionStatus.NameResolutionFailure:
                        return "this machine cannot resolve its name (check the address and the DNS of this machine)";
                    case WebExceptionStatus.ConnectFailure:
                        return "this machine cannot connect to it (check that the site runs, and that no firewall blocks the connection)";
                    case WebExceptionStatus.Timeout:
                        return "it did not answer in time";
                    case WebExceptionStatus.TrustFailure:
                        return "this machine does not trust its certificate";
                    default:
                        bool isTrust = e.InnerException is AuthenticationException;
                        return isTrust ? "this machine does not trust its certificate" : "the connection failed (" + e.Message + ")";
                }
            }
        }

        private enum LinkState
        {
            NotConfigured,
            Connecting,
            Linked,
            Refused,
            Superseded
        }

        /// <summary>
        /// The link to the site. Three threads make all calls and never touch the game: they queue commands for the
        /// game's main thread and send the outcomes.
        /// </summary>
        private sealed class SiteLink
        {
            private const int CallTimeoutMs = 15000;
            private const int MinIntervalMs = 75; // the site accepts 20 calls of hello and events per second

            private readonly EventBuffer m_Buffer;
            private readonly Inbox m_Inbox;
            private readonly Action<string> m_Print;
            private readonly object m_Lock = new object();
            private readonly System.Random m_Jitter = new System.Random();
            private readonly HashSet<HttpWebRequest> m_Calls = new HashSet<HttpWebRequest>();
            private readonly string m_BootId = MakeBootId();

            private string m_Identity; // JSON members of the hello that describe this server
            private SiteAddress m_Site;
            private int m_Generation; // incremented when the address or key changes
            private LinkState m_State = LinkState.NotConfigured;
            private bool m_NeedsHello = true, m_IsStopped;
            private string m_LastError;
            private int m_Answers; // number of the site's answers that were not refusals
            private double m_RefusedUntil; // in Clock.Ms; no thread starts a call earlier
            private double m_NextCallMs; // in Clock.Ms; only the thread of the events uses it
            private int m_WaitSeconds = 25, m_MaxEvents = 500, m_MaxBytes = 1024 * 1024;

            public SiteLink(EventBuffer buffer, Inbox inbox, Action<string> print)
            {
                m_Buffer = buffer;
                m_Inbox = inbox;
                m_Print = print;
            }

            public bool IsLinked { get { lock (m_Lock) return m_State == LinkState.Linked; } }

            public string Host { get { lock (m_Lock) return m_Site == null ? "" : m_Site.Host; } }

            public string Describe()
            {
                lock (m_Lock)
                {
                    if (m_State == LinkState.Linked)
                        return "Linked to " + m_Site.Host + ". No action is needed.";

                    if (m_LastError != null)
                        return m_LastError;

                    return m_Site == null ? "Not set up. Create a key on the site and type the line that the site shows." : "Trying " + m_Site.Host + "...";
                }
            }

            /// <summary>
            /// Identifies this run of the game process. It is computed from the process, so that it stays the same
            /// when the plugin alone is loaded again.
            /// </summary>
            private static string MakeBootId()
            {
                using (Process self = Process.GetCurrentProcess())
                using (SHA256 hash = SHA256.Create())
                {
                    string text = Environment.MachineName + "/" + self.Id.ToString(CultureInfo.InvariantCulture) + "/" + self.StartTime.ToUniversalTime().Ticks.ToString(CultureInfo.InvariantCulture);
                    var bytes = new byte[16];
                    Array.Copy(hash.ComputeHash(Encoding.UTF8.GetBytes(text)), bytes, 16);
                    bytes[7] = (byte)(bytes[7] & 0x0f | 0x40); // a UUID of version 4
                    bytes[8] = (byte)(bytes[8] & 0x3f | 0x80);
                    return new Guid(bytes).ToString();
                }
            }

            /// <summary>Starts the threads. They wait until a site is set.</summary>
            public void Start(string identity, SiteAddress site)
            {
                m_Identity = identity;
                SiteHttp.EnableTls12();
                SetSite(site);
                StartThread("Guildhall events", SendEvents);
                StartThread("Guildhall commands", WaitForCommands);
                StartThread("Guildhall outcomes", SendOutcomes);
            }

            /// <summary>Ends the threads, including one that waits for an answer.</summary>
            public void Stop()
            {
                var calls = new List<HttpWebRequest>();

                lock (m_Lock)
                {
                    m_IsStopped = true;
                    m_Generation++;
                    calls.AddRange(m_Calls);
                    Monitor.PulseAll(m_Lock);
                }

                m_Buffer.IsOpen = false;

                foreach (HttpWebRequest call in calls)
                    ThreadPool.QueueUserWorkItem(state => Abort(call)); // Abort may block until the connection is made
            }

            private static void Abort(HttpWebRequest call)
            {
                try
                {
                    call.Abort();
                }
                catch (Exception)
                {
                    // The call has ended in the meantime.
                }
            }

            private void StartThread(string name, Action<WorkerState> step)
            {
                new Thread(() => RunForever(step)) { IsBackground = true, Name = name }.Start();
            }

            /// <summary>The state of one thread. WaitForSite updates the site before each step.</summary>
            private sealed class WorkerState
            {
                public SiteAddress Site;
                public int Generation;
                public int Failures; // in a row
            }

            private void RunForever(Action<WorkerState> step)
            {
                var worker = new WorkerState();

                for (; ; )
                {
                    try
                    {
                        if (!WaitForSite(worker))
                            return;

                        step(worker);
                    }
                    catch (NoAnswerException e)
                    {
                        worker.Failures++;
                        RecordFailure(worker, "No answer from " + worker.Site.Host + ": " + e.Message + ". The plugin tries again by itself.");
                        Pause(worker, ComputeBackoff(worker.Failures), true);
                    }
                    catch (ThreadAbortException)
                    {
                        throw;
                    }
                    catch (Exception e)
                    {
                        // Catch all errors: a fault of the plugin must not end the thread or the game.
                        m_Print("An error in the link: " + e);
                        worker.Failures++;
                        Pause(worker, ComputeBackoff(worker.Failures));
                    }
                }
            }

            /// <summary>Returns false when the plugin is unloaded.</summary>
            private bool WaitForSite(WorkerState worker)
            {
                lock (m_Lock)
                {
                    for (; ; )
                    {
                        double left = m_RefusedUntil - Clock.Ms;

                        if (m_IsStopped)
                            return false;

                        if (m_Site == null || m_State == LinkState.Superseded)
                            Monitor.Wait(m_Lock);
                        else if (left > 0)
                            Monitor.Wait(m_Lock, (int)Math.Ceiling(left));
                        else
                            break;
                    }

                    if (worker.Generation != m_Generation)
                        worker.Failures = 0;

                    worker.Site = m_Site;
                    worker.Generation = m_Generation;
                    return true;
                }
            }

            /// <summary>Links to a site; null ends the link.</summary>
            public void SetSite(SiteAddress site)
            {
                lock (m_Lock)
                {
                    // Drop buffered events that were meant for another site.
                    if (m_Site != null && site != null && m_Site.Base != site.Base)
                        m_Buffer.IsOpen = false;

                    // A new site or key also reopens a link that another game server has taken over.
                    m_Site = site;
                    m_Generation++;
                    m_NeedsHello = true;
                    m_RefusedUntil = 0;
                    m_LastError = null;
                    m_State = site == null ? LinkState.NotConfigured : LinkState.Connecting;
                    m_Buffer.IsOpen = site != null;
                    Monitor.PulseAll(m_Lock);
                }
            }

            /// <summary>Changes the members of the hello and sends it again.</summary>
            public void SetIdentity(string identity)
            {
                lock (m_Lock)
                {
                    if (m_Identity == identity)
                        return;

                    m_Identity = identity;
                    m_NeedsHello = true;
                    Monitor.PulseAll(m_Lock);
                }
            }

            private SiteAnswer Call(WorkerState worker, string method, string path, byte[] body, int timeoutMs)
            {
                HttpWebRequest request = SiteHttp.MakeRequest(worker.Site, method, path, timeoutMs);

                lock (m_Lock)
                {
                    if (m_IsStopped)
                        throw new NoAnswerException("the plugin was unloaded");

                    m_Calls.Add(request);
                }

                try
                {
                    return SiteHttp.Call(request, body);
                }
                finally
                {
                    lock (m_Lock)
                        m_Calls.Remove(request);
                }
            }

            /// <summary>Sleeps for the given time, or until the settings change.</summary>
            /// <param name="endsWithAnswer">True to stop sleeping when the site answers another thread.</param>
            private void Pause(WorkerState worker, double ms, bool endsWithAnswer = false)
            {
                double end = Clock.Ms + ms;

                lock (m_Lock)
                {
                    int answers = m_Answers;

                    while (worker.Generation == m_Generation && !(endsWithAnswer && answers != m_Answers))
                    {
                        double left = end - Clock.Ms;

                        if (left <= 0)
                            return;

                        Monitor.Wait(m_Lock, (int)Math.Ceiling(left));
                    }
                }
            }

            /// <summary>Returns random milliseconds below a limit of 1 s that doubles with each failure up to 60 s.</summary>
            private double ComputeBackoff(int failures)
            {
                double max = MinuteMs * Math.Min(1, Math.Pow(2, Math.Min(failures - 1, 10)) / 60);

                lock (m_Jitter)
                    return m_Jitter.NextDouble() * max;
            }

            private void RecordFailure(WorkerState worker, string sentence)
            {
                lock (m_Lock)
                {
                    if (worker.Generation != m_Generation || m_State == LinkState.Superseded)
                        return;

                    // Report a broken connection only after three failures: other threads may still reach the site.
                    if (m_State == LinkState.Linked && worker.Failures < 3)
                        return;

                    bool mustPrint = m_State == LinkState.Linked || m_LastError == null;
                    m_LastError = sentence;
                    m_State = m_State == LinkState.Linked ? LinkState.Connecting : m_State;

                    if (!mustPrint)
                        return;
                }

                m_Print(sentence);
            }

            private void RecordAnswer(WorkerState worker)
            {
                lock (m_Lock)
                {
                    if (worker.Generation != m_Generation)
                        return;

                    m_Answers++;
                    Monitor.PulseAll(m_Lock);

                    if (m_NeedsHello || m_State != LinkState.Connecting)
                        return;

                    m_State = LinkState.Linked;
                    m_LastError = null;
                }

                m_Print("Linked to " + worker.Site.Host + " again.");
            }

            private bool NeedsHello { get { lock (m_Lock) return m_NeedsHello; } }

            /// <summary>
            /// True if a call other than a hello may start. If the site refused a call of another thread meanwhile, the
            /// next call must be a hello.
            /// </summary>
            private bool CanCall(WorkerState worker)
            {
                lock (m_Lock)
                    return !m_NeedsHello && worker.Generation == m_Generation && m_State != LinkState.Superseded && Clock.Ms >= m_RefusedUntil;
            }

            /// <summary>Waits until a hello or a call with events may begin.</summary>
            private void Pace(WorkerState worker)
            {
                Pause(worker, m_NextCallMs - Clock.Ms);
                m_NextCallMs = Clock.Ms + MinIntervalMs;
            }

            private void SendEvents(WorkerState worker)
            {
                if (NeedsHello)
                {
                    SendHello(worker);
                    return;
                }

                if (!m_Buffer.WaitForWork(1000))
                    return;

                Pace(worker);
                int maxEvents, maxBytes;

                lock (m_Lock)
                {
                    maxEvents = m_MaxEvents;
                    maxBytes = m_MaxBytes;
                }

                string epoch = m_Buffer.Epoch;
                EventBatch batch = m_Buffer.MakeBatch(m_BootId, maxEvents, maxBytes);

                if (batch == null || !CanCall(worker))
                    return;

                SiteAnswer answer = Call(worker, "POST", "/events", batch.Body, CallTimeoutMs);
                long? stored = JsonReader.Integer(answer.Body, "seq");

                if (answer.Status == 200 && stored != null)
                {
                    RecordAnswer(worker);
                    long before = m_Buffer.Stored;
                    m_Buffer.Confirm(epoch, Math.Max(stored.Value, batch.GapEnd));
                    worker.Failures = m_Buffer.Stored > before ? 0 : worker.Failures + 1;

                    if (worker.Failures > 0)
                        Pause(worker, ComputeBackoff(worker.Failures));
                }
                else if (answer.Status == 413)
                    SendLess(worker, batch);
                else
                    HandleRefusal(worker, answer, "events");
            }

            /// <summary>Halves the batch size after a 413. Drops an event that alone is too large.</summary>
            private void SendLess(WorkerState worker, EventBatch batch)
            {
                if (batch.Events > 1)
                    lock (m_Lock)
                        m_MaxBytes = Math.Min(m_MaxBytes, batch.Body.Length) / 2;
                else
                    m_Buffer.DropOldest();

                worker.Failures++;
                RecordFailure(worker, "The site or a proxy refused a call as too large. The plugin sends smaller calls.");
                Pause(worker, ComputeBackoff(worker.Failures));
            }

            private void SendHello(WorkerState worker)
            {
                Pace(worker);
                string epoch, identity;
                long oldest, head;
                m_Buffer.ReadPosition(out epoch, out oldest, out head);

                lock (m_Lock)
                    identity = m_Identity;

                string body = new Json().Open().Add("protocol", 1).Add("game", "rust").Add("bootId", m_BootId).Add("epoch", epoch).Add("oldest", oldest).Add("head", head) + "," + identity.Substring(1);
                SiteAnswer answer = Call(worker, "POST", "/hello", Encoding.UTF8.GetBytes(body), CallTimeoutMs);

                if (answer.Status != 200 || answer.Body == null)
                {
                    HandleRefusal(worker, answer, "hello");
                    return;
                }

                Dictionary<string, object> cursor = JsonReader.Object(answer.Body, "cursor");
                long? stored = JsonReader.Text(cursor, "epoch") == epoch ? JsonReader.Integer(cursor, "seq") : null;
                m_Buffer.Resume(stored ?? oldest - 1);

                if (!Greet(worker, answer.Body, identity))
                    return;

                worker.Failures = 0;
                m_Inbox.QueueHello(JsonReader.Texts(answer.Body, "resync").ToArray());
            }

            private bool Greet(WorkerState worker, Dictionary<string, object> answer, string identity)
            {
                bool wasUnlinked;

                lock (m_Lock)
                {
                    if (worker.Generation != m_Generation)
                        return false;

                    m_MaxEvents = (int)Math.Max(1, Math.Min(500, JsonReader.Integer(answer, "maxEvents") ?? 500));
                    m_MaxBytes = (int)Math.Max(65536, Math.Min(1048576, JsonReader.Integer(answer, "maxBytes") ?? 1048576));
                    m_WaitSeconds = (int)Math.Max(1, Math.Min(60, JsonReader.Integer(answer, "pollSeconds") ?? 25));
                    m_NeedsHello = m_Identity != identity; // the mods changed while the site answered the hello
                    m_Answers++;
                    wasUnlinked = m_State != LinkState.Linked;
                    m_State = LinkState.Linked;
                    m_LastError = null;
                    Monitor.PulseAll(m_Lock);
                }

                if (wasUnlinked)
                    m_Print("Linked to " + worker.Site.Host + ".");

                return true;
            }

            /// <summary>Handles the refusals that each call can get.</summary>
            private void HandleRefusal(WorkerState worker, SiteAnswer answer, string call)
            {
                string code = answer.Code;
                worker.Failures++;

                if (answer.Status == 409 && code == "SUPERSEDED")
                    StopSuperseded(worker);
                else if (answer.Status == 409 && code == "PROTOCOL")
                    SuspendCalls(worker, "The site does not support the protocol of this plugin (version " + PluginVersion + "). Install the plugin that comes with the site's version.");
                else if (answer.Status == 409)
                {
                    // The site and the buffer have different positions. A new hello exchanges them.
                    if (code == "EPOCH" && call == "hello")
                        m_Buffer.BeginEpoch();

                    RequireHello(worker);

                    if (worker.Failures > 1)
                        Pause(worker, ComputeBackoff(worker.Failures));
                }
                else if (answer.Status == 401)
                    SuspendCalls(worker, "The site does not accept the key. Create a new key on the site and type the line that the site shows.");
                else if (answer.Status == 403 && code == "DISABLED")
                    SuspendCalls(worker, "The link is disabled on the site. Enable it there.");
                else if (answer.Status == 403)
                    SuspendCalls(worker, "The site refuses calls from the IP address of this machine for some time. The plugin tries again by itself.");
                else if (answer.Status == 404 || (answer.Status >= 300 && answer.Status < 400))
                    SuspendCalls(worker, "The address is not the address of a Guildhall site: it answered " + answer.Status.ToString(CultureInfo.InvariantCulture) + ". Type the whole line that the site shows.");
                else
                    RetryLater(worker, answer, call);
            }

            private void RetryLater(WorkerState worker, SiteAnswer answer, string call)
            {
                string sentence = answer.Status == 503 || answer.Status == 429
                    ? worker.Site.Host + " is busy or under maintenance. The plugin tries again by itself."
                    : worker.Site.Host + " answered " + answer.Status.ToString(CultureInfo.InvariantCulture) + " " + answer.Code + " (" + (JsonReader.Text(answer.Body, "error") ?? call) + "). The plugin tries again by itself.";

                RecordFailure(worker, sentence);

                // The site would refuse the same call again, so retry it after a minute.
                double minMs = answer.Status < 500 && answer.Status != 429 ? MinuteMs : answer.RetryAfterSec * 1000;
                Pause(worker, Math.Max(minMs, ComputeBackoff(worker.Failures)));
            }

            private void RequireHello(WorkerState worker)
            {
                lock (m_Lock)
                {
                    if (worker.Generation == m_Generation)
                        m_NeedsHello = true;

                    Monitor.PulseAll(m_Lock);
                }
            }

            /// <summary>Stops the calls of all threads for a minute. The next call is a hello.</summary>
            private void SuspendCalls(WorkerState worker, string sentence)
            {
                bool isNewSentence;

                lock (m_Lock)
                {
                    if (worker.Generation != m_Generation || m_State == LinkState.Superseded)
                        return;

                    isNewSentence = m_LastError != sentence;
                    m_LastError = sentence;
                    m_State = LinkState.Refused;
                    m_NeedsHello = true;
                    m_RefusedUntil = Clock.Ms + MinuteMs;
                }

                if (isNewSentence)
                    m_Print(sentence);
            }

            private void StopSuperseded(WorkerState worker)
            {
                const string sentence = "Another game server uses the same key and has taken over the link. Give each game server its own key, then restart this one.";

                lock (m_Lock)
                {
                    if (worker.Generation != m_Generation || m_State == LinkState.Superseded)
                        return;

                    m_State = LinkState.Superseded;
                    m_LastError = sentence;
                    m_Buffer.IsOpen = false;
                }

                m_Print(sentence);
            }

            private bool WaitForHello(WorkerState worker)
            {
                lock (m_Lock)
                {
                    if (m_NeedsHello && worker.Generation == m_Generation)
                        Monitor.Wait(m_Lock, 1000);

                    return !m_NeedsHello && worker.Generation == m_Generation;
                }
            }

            private void WaitForCommands(WorkerState worker)
            {
                if (!WaitForHello(worker) || !CanCall(worker))
                    return;

                int seconds;

                lock (m_Lock)
                    seconds = m_WaitSeconds;

                string path = "/commands?wait=" + seconds.ToString(CultureInfo.InvariantCulture) + "&bootId=" + m_BootId;
                SiteAnswer answer = Call(worker, "GET", path, null, (seconds + 15) * 1000);

                if (answer.Status != 200 || answer.Body == null)
                {
                    HandleRefusal(worker, answer, "commands");
                    return;
                }

                worker.Failures = 0;
                RecordAnswer(worker);

                foreach (Dictionary<string, object> command in JsonReader.Objects(answer.Body, "commands"))
                {
                    if (JsonReader.Text(command, "id") != null && JsonReader.Text(command, "call") != null)
                        m_Inbox.Receive(new Command(command, worker.Site.Base));
                }
            }

            private sealed class QueuedOutcome
            {
                public string CommandId;
                public byte[] Body;
                public Uri Site;
                public DateTime ExpiresAt;
            }

            private readonly Queue<QueuedOutcome> m_Outcomes = new Queue<QueuedOutcome>();

            public void PostOutcome(Command command, CommandOutcome result)
            {
                string text = "{\"status\":" + result.Status.ToString(CultureInfo.InvariantCulture) + ",\"body\":" + result.Body + "}";
                var outcome = new QueuedOutcome { CommandId = command.Id, Body = Encoding.UTF8.GetBytes(text), Site = command.Site, ExpiresAt = DateTime.UtcNow.AddMinutes(10) };

                lock (m_Lock)
                {
                    m_Outcomes.Enqueue(outcome);
                    Monitor.PulseAll(m_Lock);
                }
            }

            private void SendOutcomes(WorkerState worker)
            {
                QueuedOutcome next;

                lock (m_Lock)
                {
                    if (m_Outcomes.Count == 0)
                    {
                        Monitor.Wait(m_Lock, 1000);
                        return;
                    }

                    next = m_Outcomes.Peek();

                    // Drop outcomes of a former site's commands: the current site does not know their ids.
                    if (next.Site != worker.Site.Base || DateTime.UtcNow > next.ExpiresAt)
                    {
                        m_Outcomes.Dequeue();
                        return;
                    }
                }

                if (!WaitForHello(worker) || !CanCall(worker))
                    return;

                string path = "/commands/" + Uri.EscapeDataString(next.CommandId) + "?bootId=" + m_BootId;
                SiteAnswer answer = Call(worker, "POST", path, next.Body, CallTimeoutMs);
                bool isAnswered = answer.Status == 409 && answer.Code == "ANSWERED";
                bool isDone = isAnswered || answer.Status == 204 || answer.Status == 200 || answer.Status == 404 || answer.Status == 400 || answer.Status == 413;

                if (!isDone)
                {
                    HandleRefusal(worker, answer, "outcome");
                    return;
                }

                worker.Failures = 0;
                RecordAnswer(worker);

                lock (m_Lock)
                    m_Outcomes.Dequeue();

                if (isAnswered)
                    RequireHello(worker);

                if (answer.Status == 413)
                    m_Print("The site refused the outcome of a command as too large.");
                else if (answer.Status == 400)
                    m_Print("The site refused the outcome of a command. Invalid field: " + JsonReader.Text(answer.Body, "field") + ".");
            }
        }

        #endregion

        #region JSON

        /// <summary>Writes JSON, member by member. The culture of the host does not change the form of numbers.</summary>
        private sealed class Json
        {
            private static readonly DateTime Epoch = new DateTime(1970, 1, 1, 0, 0, 0, DateTimeKind.Utc);

            private readonly StringBuilder m_Text = new StringBuilder(256);
            private bool m_NeedsComma;

            /// <summary>Reads a time without a kind as UTC.</summary>
            public static long EpochMs(DateTime time)
            {
                if (time.Kind == DateTimeKind.Local)
                    time = time.ToUniversalTime();

                return (time.Ticks - Epoch.Ticks) / TimeSpan.TicksPerMillisecond;
            }

            public override string ToString()
            {
                return m_Text.ToString();
            }

            public Json Open()
            {
                return Begin('{');
            }

            public Json Open(string name)
            {
                return Member(name).Begin('{');
            }

            public Json Close()
            {
                return End('}');
            }

            public Json OpenList()
            {
                return Begin('[');
            }

            public Json OpenList(string name)
            {
                return Member(name).Begin('[');
            }

            public Json CloseList()
            {
                return End(']');
            }

            public Json Add(string name, string value)
            {
                return Member(name).Value(value);
            }

            public Json Add(string name, bool value)
            {
                return Member(name).Put(value ? "true" : "false");
            }

            public Json Add(string name, long value)
            {
                return Member(name).Put(value.ToString(CultureInfo.InvariantCulture));
            }

            public Json Add(string name, long? value)
            {
                return value == null ? AddNull(name) : Add(name, value.Value);
            }

            /// <summary>Writes null for NaN and infinity, which JSON lacks.</summary>
            public Json Add(string name, double? value)
            {
                if (value == null || Double.IsNaN(value.Value) || Double.IsInfinity(value.Value))
                    return AddNull(name);

                return Member(name).Put(value.Value.ToString("R", CultureInfo.InvariantCulture));
            }

            public Json AddNull(string name)
            {
                return Member(name).Put("null");
            }

            /// <summary>Writes a value that is already JSON.</summary>
            public Json Raw(string name, string json)
            {
                return Member(name).Put(json);
            }

            /// <summary>Writes members that are already JSON.</summary>
            public Json Members(string json)
            {
                return Put(json);
            }

            public Json Number(double value)
            {
                return Put(value.ToString("R", CultureInfo.InvariantCulture));
            }

            public Json Number(long value)
            {
                return Put(value.ToString(CultureInfo.InvariantCulture));
            }

            public Json Flag(bool value)
            {
                return Put(value ? "true" : "false");
            }

            public Json Value(string value)
            {
                if (value == null)
                    return Put("null");

                PutComma();
                PutQuoted(value);
                m_NeedsComma = true;
                return this;
            }

            public Json Member(string name)
            {
                PutComma();
                PutQuoted(name);
                m_Text.Append(':');
                return this;
            }

            private Json Begin(char c)
            {
                PutComma();
                m_Text.Append(c);
                return this;
            }

            private Json End(char c)
            {
                m_Text.Append(c);
                m_NeedsComma = true;
                return this;
            }

            private Json Put(string json)
            {
                PutComma();
                m_Text.Append(json);
                m_NeedsComma = true;
                return this;
            }

            private void PutComma()
            {
                if (m_NeedsComma)
                    m_Text.Append(',');

                m_NeedsComma = false;
            }

            private void PutQuoted(string value)
            {
                m_Text.Append('"');

                for (int i = 0; i < value.Length; i++)
                {
                    char c = value[i];

                    if (c == '"' || c == '\\')
                        m_Text.Append('\\').Append(c);
                    else if (c < ' ')
                        m_Text.Append("\\u").Append(((int)c).ToString("x4", CultureInfo.InvariantCulture));
                    else if (!Char.IsSurrogate(c))
                        m_Text.Append(c);
                    else if (Char.IsHighSurrogate(c) && i + 1 < value.Length && Char.IsLowSurrogate(value[i + 1]))
                        m_Text.Append(c).Append(value[++i]);
                    else
                        m_Text.Append('\uFFFD'); // one half of a surrogate pair
                }

                m_Text.Append('"');
            }
        }

        /// <summary>
        /// Reads JSON into Dictionary&lt;string, object&gt;, List&lt;object&gt;, string, long, double, bool and null. A
        /// member of the wrong type counts as absent.
        /// </summary>
        private sealed class JsonReader
        {
            private const int MaxDepth = 32;

            private readonly string m_Text;
            private int m_At;

            private JsonReader(string text)
            {
                m_Text = text;
            }

            /// <summary>Returns null if the text is not a JSON object.</summary>
            public static Dictionary<string, object> ParseObject(string text)
            {
                if (String.IsNullOrEmpty(text))
                    return null;

                try
                {
                    var reader = new JsonReader(text);
                    var value = reader.ReadValue(0) as Dictionary<string, object>;
                    reader.SkipSpace();
                    return reader.m_At == text.Length ? value : null;
                }
                catch (FormatException)
                {
                    return null;
                }
            }

            public static object Member(Dictionary<string, object> from, string name)
            {
                object value;
                return from != null && from.TryGetValue(name, out value) ? value : null;
            }

            public static string Text(Dictionary<string, object> from, string name)
            {
                return Member(from, name) as string;
            }

            public static bool? Flag(Dictionary<string, object> from, string name)
            {
                return Member(from, name) as bool?;
            }

            public static Dictionary<string, object> Object(Dictionary<string, object> from, string name)
            {
                return Member(from, name) as Dictionary<string, object>;
            }

            public static long? Integer(Dictionary<string, object> from, string name)
            {
                object value = Member(from, name);

                if (value is long)
                    return (long)value;

                if (value is double && (double)value == Math.Floor((double)value) && Math.Abs((double)value) < 9e15)
                    return (long)(double)value;

                return null;
            }

            public static double? Number(Dictionary<string, object> from, string name)
            {
                object value = Member(from, name);
                return value is long ? (long)value : value as double?;
            }

            public static List<Dictionary<string, object>> Objects(Dictionary<string, object> from, string name)
            {
                var result = new List<Dictionary<string, object>>();

                foreach (object item in Member(from, name) as List<object> ?? new List<object>())
                {
                    if (item is Dictionary<string, object>)
                        result.Add((Dictionary<string, object>)item);
                }

                return result;
            }

            /// <summary>Returns the texts of a list; numbers, such as ids of mods, become texts.</summary>
            public static List<string> Texts(Dictionary<string, object> from, string name)
            {
                var result = new List<string>();

                foreach (object item in Member(from, name) as List<object> ?? new List<object>())
                {
                    if (item is string)
                        result.Add((string)item);
                    else if (item is long)
                        result.Add(((long)item).ToString(CultureInfo.InvariantCulture));
                }

                return result;
            }

            /// <summary>Writes a parsed value with sorted names, so that equal values have equal texts.</summary>
            public static string ToCanonical(object value)
            {
                var json = new Json();
                WriteCanonical(json, value);
                return json.ToString();
            }

            private static void WriteCanonical(Json json, object value)
            {
                var members = value as Dictionary<string, object>;
                var list = value as List<object>;

                if (members != null)
                {
                    var names = new List<string>(members.Keys);
                    names.Sort(StringComparer.Ordinal);
                    json.Open();

                    foreach (string name in names)
                        WriteCanonical(json.Member(name), members[name]);

                    json.Close();
                }
                else if (list != null)
                {
                    json.OpenList();

                    foreach (object item in list)
                        WriteCanonical(json, item);

                    json.CloseList();
                }
                else if (value is long)
                    json.Number((long)value);
                else if (value is double)
                    json.Number((double)value);
                else if (value is bool)
                    json.Flag((bool)value);
                else
                    json.Value(value as string);
            }

            private object ReadValue(int depth)
            {
                if (depth > MaxDepth)
                    throw new FormatException("too deep");

                SkipSpace();

                switch (Peek())
                {
                    case '{': return ReadObject(depth);
                    case '[': return ReadList(depth);
                    case '"': return ReadString();
                    case 't': Expect("true"); return true;
                    case 'f': Expect("false"); return false;
                    case 'n': Expect("null"); return null;
                    default: return ReadNumber();
                }
            }

            private Dictionary<string, object> ReadObject(int depth)
            {
                var result = new Dictionary<string, object>(StringComparer.Ordinal);
                m_At++;
                SkipSpace();

                if (Peek() == '}')
                {
                    m_At++;
                    return result;
                }

                for (; ; )
                {
                    SkipSpace();
                    string name = ReadString();
                    SkipSpace();
                    Expect(":");
                    result[name] = ReadValue(depth + 1);
                    SkipSpace();

                    if (ReadEndOrComma('}'))
                        return result;
                }
            }

            private List<object> ReadList(int depth)
            {
                var result = new List<object>();
                m_At++;
                SkipSpace();

                if (Peek() == ']')
                {
                    m_At++;
                    return result;
                }

                for (; ; )
                {
                    result.Add(ReadValue(depth + 1));
                    SkipSpace();

                    if (ReadEndOrComma(']'))
                        return result;
                }
            }

            private bool ReadEndOrComma(char end)
            {
                char c = Peek();

                if (c != end && c != ',')
                    throw new FormatException("a comma is missing");

                m_At++;
                return c == end;
            }

            private string ReadString()
            {
                if (Peek() != '"')
                    throw new FormatException("a text is missing");

                m_At++;
                var result = new StringBuilder();

                for (; ; )
                {
                    char c = Peek();
                    m_At++;

                    if (c == '"')
                        return result.ToString();

                    result.Append(c == '\\' ? ReadEscape() : c);
                }
            }

            private char ReadEscape()
            {
                char c = Peek();
                m_At++;

                switch (c)
                {
                    case 'n': return '\n';
                    case 'r': return '\r';
                    case 't': return '\t';
                    case 'b': return '\b';
                    case 'f': return '\f';
                    case 'u': return ReadHex();
                    default: return c;
                }
            }

            private char ReadHex()
            {
                int code;

                if (m_At + 4 > m_Text.Length || !Int32.TryParse(m_Text.Substring(m_At, 4), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out code))
                    throw new FormatException("a character is not readable");

                m_At += 4;
                return (char)code;
            }

            private object ReadNumber()
            {
                int start = m_At;

                while (m_At < m_Text.Length && "+-.0123456789eE".IndexOf(m_Text[m_At]) >= 0)
                    m_At++;

                string text = m_Text.Substring(start, m_At - start);
                long whole;
                double number;

                if (Int64.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out whole))
                    return whole;

                if (Double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out number))
                    return number;

                throw new FormatException("a value is not readable");
            }

            private char Peek()
            {
                if (m_At >= m_Text.Length)
                    throw new FormatException("the text ends too early");

                return m_Text[m_At];
            }

            private void Expect(string word)
            {
                if (String.CompareOrdinal(m_Text, m_At, word, 0, word.Length) != 0)
                    throw new FormatException("a value is not readable");

                m_At += word.Length;
            }

            private void SkipSpace()
            {
                while (m_At < m_Text.Length && " \t\r\n".IndexOf(m_Text[m_At]) >= 0)
                    m_At++;
            }
        }

        #endregion
    }
}
