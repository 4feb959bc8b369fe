// Guildhall plugin for ServUO: the world's regions and spawners, from Data/Regions.xml and the files in
// Spawns and RevampedSpawns. Runs on the file thread and never touches the game.
using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Security.Cryptography;
using System.Text;
using System.Text.RegularExpressions;
using System.Threading;
using System.Xml;

namespace Guildhall
{
    internal sealed class AtlasSource
    {
        private const int MaxPageChars = 4 * 1024 * 1024;
        private const int WaitMs = 5000; // the site waits 10 s for an answer

        private readonly string m_Root;
        private readonly object m_Lock = new object();
        private string m_Stamp; // paths, sizes and times of the files that were read
        private AtlasTree m_Tree;
        private Exception m_Fault;
        private bool m_IsReading;

        public AtlasSource(string root)
        {
            m_Root = root;
        }

        public CommandOutcome Describe()
        {
            AtlasTree tree = LoadTree();

            if (tree == null)
                return new CommandOutcome(new JsonWriter().Open().Null("sha256").OpenList("files").CloseList().Open("counts").Field("regions", 0).Field("spawners", 0).Close().Field("hashing", true).Field("complete", false).Close());

            var body = new JsonWriter(4096).Open().Field("sha256", tree.Sha256).OpenList("files");

            foreach (AtlasFile file in tree.Files)
                body.Open().Field("path", file.Path).Field("size", file.Size).Field("sha256", file.Sha256).Close();

            return new CommandOutcome(body.CloseList().Open("counts").Field("regions", tree.Regions.Count).Field("spawners", tree.Spawners.Count).Close().Field("hashing", false).Field("complete", true).Close());
        }

        public CommandOutcome ReadPage(Command call)
        {
            AtlasTree tree = LoadTree();

            if (tree == null)
                throw new RefusalException(409, "BUSY");

            int regions = tree.Regions.Count;
            PageRange page = PageRange.Read(call, regions + tree.Spawners.Count);
            var body = new JsonWriter(256 * 1024).Open().Field("sha256", tree.Sha256).OpenList("regions");
            int i = page.From;

            for (; i < page.To && i < regions && body.Length < MaxPageChars; i++)
                body.Raw(tree.Regions[i]);

            body.CloseList().OpenList("spawners");

            for (; i >= regions && i < page.To && body.Length < MaxPageChars; i++)
                body.Raw(tree.Spawners[i - regions]);

            string next = i < page.To ? i.ToString(CultureInfo.InvariantCulture) : page.Next;
            return new CommandOutcome(body.CloseList().Field("next", next).Close());
        }

        /// <summary>Returns the tree of the current files, or null while they are being read.</summary>
        private AtlasTree LoadTree()
        {
            List<string> paths = ListFiles();
            string stamp = MakeStamp(paths);

            lock (m_Lock)
            {
                if (m_Stamp != stamp && !m_IsReading)
                {
                    m_Stamp = stamp;
                    m_Tree = null;
                    m_Fault = null;
                    m_IsReading = true;
                    var thread = new Thread(() => ReadFiles(paths)) { IsBackground = true, Name = "Guildhall atlas", Priority = ThreadPriority.BelowNormal };
                    thread.Start();
                }

                if (m_IsReading)
                    Monitor.Wait(m_Lock, WaitMs);

                if (m_Fault != null)
                    throw new RefusalException(422, "NO_SOURCE", null, "the plugin cannot read the region and spawn files: " + m_Fault.Message);

                return m_IsReading ? null : m_Tree;
            }
        }

        private void ReadFiles(List<string> paths)
        {
            AtlasTree tree = null;
            Exception fault = null;

            try
            {
                tree = AtlasTree.Read(m_Root, paths);
            }
            catch (Exception e)
            {
                fault = e;
            }

            lock (m_Lock)
            {
                m_Tree = tree;
                m_Fault = fault;
                m_IsReading = false;

                if (fault != null)
                    m_Stamp = null; // the next call tries again

                Monitor.PulseAll(m_Lock);
            }
        }

        private List<string> ListFiles()
        {
            var paths = new List<string>();
            string regions = Path.Combine(Path.Combine(m_Root, "Data"), "Regions.xml");

            if (!File.Exists(regions))
                throw new RefusalException(422, "NO_SOURCE", null, "the game server has no file Data/Regions.xml");

            paths.Add(regions);

            foreach (string folder in new[] { "Spawns", "RevampedSpawns" })
            {
                string path = Path.Combine(m_Root, folder);

                if (!Directory.Exists(path))
                    continue;

                var files = new List<string>(Directory.GetFiles(path, "*.xml", SearchOption.AllDirectories));
                files.Sort(StringComparer.Ordinal);
                paths.AddRange(files);
            }

            return paths;
        }

        private static string MakeStamp(List<string> paths)
        {
            var stamp = new StringBuilder();

            foreach (string path in paths)
            {
                var file = new FileInfo(path);
                stamp.Append(path).Append('|').Append(file.Length).Append('|').Append(file.LastWriteTimeUtc.Ticks).Append('\n');
            }

            return stamp.ToString();
        }
    }

    internal struct AtlasFile
    {
        public string Path;
        public long Size;
        public string Sha256;
    }

    /// <summary>Regions and spawners, each as the JSON of its record.</summary>
    internal sealed class AtlasTree
    {
        public readonly List<AtlasFile> Files = new List<AtlasFile>();
        public readonly List<string> Regions = new List<string>();
        public readonly List<string> Spawners = new List<string>();
        public string Sha256;

        private readonly Facets m_Facets = new Facets();

        public static AtlasTree Read(string root, List<string> paths)
        {
            var tree = new AtlasTree();
            var fileHashes = new StringBuilder();

            foreach (string path in paths)
            {
                byte[] bytes = File.ReadAllBytes(path);
                var file = new AtlasFile { Path = path.Substring(root.Length).TrimStart('/', '\\').Replace('\\', '/'), Size = bytes.Length, Sha256 = FileTools.Sha256(bytes) };

                if (path == paths[0])
                    new RegionReader(tree, tree.m_Facets).Read(bytes);
                else if (!new SpawnReader(tree, tree.m_Facets, file.Path).Read(bytes))
                    continue; // another program's file

                tree.Files.Add(file);
                fileHashes.Append(file.Path).Append('\0').Append(file.Sha256).Append('\n');
            }

            tree.Sha256 = FileTools.Sha256(Encoding.UTF8.GetBytes(fileHashes.ToString()));
            return tree;
        }
    }

    /// <summary>Names of facets. The spelling that is read first replaces all others.</summary>
    internal sealed class Facets
    {
        private static readonly string[] m_Stock = { "Felucca", "Trammel", "Ilshenar", "Malas", "Tokuno", "TerMur" };

        private readonly Dictionary<string, string> m_Spellings = new Dictionary<string, string>(StringComparer.OrdinalIgnoreCase);

        public Facets()
        {
            foreach (string name in m_Stock)
                m_Spellings[name] = name;
        }

        /// <summary>Returns null for an empty name and for the map Internal, which is outside the world.</summary>
        public string FindName(string value)
        {
            string spelling, name = AtlasText.Clean(value);
            int index;

            if (name == null || String.Equals(name, "Internal", StringComparison.OrdinalIgnoreCase))
                return null;

            if (name.Length <= 3 && Int32.TryParse(name, NumberStyles.None, CultureInfo.InvariantCulture, out index))
                return index == 0x7F ? null : index < m_Stock.Length ? m_Stock[index] : "Map" + index;

            if (!m_Spellings.TryGetValue(name, out spelling))
                m_Spellings[name] = spelling = name;

            return spelling;
        }
    }

    internal static class AtlasText
    {
        private static readonly Regex m_Number = new Regex(@"^\s*[+-]?\d+(\.\d+)?\s*$", RegexOptions.CultureInvariant);

        /// <summary>Trims a text and cuts it to 256 characters; returns null for an empty one.</summary>
        public static string Clean(string value)
        {
            if (value == null)
                return null;

            value = value.Trim();
            return value.Length == 0 ? null : Facts.Cut(value, 256);
        }

        public static int? ReadInteger(string value)
        {
            double number;

            if (value == null || !m_Number.IsMatch(value) || !Double.TryParse(value, NumberStyles.Float, CultureInfo.InvariantCulture, out number))
                return null;

            number = Math.Truncate(number);
            return Math.Abs(number) <= Int32.MaxValue ? (int?)number : null;
        }

        /// <summary>Accepts a decimal comma, which .NET writes in some cultures.</summary>
        public static double? ReadNumber(string value)
        {
            double number;

            if (value == null || !Double.TryParse(value.Trim().Replace(',', '.'), NumberStyles.Float, CultureInfo.InvariantCulture, out number) || Math.Abs(number) >= 1e12)
                return null;

            return number;
        }

        public static bool ReadFlag(string value, bool fallback)
        {
            bool flag;
            return Boolean.TryParse((value ?? "").Trim(), out flag) ? flag : fallback;
        }

        /// <summary>Returns a key for a record without an id: equal content gives equal keys.</summary>
        public static string MakeKey(string content)
        {
            using (SHA1 sha = SHA1.Create())
                return FileTools.Hex(sha.ComputeHash(Encoding.UTF8.GetBytes(content)));
        }

        public static XmlReader Open(byte[] bytes)
        {
            // Prohibit document types, because their entities can expand without limit.
            var settings = new XmlReaderSettings { DtdProcessing = DtdProcessing.Prohibit, IgnoreComments = true, IgnoreProcessingInstructions = true, XmlResolver = null };
            return XmlReader.Create(new MemoryStream(bytes), settings);
        }
    }

    /// <summary>Reads Data/Regions.xml: facets that contain nested regions.</summary>
    internal sealed class RegionReader
    {
        private sealed class Rect
        {
            public int X1, Y1, X2, Y2;
            public int? Z1, Z2;
        }

        private sealed class RegionDraft
        {
            public string Facet, Name, Type, Expansion, Music, Rune;
            public RegionDraft Parent;
            public int Priority = 50;
            public int MinZ = -128, MaxZ = 128;
            public string Go, Entrance; // JSON of a point
            public bool GuardsDisabled, NoHousing;
            public bool LogoutDelay = true;
            public readonly List<Rect> Rects = new List<Rect>();
        }

        private static readonly Regex m_GuardedTypes = new Regex("guarded|town", RegexOptions.IgnoreCase | RegexOptions.CultureInvariant);
        private static readonly Regex m_TypesWithoutHousing = new Regex("nohousing|dungeon|town|guarded|jail|greenacres|mondain|apprentice", RegexOptions.IgnoreCase | RegexOptions.CultureInvariant);

        private readonly AtlasTree m_Tree;
        private readonly Facets m_Facets;
        private readonly List<RegionDraft> m_Drafts = new List<RegionDraft>();

        public RegionReader(AtlasTree tree, Facets facets)
        {
            m_Tree = tree;
            m_Facets = facets;
        }

        public void Read(byte[] bytes)
        {
            using (XmlReader xml = AtlasText.Open(bytes))
            {
                xml.MoveToContent();
                ReadChildren(xml, (name, attributes) =>
                {
                    string facet = name == "facet" ? m_Facets.FindName(Get(attributes, "name")) : null;

                    if (facet == null)
                        xml.Skip();
                    else
                        ReadChildren(xml, (inner, values) => ReadRegion(xml, inner, values, facet, null));
                });
            }

            foreach (RegionDraft draft in m_Drafts)
                m_Tree.Regions.Add(Write(draft));
        }

        /// <summary>Calls `read` for each child of the current element. `read` must move the reader past the child.</summary>
        private static void ReadChildren(XmlReader xml, Action<string, Dictionary<string, string>> read)
        {
            if (xml.IsEmptyElement)
            {
                xml.Read();
                return;
            }

            xml.Read();

            while (xml.NodeType != XmlNodeType.EndElement && !xml.EOF)
            {
                if (xml.NodeType == XmlNodeType.Element)
                    read(xml.Name.ToLowerInvariant(), ReadAttributes(xml));
                else
                    xml.Read();
            }

            xml.Read();
        }

        private static Dictionary<string, string> ReadAttributes(XmlReader xml)
        {
            var attributes = new Dictionary<string, string>();

            while (xml.MoveToNextAttribute())
                attributes[xml.Name.ToLowerInvariant()] = xml.Value;

            xml.MoveToElement();
            return attributes;
        }

        private static string Get(Dictionary<string, string> attributes, string name)
        {
            string value;
            return attributes.TryGetValue(name, out value) ? value : null;
        }

        private void ReadRegion(XmlReader xml, string name, Dictionary<string, string> attributes, string facet, RegionDraft parent)
        {
            if (name != "region")
            {
                xml.Skip();
                return;
            }

            var draft = new RegionDraft { Facet = facet, Parent = parent, Name = AtlasText.Clean(Get(attributes, "name")), Type = AtlasText.Clean(Get(attributes, "type")), Expansion = AtlasText.Clean(Get(attributes, "expansion")) };

            // A nested region has its parent's priority, because the game ignores the nested region's own one.
            draft.Priority = parent != null ? parent.Priority : AtlasText.ReadInteger(Get(attributes, "priority")) ?? 50;
            m_Drafts.Add(draft);

            ReadChildren(xml, (inner, values) =>
            {
                if (inner == "region")
                {
                    ReadRegion(xml, inner, values, facet, draft);
                    return;
                }

                ReadElement(draft, inner, values);
                xml.Skip();
            });
        }

        private void ReadElement(RegionDraft draft, string name, Dictionary<string, string> values)
        {
            switch (name)
            {
                case "rect": ReadRect(draft, values); break;
                case "zrange":
                    draft.MinZ = AtlasText.ReadInteger(Get(values, "min")) ?? -128;
                    draft.MaxZ = AtlasText.ReadInteger(Get(values, "max")) ?? 128;
                    break;
                case "go": draft.Go = ReadPoint(values, null); break;
                case "entrance":
                    string map = m_Facets.FindName(Get(values, "map") ?? draft.Facet);
                    draft.Entrance = map == null ? null : ReadPoint(values, map);
                    break;
                case "music": draft.Music = AtlasText.Clean(Get(values, "name")); break;
                case "rune": draft.Rune = AtlasText.Clean(Get(values, "name")); break;
                case "logoutdelay": draft.LogoutDelay = AtlasText.ReadFlag(Get(values, "active"), true); break;
                case "guards": draft.GuardsDisabled = AtlasText.ReadFlag(Get(values, "disabled"), false); break;
                case "smartnohousing": draft.NoHousing = AtlasText.ReadFlag(Get(values, "active"), true); break;
            }
        }

        private static string ReadPoint(Dictionary<string, string> values, string map)
        {
            int? x = AtlasText.ReadInteger(Get(values, "x")), y = AtlasText.ReadInteger(Get(values, "y")), z = AtlasText.ReadInteger(Get(values, "z") ?? "0");

            if (x == null || y == null || z == null)
                return null;

            var point = new JsonWriter(64).Open().Field("x", x).Field("y", y).Field("z", z);
            return (map == null ? point : point.Field("map", map)).Close().ToString();
        }

        /// <summary>A rectangle has a size or a far corner; both forms occur in one file.</summary>
        private static void ReadRect(RegionDraft draft, Dictionary<string, string> values)
        {
            int? x1 = AtlasText.ReadInteger(Get(values, "x") ?? Get(values, "x1")), y1 = AtlasText.ReadInteger(Get(values, "y") ?? Get(values, "y1"));
            int? x2 = Get(values, "width") == null ? AtlasText.ReadInteger(Get(values, "x2")) : x1 + AtlasText.ReadInteger(Get(values, "width"));
            int? y2 = Get(values, "height") == null ? AtlasText.ReadInteger(Get(values, "y2")) : y1 + AtlasText.ReadInteger(Get(values, "height"));

            if (x1 != null && y1 != null && x2 != null && y2 != null)
                draft.Rects.Add(new Rect { X1 = x1.Value, Y1 = y1.Value, X2 = x2.Value, Y2 = y2.Value, Z1 = AtlasText.ReadInteger(Get(values, "zmin")), Z2 = AtlasText.ReadInteger(Get(values, "zmax")) });
        }

        private static string Write(RegionDraft draft)
        {
            var parents = new List<string>();
            string music = draft.Music, parent = null;
            long area = 0;

            for (RegionDraft each = draft.Parent; each != null; each = each.Parent)
            {
                parents.Insert(0, each.Name ?? "");
                parent = parent ?? each.Name;
                music = music ?? each.Music;
            }

            var rects = new JsonWriter(256).OpenList();

            foreach (Rect rect in draft.Rects)
            {
                rects.Open().Field("x1", rect.X1).Field("y1", rect.Y1).Field("x2", rect.X2).Field("y2", rect.Y2).Field("z1", rect.Z1 ?? draft.MinZ).Field("z2", rect.Z2 ?? draft.MaxZ).Close();
                area += Math.Max(0L, rect.X2 - (long)rect.X1) * Math.Max(0L, rect.Y2 - (long)rect.Y1);
            }

            string rectsJson = rects.CloseList().ToString(), type = draft.Type ?? "";
            string path = String.Join("/", parents.ToArray()) + (parents.Count > 0 ? "/" : "") + (draft.Name ?? "");
            string key = AtlasText.MakeKey(new JsonWriter().OpenList().Value(draft.Facet).Value(path).Raw(rectsJson).CloseList().ToString());

            return new JsonWriter(1024).Open().Field("facet", draft.Facet).Field("name", draft.Name).Field("type", draft.Type).Field("parent", parent).Field("level", parents.Count).Field("priority", draft.Priority)
                .FieldRaw("rects", rectsJson).FieldRaw("go", draft.Go ?? "null").FieldRaw("entrance", draft.Entrance ?? "null").Field("music", music).Field("rune", draft.Rune)
                .Field("guarded", !draft.GuardsDisabled && m_GuardedTypes.IsMatch(type)).Field("housing", !draft.NoHousing && !m_TypesWithoutHousing.IsMatch(type)).Field("logoutDelay", draft.LogoutDelay)
                .Field("minExpansion", draft.Expansion).Null("maxExpansion").Field("area", area).Field("key", key).Close().ToString();
        }
    }

    /// <summary>Reads a file of spawners: a dataset with an element `Points` for each spawner.</summary>
    internal sealed class SpawnReader
    {
        private const int MaxEntries = 1000;
        private static readonly Regex m_Setting = new Regex(":[A-Z]{2}=", RegexOptions.CultureInvariant);

        private readonly AtlasTree m_Tree;
        private readonly Facets m_Facets;
        private readonly string m_Path;

        public SpawnReader(AtlasTree tree, Facets facets, string path)
        {
            m_Tree = tree;
            m_Facets = facets;
            m_Path = path;
        }

        /// <summary>Returns false for a file of another format.</summary>
        public bool Read(byte[] bytes)
        {
            if (bytes.Length == 0)
                return false;

            using (XmlReader xml = AtlasText.Open(bytes))
            {
                xml.MoveToContent();

                if (xml.Name != "Spawns")
                    return false;

                while (xml.Read())
                {
                    if (xml.NodeType == XmlNodeType.Element && String.Equals(xml.Name, "Points", StringComparison.OrdinalIgnoreCase) && !xml.IsEmptyElement)
                        ReadSpawner(xml);
                }
            }

            return true;
        }

        private void ReadSpawner(XmlReader xml)
        {
            // Some spawners of the stock files repeat an element, so each name has a list of values.
            var values = new Dictionary<string, List<string>>(StringComparer.OrdinalIgnoreCase);
            int depth = xml.Depth;
            xml.Read();

            while (xml.Depth > depth)
            {
                if (xml.NodeType != XmlNodeType.Element)
                {
                    xml.Read();
                    continue;
                }

                List<string> list;
                string name = xml.Name;

                if (!values.TryGetValue(name, out list))
                    values[name] = list = new List<string>();

                list.Add(xml.ReadElementContentAsString());
            }

            Write(values);
        }

        private static string GetFirst(Dictionary<string, List<string>> values, string name)
        {
            List<string> list;
            return values.TryGetValue(name, out list) ? list[0] : null;
        }

        private void Write(Dictionary<string, List<string>> values)
        {
            string facet = m_Facets.FindName(GetFirst(values, "Map"));
            int? x = AtlasText.ReadInteger(GetFirst(values, "CentreX")), y = AtlasText.ReadInteger(GetFirst(values, "CentreY")), z = AtlasText.ReadInteger(GetFirst(values, "CentreZ") ?? "0");

            if (facet == null || x == null || y == null || z == null)
                return;

            string name = AtlasText.Clean(GetFirst(values, "Name")), entries = WriteEntries(values);
            int range = AtlasText.ReadInteger(GetFirst(values, "Range")) ?? 0;
            string key = AtlasText.Clean(GetFirst(values, "UniqueId"))
                ?? AtlasText.MakeKey(new JsonWriter().OpenList().Value(facet).Value(name).Value(x.Value).Value(y.Value).Value(z.Value).Raw(entries).CloseList().ToString());
            double minDelay, maxDelay;
            ReadDelays(values, out minDelay, out maxDelay);

            m_Tree.Spawners.Add(new JsonWriter(1024).Open().Field("facet", facet).Field("key", key).Field("name", name).Field("x", x).Field("y", y).Field("z", z).FieldRaw("rect", WriteRect(values))
                .Field("homeRange", range).Field("walkRange", range).Field("count", AtlasText.ReadInteger(GetFirst(values, "MaxCount")) ?? 0).Field("minDelaySec", minDelay).Field("maxDelaySec", maxDelay)
                .Field("running", AtlasText.ReadFlag(GetFirst(values, "IsRunning"), true)).Null("region").FieldRaw("entries", entries).Field("source", m_Path).Close().ToString());
        }

        /// <summary>Returns seconds. The file has minutes, or seconds if the spawner sets DelayInSec.</summary>
        private static void ReadDelays(Dictionary<string, List<string>> values, out double min, out double max)
        {
            List<string> minValues;
            values.TryGetValue("MinDelay", out minValues);
            int unit = AtlasText.ReadFlag(GetFirst(values, "DelayInSec"), false) ? 1 : 60;
            string second = minValues != null && minValues.Count > 1 ? minValues[1] : null;
            min = Math.Max(0, AtlasText.ReadNumber(minValues == null ? null : minValues[0]) ?? 0);
            max = Math.Max(0, AtlasText.ReadNumber(GetFirst(values, "MaxDelay") ?? second) ?? min) * unit;
            min *= unit;
        }

        private static string WriteRect(Dictionary<string, List<string>> values)
        {
            int? x = AtlasText.ReadInteger(GetFirst(values, "X")), y = AtlasText.ReadInteger(GetFirst(values, "Y"));
            int width = AtlasText.ReadInteger(GetFirst(values, "Width")) ?? 0, height = AtlasText.ReadInteger(GetFirst(values, "Height")) ?? 0;

            if (x == null || y == null || width <= 0 || height <= 0)
                return "null";

            return new JsonWriter(64).Open().Field("x1", x).Field("y1", y).Field("x2", x.Value + (long)width).Field("y2", y.Value + (long)height).Close().ToString();
        }

        private static string WriteEntries(Dictionary<string, List<string>> values)
        {
            string newFormat = GetFirst(values, "Objects2");
            var list = new JsonWriter(256).OpenList();

            if (!String.IsNullOrEmpty(newFormat) && newFormat.Trim().Length > 0)
            {
                foreach (string each in newFormat.Split(new[] { ":OBJ=" }, MaxEntries, StringSplitOptions.None))
                {
                    Match end = m_Setting.Match(each);
                    string settings = end.Success ? each.Substring(end.Index) : "";
                    WriteEntry(list, end.Success ? each.Substring(0, end.Index) : each, AtlasText.ReadInteger(ReadSetting(settings, "MX")) ?? 1, ReadDelay(settings, "DN"), ReadDelay(settings, "DX"));
                }
            }
            else
            {
                // The older format of entries: Orc=3:Ettin=1
                foreach (string each in (GetFirst(values, "Objects") ?? "").Split(new[] { ':' }, MaxEntries))
                {
                    int at = each.LastIndexOf('=');
                    WriteEntry(list, at < 0 ? each : each.Substring(0, at), at < 0 ? 1 : AtlasText.ReadInteger(each.Substring(at + 1)) ?? 1, null, null);
                }
            }

            return list.CloseList().ToString();
        }

        /// <summary>Returns the last value of a setting in a text such as `:MX=3:SB=0`.</summary>
        private static string ReadSetting(string settings, string name)
        {
            string head = ":" + name + "=";
            int at = settings.LastIndexOf(head, StringComparison.Ordinal);

            if (at < 0)
                return null;

            int end = settings.IndexOf(':', at + head.Length);
            return end < 0 ? settings.Substring(at + head.Length) : settings.Substring(at + head.Length, end - at - head.Length);
        }

        private static double? ReadDelay(string settings, string name)
        {
            double? minutes = AtlasText.ReadNumber(ReadSetting(settings, name));
            return minutes == null || minutes < 0 ? null : minutes * 60;
        }

        /// <summary>Writes one entry of a spawner: the name of its type without arguments and properties. Writes nothing for a condition, which begins with #.</summary>
        private static void WriteEntry(JsonWriter list, string spec, int max, double? minDelay, double? maxDelay)
        {
            int end = spec.IndexOfAny(new[] { ',', '/', '<' });
            string type = AtlasText.Clean(end < 0 ? spec : spec.Substring(0, end));

            if (type == null || type[0] == '#')
                return;

            list.Open().Field("type", type).Field("typeKey", type.ToLowerInvariant()).Field("max", max).Null("probability").Field("args", end < 0 ? null : AtlasText.Clean(spec.Substring(end)));
            list = minDelay == null ? list.Null("minDelaySec") : list.Field("minDelaySec", minDelay.Value);
            list = maxDelay == null ? list.Null("maxDelaySec") : list.Field("maxDelaySec", maxDelay.Value);
            list.Close();
        }
    }
}
