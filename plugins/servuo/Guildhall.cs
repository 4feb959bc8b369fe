// Guildhall plugin for ServUO 57 to 57.3. Copy this folder to Scripts/Custom, restart the server and
// type the line that your site shows, with [ before it: [guildhall.setup <address> <key>
//
// This file: start and stop, the commands for the owner, and the time slices on the core thread.
using System;
using System.Collections;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Threading;
using Server;
using Server.Commands;
using Timer = Server.Timer;

namespace Guildhall
{
    internal static class Plugin
    {
        public const string Version = "1.0.0";

        /// <summary>Runs before the scripts of the game, so that the plugin's event handlers are called first.</summary>
        [CallPriority(-1000)]
        public static void Initialize()
        {
            Guard.Run("start", () =>
            {
                Settings.Load(Core.BaseDirectory);
                FileCalls.Start(Core.BaseDirectory, Core.DataDirectories.ToArray());
                Inbox.WakeGame = Core.Set;
                Links.Register();
                Events.Subscribe();
                States.Register();
                GameCalls.Register();
                CommandSystem.Register("Guildhall", AccessLevel.Owner, OnOwnerCommand);
                CommandSystem.Register("Guildhall.setup", AccessLevel.Owner, e => Guard.Run("command", () => SetUp(e, 0)));
                CommandSystem.Register("Guildhall.status", AccessLevel.Owner, e => Guard.Run("command", () => Status.SendTo(e.Mobile)));
                EventSink.ServerStarted += () => Guard.Run("start", OnServerStarted);
            });
        }

        private static void OnServerStarted()
        {
            Guard.Run("compilation", PrepareMethods);
            // A step that fails with this server's scripts must not stop the others.
            Guard.Run("command link", Links.RegisterCommand);
            Guard.Run("packets", Events.WrapPackets);
            Guard.Run("altars", States.FindAltars);
            Guard.Run("warm-up", WarmUp);
            Link.Start(Facts.WriteIdentity());
            ApplySettings();
            Scheduler.Start();
            Timer.DelayCall(TimeSpan.FromSeconds(5), TimeSpan.FromSeconds(5), () => Guard.Run("settings", ReloadSettings));

            if (Link.Site == null)
                Journal.Print(Status.NotSetUp);
        }

        /// <summary>
        /// Compiles all methods of the plugin before the game starts. Otherwise the runtime compiles a method at
        /// its first call, which takes some milliseconds of a slice.
        /// </summary>
        private static void PrepareMethods()
        {
            const BindingFlags own = BindingFlags.DeclaredOnly | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Static | BindingFlags.Instance;

            foreach (Type type in typeof(Plugin).Assembly.GetTypes())
            {
                if (type.Namespace != "Guildhall" || type.ContainsGenericParameters)
                    continue;

                foreach (MethodInfo method in type.GetMethods(own))
                {
                    if (!method.IsAbstract && !method.ContainsGenericParameters)
                        RuntimeHelpers.PrepareMethod(method.MethodHandle);
                }
            }
        }

        /// <summary>
        /// Writes all events and snapshots once before the game starts, and discards them. The code of the first
        /// real ones is then compiled, and their memory is allocated.
        /// </summary>
        private static void WarmUp()
        {
            EventBuffer.IsOpen = true;

            try
            {
                States.RequestAllSnapshots();
                Scheduler.RunAllJobs();
                EventBuffer.MakeBatch(Link.BootId, 500, 1024 * 1024);
            }
            finally
            {
                EventBuffer.Reset();
            }
        }

        // ---- settings

        private static SiteAddress m_AppliedSite;
        private static volatile bool m_HasNewSettings;

        /// <summary>Reads the file on another thread, because a disk may be slow; the next call applies its changes.</summary>
        private static void ReloadSettings()
        {
            if (m_HasNewSettings)
            {
                m_HasNewSettings = false;
                ApplySettings();
            }

            ThreadPool.QueueUserWorkItem(state => Guard.Run("settings", () => m_HasNewSettings |= Settings.ReadIfChanged()));
        }

        private static void ApplySettings()
        {
            string problem = null;
            SiteAddress site = null;

            if (Settings.GetText("Url") != null || Settings.GetText("Key") != null)
                site = SiteAddress.Read(Settings.GetText("Url"), Settings.GetText("Key"), out problem);

            if (problem != null)
                Journal.Print("Config/Guildhall.cfg: " + problem);

            if (site == null ? m_AppliedSite == null : m_AppliedSite != null && site.Base == m_AppliedSite.Base && site.Key == m_AppliedSite.Key)
                return;

            m_AppliedSite = site;
            Link.SetSite(site);
            States.ForgetReports();
        }

        // ---- commands for the owner

        private static void OnOwnerCommand(CommandEventArgs e)
        {
            Guard.Run("command", () =>
            {
                string subcommand = e.GetString(0).ToLowerInvariant();

                if (subcommand == "setup")
                    SetUp(e, 1);
                else if (subcommand == "status")
                    Status.SendTo(e.Mobile);
                else if (subcommand == "clearlinks")
                    e.Mobile.SendMessage("{0} accounts are no longer linked to users of the site.", Links.RemoveAll());
                else
                    e.Mobile.SendMessage("Use: [guildhall.setup <address> <key>, [guildhall status, or [guildhall clearlinks.");
            });
        }

        private static void SetUp(CommandEventArgs e, int first)
        {
            string problem;
            SiteAddress site = SiteAddress.Read(e.GetString(first), e.GetString(first + 1), out problem);
            HideArguments(e);

            if (site == null)
            {
                e.Mobile.SendMessage(problem);
                return;
            }

            string formerHost = m_AppliedSite == null ? null : m_AppliedSite.Host;

            try
            {
                Settings.Save("Url", site.Base.AbsoluteUri.TrimEnd('/'), "Key", site.Key);
            }
            catch (IOException fault)
            {
                e.Mobile.SendMessage("The plugin cannot write Config/Guildhall.cfg: {0} Check the permissions of the folder Config.", fault.Message);
                return;
            }
            catch (UnauthorizedAccessException fault)
            {
                e.Mobile.SendMessage("The plugin cannot write Config/Guildhall.cfg: {0} Check the permissions of the folder Config.", fault.Message);
                return;
            }

            if (!site.IsEncrypted)
                e.Mobile.SendMessage("Warning: the address begins with http://, so others on the network can read the key. Use https://.");

            if (formerHost != null && formerHost != site.Host && Links.Count > 0)
                e.Mobile.SendMessage("{0} accounts are linked to users of {1}. If the new site belongs to another community, type [guildhall clearlinks.", Links.Count, formerHost);

            m_AppliedSite = null;
            ApplySettings();
            e.Mobile.SendMessage("The settings are stored. Trying the site...");
            Status.SendResultTo(e.Mobile);
        }

        /// <summary>
        /// Overwrites the arguments of the command, because they contain the key. After the command, the game
        /// writes the arguments to its logs and passes them to other scripts.
        /// </summary>
        private static void HideArguments(CommandEventArgs e)
        {
            const BindingFlags fields = BindingFlags.Instance | BindingFlags.NonPublic;

            for (int i = 0; i < e.Arguments.Length; i++)
                e.Arguments[i] = "***";

            foreach (FieldInfo field in typeof(CommandEventArgs).GetFields(fields))
            {
                if (field.FieldType == typeof(string) && (string)field.GetValue(e) == e.ArgString)
                    field.SetValue(e, "***");
            }

            if (e.ArgString.IndexOf("ghk_", StringComparison.Ordinal) >= 0)
                e.Mobile.SendMessage("The plugin cannot hide the key from the command log of this server. Delete the line with the key from Logs/Commands. Next time, write the key to Config/Guildhall.cfg.");
        }
    }

    /// <summary>Catches the plugin's exceptions, so that none reaches the game.</summary>
    internal static class Guard
    {
        public static void Run(string subject, Action action)
        {
            try
            {
                action();
            }
            catch (Exception e)
            {
                Journal.Report(subject, e);
            }
        }
    }

    internal static class Status
    {
        public const string NotSetUp = "Not set up. Create a key on the site and type the line that the site shows.";

        public static void SendTo(Mobile to)
        {
            foreach (string line in DescribeLines())
                to.SendMessage(line);
        }

        public static List<string> DescribeLines()
        {
            var lines = new List<string> { DescribeLink() };

            if (Link.Site != null)
            {
                lines.Add(String.Format("Events: {0} of {1} stored by the site, {2} waiting ({3} KiB of 16 MiB), {4} dropped.",
                    EventBuffer.Stored, EventBuffer.Head, EventBuffer.Count, EventBuffer.Bytes / 1024, EventBuffer.Dropped));
                lines.Add(Scheduler.Describe());
            }

            return lines;
        }

        private static string DescribeLink()
        {
            switch (Link.State)
            {
                case LinkState.NotConfigured:
                    return NotSetUp;
                case LinkState.Linked:
                    return "Linked to " + Link.Site.Host + ". No action is needed.";
                case LinkState.Connecting:
                    return Link.LastError == null
                        ? "Connecting to " + Link.Site.Host + ". Type [guildhall status again in a moment."
                        : "Not linked. " + Link.LastError;
                default:
                    return "Not linked. " + Link.LastError;
            }
        }

        /// <summary>Sends the state of the link to the owner when the site has answered, after at most 20 seconds.</summary>
        public static void SendResultTo(Mobile owner)
        {
            int left = 20;
            Timer timer = null;

            timer = Timer.DelayCall(TimeSpan.FromSeconds(1), TimeSpan.FromSeconds(1), () => Guard.Run("status", () =>
            {
                bool isWaiting = Link.State == LinkState.Connecting && Link.LastError == null;

                if (isWaiting && --left > 0 && !owner.Deleted)
                    return;

                timer.Stop();
                SendTo(owner);
            }));
        }
    }

    /// <summary>A periodic task in steps of a fraction of a millisecond.</summary>
    internal sealed class Job
    {
        private readonly string m_Name;
        private readonly double m_EveryMs;
        private readonly Func<IEnumerator> m_Begin;
        private IEnumerator m_Steps;
        private double m_NextAt;

        public Job(string name, double everySeconds, Func<IEnumerator> begin)
        {
            m_Name = name;
            m_EveryMs = everySeconds * 1000;
            m_Begin = begin;
        }

        /// <summary>Starts the job in the next slice; restarts a running job when it ends.</summary>
        public void RunSoon()
        {
            m_NextAt = 0;
        }

        public void RunToEnd()
        {
            while (RunStep(m_NextAt) && m_Steps != null)
            { }
        }

        /// <summary>Runs one step. Returns false if the job is not due.</summary>
        public bool RunStep(double now)
        {
            if (m_Steps == null)
            {
                if (now < m_NextAt)
                    return false;

                m_NextAt = now + m_EveryMs;
                m_Steps = m_Begin();
            }

            try
            {
                if (!m_Steps.MoveNext())
                    m_Steps = null;
            }
            catch (Exception e)
            {
                Journal.Report(m_Name, e);
                m_Steps = null;
            }

            return true;
        }
    }

    /// <summary>
    /// Runs jobs and commands on the core thread, in slices of a few milliseconds with pauses between them.
    /// Time limits a slice, not a number of items, because the cost of an item varies a hundredfold.
    /// </summary>
    internal static class Scheduler
    {
        // A slice ends after the step that exceeds this time. A garbage collection of young objects adds 3 ms
        // or more.
        private const double BudgetMs = 1.5;
        private const double PauseMs = 20;

        private static readonly double m_TicksPerMs = Stopwatch.Frequency / 1000.0;
        private static readonly List<Job> m_Jobs = new List<Job>();
        private static readonly LinkedList<GameCall> m_Calls = new LinkedList<GameCall>();
        private static long m_NextSliceAt;
        private static bool m_IsDue;
        private static int m_NextJob;

        public static Job Add(string name, double everySeconds, Func<IEnumerator> begin)
        {
            var job = new Job(name, everySeconds, begin);
            m_Jobs.Add(job);
            return job;
        }

        /// <summary>
        /// Runs each job once before the game starts: the job stores the present state, and the runtime compiles
        /// the code that the job calls.
        /// </summary>
        public static void RunAllJobs()
        {
            foreach (Job job in m_Jobs)
                job.RunToEnd();
        }

        public static void Start()
        {
            Action slice = RunSlice;
            Core.Slice += () => Guard.Run("slice", slice);
            Timer.DelayCall(TimeSpan.FromMilliseconds(25), TimeSpan.FromMilliseconds(25), () => { m_IsDue = true; });
        }

        private static void RunSlice()
        {
            if (!m_IsDue && !Inbox.HasWorkForGame)
                return;

            long start = Stopwatch.GetTimestamp();

            if (start < m_NextSliceAt)
                return;

            m_IsDue = false;
            long end = start + (long)(BudgetMs * m_TicksPerMs);
            bool hasWorked = TakeFromInbox();
            bool canRunJobs = EventBuffer.IsOpen;

            for (bool hasMore = true; hasMore && Stopwatch.GetTimestamp() < end; )
            {
                hasMore = RunCallStep();
                hasMore |= canRunJobs && Stopwatch.GetTimestamp() < end && RunJobStep();
                hasWorked |= hasMore;
            }

            if (!hasWorked)
                return;

            long now = Stopwatch.GetTimestamp();
            RecordDuration((now - start) / m_TicksPerMs);
            m_NextSliceAt = now + (long)(PauseMs * m_TicksPerMs);
        }

        private static bool TakeFromInbox()
        {
            bool hasWork = false;
            string[] families;
            Command command;

            while ((families = Inbox.TakeHello()) != null)
            {
                States.HandleHello(families);
                hasWork = true;
            }

            while ((command = Inbox.TakeForGame()) != null)
            {
                m_Calls.AddLast(new GameCall(command));
                hasWork = true;
            }

            return hasWork;
        }

        private static bool RunCallStep()
        {
            LinkedListNode<GameCall> first = m_Calls.First;

            if (first == null)
                return false;

            m_Calls.RemoveFirst();

            if (first.Value.RunStep())
                m_Calls.AddLast(first);

            return true;
        }

        private static bool RunJobStep()
        {
            double now = Clock.Ms;

            for (int i = 0; i < m_Jobs.Count; i++)
            {
                Job job = m_Jobs[m_NextJob = (m_NextJob + 1) % m_Jobs.Count];

                if (job.RunStep(now))
                    return true;
            }

            return false;
        }

        // ---- durations of slices

        private const int Slots = 500; // of 0.1 ms each
        private static readonly long[] m_Counts = new long[Slots + 1];
        private static long m_Total;
        private static double m_Longest;

        private static void RecordDuration(double ms)
        {
            m_Counts[Math.Min(Slots, (int)(ms * 10))]++;
            m_Total++;
            m_Longest = Math.Max(m_Longest, ms);
        }

        public static double Quantile(double fraction)
        {
            long left = (long)Math.Ceiling(m_Total * fraction);

            for (int i = 0; i <= Slots; i++)
            {
                left -= m_Counts[i];

                if (left <= 0)
                    return (i + 1) / 10.0;
            }

            return m_Longest;
        }

        public static string Describe()
        {
            return String.Format("Time taken from the game: {0} slices, 99 of 100 under {1:F1} ms, the longest {2:F1} ms.", m_Total, Quantile(0.99), m_Longest);
        }
    }
}
