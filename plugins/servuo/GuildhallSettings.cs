// Guildhall plugin for ServUO: the file Config/Guildhall.cfg, and lines on the server's console.
using System;
using System.Collections.Generic;
using System.IO;
using System.Text;
using System.Threading;

namespace Guildhall
{
    /// <summary>
    /// The plugin's settings. The file has the format of ServUO's other settings and is read again when it
    /// changes, so the server needs no restart.
    /// </summary>
    internal static class Settings
    {
        // A disk may be slow and the core thread takes m_Lock, so read and write the file under m_FileLock only.
        private static readonly object m_Lock = new object();
        private static readonly object m_FileLock = new object();
        private static Dictionary<string, string> m_Values = new Dictionary<string, string>(StringComparer.OrdinalIgnoreCase);
        private static string m_Path;
        private static DateTime m_FileTime; // change time of the file that was read
        private static DateTime? m_KeylessFileTime; // change time of a file that was read without its key

        public static string Path { get { return m_Path; } }

        public static void Load(string baseDirectory)
        {
            m_Path = System.IO.Path.Combine(System.IO.Path.Combine(baseDirectory, "Config"), "Guildhall.cfg");
            ReadIfChanged();
        }

        /// <summary>Returns true if the settings were read again.</summary>
        public static bool ReadIfChanged()
        {
            try
            {
                lock (m_FileLock)
                {
                    DateTime changeTime = File.Exists(m_Path) ? File.GetLastWriteTimeUtc(m_Path) : DateTime.MinValue;
                    return changeTime != m_FileTime && ReadFile(changeTime);
                }
            }
            catch (IOException e)
            {
                Journal.Report("settings", "The plugin cannot read Config/Guildhall.cfg: " + e.Message);
            }
            catch (UnauthorizedAccessException e)
            {
                Journal.Report("settings", "The plugin cannot read Config/Guildhall.cfg: " + e.Message);
            }

            return false;
        }

        private static bool ReadFile(DateTime changeTime)
        {
            var values = new Dictionary<string, string>(StringComparer.OrdinalIgnoreCase);

            if (changeTime != DateTime.MinValue)
            {
                foreach (string line in File.ReadAllLines(m_Path))
                    ReadLine(line.Trim().TrimStart('@'), values);
            }

            // An editor may empty or remove a file before it writes it, so accept a missing key at the second read only.
            if (GetText("Key") != null && !values.ContainsKey("Key") && m_KeylessFileTime != changeTime)
            {
                m_KeylessFileTime = changeTime;
                return false;
            }

            m_KeylessFileTime = null;
            m_FileTime = changeTime;

            lock (m_Lock)
                m_Values = values;

            return true;
        }

        private static void ReadLine(string line, Dictionary<string, string> values)
        {
            int at = line.IndexOf('=');

            if (at > 0 && line[0] != '#')
                values[line.Substring(0, at).Trim()] = line.Substring(at + 1).Trim();
        }

        public static string GetText(string name)
        {
            lock (m_Lock)
            {
                string value;
                return m_Values.TryGetValue(name, out value) && value.Length > 0 ? value : null;
            }
        }

        public static bool GetFlag(string name, bool fallback)
        {
            bool value;
            return Boolean.TryParse(GetText(name) ?? "", out value) ? value : fallback;
        }

        /// <summary>Sets a value at once and writes the file on another thread, because a disk may be slow.</summary>
        public static void SaveInBackground(string name, string value)
        {
            lock (m_Lock)
                m_Values[name] = value;

            ThreadPool.QueueUserWorkItem(delegate
            {
                try
                {
                    Save();
                }
                catch (Exception e)
                {
                    Journal.Report("settings", "The plugin cannot write Config/Guildhall.cfg: " + e.Message);
                }
            });
        }

        /// <summary>Stores settings and keeps all other settings of the file.</summary>
        /// <exception cref="IOException">The file cannot be written.</exception>
        public static void Save(params string[] namesAndValues)
        {
            lock (m_FileLock)
            {
                Write(ApplyValues(namesAndValues));
                m_FileTime = File.GetLastWriteTimeUtc(m_Path);
            }
        }

        /// <summary>Sets the values and returns the new text of the file.</summary>
        private static string ApplyValues(string[] namesAndValues)
        {
            lock (m_Lock)
            {
                for (int i = 0; i < namesAndValues.Length; i += 2)
                    m_Values[namesAndValues[i]] = namesAndValues[i + 1];

                var text = new StringBuilder();
                text.AppendLine("# The link to your Guildhall site. The key is a secret: show this file to nobody.");
                text.AppendLine("# With Speech=false, the site does not get chat and speech. With Writes=false, the");
                text.AppendLine("# site can only read.");
                text.AppendLine();

                foreach (var entry in m_Values)
                    text.Append(entry.Key).Append('=').AppendLine(entry.Value);

                return text.ToString();
            }
        }

        /// <summary>Replaces the file in one step, because a half-written file would lose the key.</summary>
        private static void Write(string text)
        {
            string next = m_Path + ".new";
            File.WriteAllText(next, text);

            if (File.Exists(m_Path))
                File.Replace(next, m_Path, null);
            else
                File.Move(next, m_Path);
        }
    }

    /// <summary>Prints lines on the server's console; Report prints each subject at most once a minute.</summary>
    internal static class Journal
    {
        private static readonly object m_Lock = new object();
        private static readonly Dictionary<string, DateTime> m_ReportedAt = new Dictionary<string, DateTime>();

        public static void Print(string line)
        {
            try
            {
                Console.WriteLine("Guildhall: " + line);
            }
            catch (IOException)
            {
                // A closed console must not stop the caller.
            }
        }

        public static void Report(string subject, string line)
        {
            lock (m_Lock)
            {
                DateTime last;
                DateTime now = DateTime.UtcNow;

                if (m_ReportedAt.TryGetValue(subject, out last) && now - last < TimeSpan.FromMinutes(1))
                    return;

                m_ReportedAt[subject] = now;
            }

            Print(line);
        }

        public static void Report(string subject, Exception fault)
        {
            Report(subject, "The plugin caught an error in \"" + subject + "\", and the game continues: " + fault);
        }
    }
}
