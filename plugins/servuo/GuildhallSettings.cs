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
        private static DateTime m_ReadAt; // change time of the file that was read
        private static DateTime? m_DoubtedAt; // change time of a file that was read without its key

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
                    DateTime changed = File.Exists(m_Path) ? File.GetLastWriteTimeUtc(m_Path) : DateTime.MinValue;
                    return changed != m_ReadAt && Take(changed);
                }
            }
            catch (IOException e)
            {
                Journal.Report("settings", "Config/Guildhall.cfg cannot be read: " + e.Message);
            }
            catch (UnauthorizedAccessException e)
            {
                Journal.Report("settings", "Config/Guildhall.cfg cannot be read: " + e.Message);
            }

            return false;
        }

        private static bool Take(DateTime changed)
        {
            var values = new Dictionary<string, string>(StringComparer.OrdinalIgnoreCase);

            if (changed != DateTime.MinValue)
            {
                foreach (string line in File.ReadAllLines(m_Path))
                    ReadLine(line.Trim().TrimStart('@'), values);
            }

            // An editor may empty or remove a file before it writes it, so accept a missing key at the second read only.
            if (Text("Key") != null && !values.ContainsKey("Key") && m_DoubtedAt != changed)
            {
                m_DoubtedAt = changed;
                return false;
            }

            m_DoubtedAt = null;
            m_ReadAt = changed;

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

        public static string Text(string name)
        {
            lock (m_Lock)
            {
                string value;
                return m_Values.TryGetValue(name, out value) && value.Length > 0 ? value : null;
            }
        }

        public static bool Flag(string name, bool otherwise)
        {
            bool value;
            return Boolean.TryParse(Text(name) ?? "", out value) ? value : otherwise;
        }

        /// <summary>Sets a value at once and writes the file on another thread, because a disk may be slow.</summary>
        public static void SaveLater(string name, string value)
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
                    Journal.Report("settings", "Config/Guildhall.cfg cannot be written: " + e.Message);
                }
            });
        }

        /// <summary>Stores settings and keeps the others of the file.</summary>
        /// <exception cref="IOException">The file cannot be written.</exception>
        public static void Save(params string[] namesAndValues)
        {
            lock (m_FileLock)
            {
                Write(Change(namesAndValues));
                m_ReadAt = File.GetLastWriteTimeUtc(m_Path);
            }
        }

        /// <summary>Sets the values and returns the new text of the file.</summary>
        private static string Change(string[] namesAndValues)
        {
            lock (m_Lock)
            {
                for (int i = 0; i < namesAndValues.Length; i += 2)
                    m_Values[namesAndValues[i]] = namesAndValues[i + 1];

                var text = new StringBuilder();
                text.AppendLine("# The link to your Guildhall site. The key is a secret: show this file to nobody.");
                text.AppendLine("# Speech=false keeps what players say from the site; Writes=false lets the site");
                text.AppendLine("# read and change nothing.");
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

        public static void Say(string line)
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

            Say(line);
        }

        public static void Report(string subject, Exception fault)
        {
            Report(subject, "A fault in \"" + subject + "\" was caught: " + fault);
        }
    }
}
