// Guildhall plugin for ServUO: calls that read files of the server or of the game client. The file
// thread, which never touches the game, answers them.
using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Security.Cryptography;
using System.Text;
using System.Threading;

namespace Guildhall
{
    internal static class FileCalls
    {
        private static readonly Dictionary<string, Func<Command, CommandOutcome>> m_Handlers = new Dictionary<string, Func<Command, CommandOutcome>>(StringComparer.Ordinal);

        private static AtlasSource m_Atlas;
        private static ClilocSource m_Clilocs;
        private static ArtSource m_Art;

        public static void Start(string baseDirectory, string[] clientDirectories)
        {
            m_Atlas = new AtlasSource(baseDirectory);
            m_Clilocs = new ClilocSource(clientDirectories);
            m_Art = new ArtSource(clientDirectories);

            m_Handlers["GET /v1/atlas"] = call => m_Atlas.Describe();
            m_Handlers["GET /v1/atlas/records"] = call => m_Atlas.ReadPage(call);
            m_Handlers["GET /v1/clilocs"] = call => m_Clilocs.Describe();
            m_Handlers["GET /v1/clilocs/entries"] = call => m_Clilocs.ReadPage(call);
            m_Handlers["GET /v1/assets"] = call => m_Art.Describe();
            m_Handlers["GET /v1/assets/keys"] = call => m_Art.ReadPage(call);
            m_Handlers["POST /v1/assets/images"] = call => m_Art.ReadImages(call);

            var thread = new Thread(RunCommands) { IsBackground = true, Name = "Guildhall files", Priority = ThreadPriority.BelowNormal };
            thread.Start();
        }

        public static bool CanHandle(string call)
        {
            return m_Handlers.ContainsKey(call);
        }

        /// <summary>Returns the capabilities for which the server has the files of a game client.</summary>
        public static IEnumerable<string> FindCapabilities()
        {
            if (m_Clilocs.Exists)
                yield return "clilocs";

            if (m_Art.Exists)
                yield return "assets";
        }

        private static void RunCommands()
        {
            for (; ; )
            {
                Command command = Inbox.TakeForFiles();
                CommandOutcome outcome;

                try
                {
                    outcome = m_Handlers[command.Call](command);
                }
                catch (RefusalException refusal)
                {
                    outcome = refusal.ToOutcome();
                }
                catch (Exception e)
                {
                    Journal.Report(command.Call, e);
                    outcome = new CommandOutcome(500, "{\"code\":\"FAILED\"}");
                }

                Inbox.Finish(command, outcome);
            }
        }
    }

    /// <summary>The rows of one page of a list. A cursor is the number of rows before the page.</summary>
    internal struct PageRange
    {
        private const int MaxRows = 2000;
        private const int DefaultRows = 500;

        public int From;
        public int To; // exclusive
        public string Next; // null at the end

        public static PageRange Read(Command call, int count)
        {
            int from = ReadNumber(call.Query.TextOf("cursor"), 0, "cursor");
            int limit = ReadNumber(call.Query.TextOf("limit"), DefaultRows, "limit");

            if (from > count || limit < 1)
                throw RefusalException.Invalid(limit < 1 ? "limit" : "cursor", "is out of range");

            int to = Math.Min(count, from + Math.Min(limit, MaxRows));
            return new PageRange { From = from, To = to, Next = to < count ? to.ToString(CultureInfo.InvariantCulture) : null };
        }

        private static int ReadNumber(string text, int fallback, string name)
        {
            int value;

            if (String.IsNullOrEmpty(text))
                return fallback;

            if (!Int32.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out value))
                throw RefusalException.Invalid(name, "must be a number");

            return value;
        }
    }

    internal static class FileTools
    {
        public static string Sha256(byte[] bytes)
        {
            using (SHA256 sha = SHA256.Create())
                return Hex(sha.ComputeHash(bytes));
        }

        public static string Hex(byte[] hash)
        {
            return BitConverter.ToString(hash).Replace("-", "").ToLowerInvariant();
        }

        /// <summary>Finds a file by its name in any case; returns null if there is none.</summary>
        public static string Find(IEnumerable<string> directories, string name)
        {
            foreach (string directory in directories)
            {
                if (String.IsNullOrEmpty(directory) || !Directory.Exists(directory))
                    continue;

                foreach (string path in Directory.GetFiles(directory))
                {
                    if (String.Equals(Path.GetFileName(path), name, StringComparison.OrdinalIgnoreCase))
                        return path;
                }
            }

            return null;
        }
    }

    /// <summary>The game client's texts, from its file Cliloc.enu.</summary>
    internal sealed class ClilocSource
    {
        private const int ExtractorVersion = 1;

        private readonly string[] m_Directories;
        private DateTime m_FileTime; // change time of the file that was read
        private long m_Size;
        private string m_Sha256;
        private KeyValuePair<int, string>[] m_Entries;

        public ClilocSource(string[] directories)
        {
            m_Directories = directories;
        }

        public bool Exists { get { return FileTools.Find(m_Directories, "Cliloc.enu") != null; } }

        private void Read()
        {
            string path = FileTools.Find(m_Directories, "Cliloc.enu");

            if (path == null)
                throw new RefusalException(422, "NO_SOURCE", null, "the game server has no file Cliloc.enu; set the folder of a game client in Config/DataPath.cfg");

            var file = new FileInfo(path);

            if (m_Entries != null && file.LastWriteTimeUtc == m_FileTime && file.Length == m_Size)
                return;

            byte[] bytes = File.ReadAllBytes(path);
            m_Entries = Parse(bytes);
            m_Sha256 = FileTools.Sha256(bytes);
            m_FileTime = file.LastWriteTimeUtc;
            m_Size = file.Length;
        }

        /// <summary>
        /// Reads a header of 6 bytes, then for each entry a number (4 bytes), a flag (1), a length (2, unsigned)
        /// and a text in UTF-8. A later entry with the same number replaces an earlier one.
        /// </summary>
        private static KeyValuePair<int, string>[] Parse(byte[] bytes)
        {
            if (bytes.Length < 6 || BitConverter.ToInt32(bytes, 0) != 2)
                throw new RefusalException(422, "NO_SOURCE", null, "the plugin cannot read the file Cliloc.enu: it is not a text table, or it is compressed, as in clients from 7.0.104 on");

            var texts = new SortedDictionary<int, string>();

            for (int at = 6; at + 7 <= bytes.Length; )
            {
                int number = BitConverter.ToInt32(bytes, at), length = BitConverter.ToUInt16(bytes, at + 5);

                if (at + 7 + length > bytes.Length)
                    break;

                if (number >= 0)
                    texts[number] = Encoding.UTF8.GetString(bytes, at + 7, length);

                at += 7 + length;
            }

            var entries = new KeyValuePair<int, string>[texts.Count];
            texts.CopyTo(entries, 0);
            return entries;
        }

        public CommandOutcome Describe()
        {
            Read();
            return new CommandOutcome(new JsonWriter().Open().Field("size", m_Size).Field("mtime", JsonWriter.EpochMs(m_FileTime)).Field("sha256", m_Sha256).Field("extractorVersion", ExtractorVersion)
                .Field("hashing", false).Field("complete", true).Field("entries", m_Entries.Length).Close());
        }

        public CommandOutcome ReadPage(Command call)
        {
            Read();
            PageRange page = PageRange.Read(call, m_Entries.Length);
            var body = new JsonWriter(64 * 1024).Open().Field("sha256", m_Sha256).OpenList("entries");

            for (int i = page.From; i < page.To; i++)
                body.OpenList().Value(m_Entries[i].Key).Value(m_Entries[i].Value).CloseList();

            return new CommandOutcome(body.CloseList().Field("next", page.Next).Close());
        }
    }
}
