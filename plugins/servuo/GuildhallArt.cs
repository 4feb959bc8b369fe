// Guildhall plugin for ServUO: pictures of items and creatures, from the game client's files
// (Config/DataPath.cfg). Runs on the file thread and never touches the game. Decodes the files itself,
// because many hosts lack the framework's graphics library.
using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.IO.Compression;
using System.Text;
using System.Threading;

namespace Guildhall
{
    /// <summary>
    /// The catalog lists pictures of creatures with their hashes, so each is drawn once when the catalog is
    /// made. Items, plain or dyed, are drawn on request.
    /// </summary>
    internal sealed class ArtSource
    {
        private const int ExtractorVersion = 1;
        private const int MaxKeys = 200;
        private const int MaxImagesChars = 10 * 1024 * 1024;
        private const int WaitMs = 5000; // the site waits 10 s for an answer

        // Human, elf and gargoyle, alive and as ghosts, and the bodies of staff.
        private static readonly int[] m_PlayerBodies = { 400, 401, 402, 403, 605, 606, 607, 608, 666, 667, 694, 695, 970, 987 };

        private sealed class Catalog
        {
            public string Hash;
            public int Files;
            public HuePalettes Hues;
            public AnimationFiles Animations;
            public readonly SortedDictionary<string, string> Keys = new SortedDictionary<string, string>(StringComparer.Ordinal); // hash by key
            public string[] SortedKeys;
        }

        private readonly string[] m_Directories;
        private readonly object m_Lock = new object();
        private string m_Stamp;
        private Catalog m_Catalog;
        private bool m_IsReading;

        public ArtSource(string[] directories)
        {
            m_Directories = directories;
        }

        public bool Exists
        {
            get
            {
                bool hasArt = FileTools.Find(m_Directories, "artLegacyMUL.uop") != null
                    || (FileTools.Find(m_Directories, "art.mul") != null && FileTools.Find(m_Directories, "artidx.mul") != null);
                return hasArt && FileTools.Find(m_Directories, "hues.mul") != null;
            }
        }

        public CommandOutcome Describe()
        {
            Catalog catalog = LoadCatalog();
            var body = new JsonWriter(512).Open();

            if (catalog == null)
                body.Null("catalog").Field("files", 0);
            else
                body.Field("catalog", catalog.Hash).Field("files", catalog.Files);

            body.Field("extractorVersion", ExtractorVersion).Field("hashing", catalog == null).Field("complete", catalog != null).Field("keys", catalog == null ? 0 : catalog.SortedKeys.Length)
                .Open("imaging").Field("ok", true).Null("code").Null("reason").Close().OpenList("families").Value("item").Value("body").CloseList().OpenList("playerBodies");

            foreach (int number in m_PlayerBodies)
                body.Value(number);

            return new CommandOutcome(body.CloseList().Close());
        }

        public CommandOutcome ReadPage(Command call)
        {
            Catalog catalog = LoadCatalog();

            if (catalog == null)
                throw new RefusalException(409, "BUSY");

            PageRange page = PageRange.Read(call, catalog.SortedKeys.Length);
            var body = new JsonWriter(64 * 1024).Open().Field("catalog", catalog.Hash).OpenList("keys");

            for (int i = page.From; i < page.To; i++)
                body.OpenList().Value(catalog.SortedKeys[i]).Value(catalog.Keys[catalog.SortedKeys[i]]).CloseList();

            return new CommandOutcome(body.CloseList().Field("next", page.Next).Close());
        }

        public CommandOutcome ReadImages(Command call)
        {
            Catalog catalog = LoadCatalog();
            List<object> keys = call.Body.ListOf("keys");

            if (keys == null || keys.Count < 1 || keys.Count > MaxKeys)
                throw RefusalException.Invalid("keys", "must be a list of 1 to " + MaxKeys + " keys");

            if (catalog == null)
                throw new RefusalException(409, "BUSY");

            var images = new JsonWriter(256 * 1024).OpenList();
            var absent = new JsonWriter().OpenList();
            var unsupported = new JsonWriter().OpenList();

            foreach (object each in keys)
            {
                string key = each as string ?? "";
                bool isSupported;
                Picture picture = Draw(key, catalog, out isSupported);
                byte[] png = picture == null || images.Length > MaxImagesChars ? null : picture.ToPng();

                if (!isSupported)
                    unsupported.Value(key);
                else if (png == null)
                    absent.Value(key);
                else
                    images.Open().Field("key", key).Field("sha256", FileTools.Sha256(png)).Field("mime", "image/png").Field("data", Convert.ToBase64String(png)).Close();
            }

            return new CommandOutcome(new JsonWriter(images.Length + 1024).Open().Field("catalog", catalog.Hash).FieldRaw("images", images.CloseList().ToString())
                .FieldRaw("absent", absent.CloseList().ToString()).FieldRaw("unsupported", unsupported.CloseList().ToString()).Close());
        }

        /// <summary>Draws a picture. Keys are `item:3922`, `item:3922:1153` (with a hue) and `body:17`.</summary>
        private static Picture Draw(string key, Catalog catalog, out bool isSupported)
        {
            string[] parts = key.Split(':');
            int number = 0, hue = 0;
            bool isNumber = parts.Length >= 2 && Int32.TryParse(parts[1], NumberStyles.None, CultureInfo.InvariantCulture, out number)
                && (parts.Length < 3 || Int32.TryParse(parts[2], NumberStyles.None, CultureInfo.InvariantCulture, out hue));
            isSupported = isNumber && number <= 65535 && ((parts[0] == "item" && parts.Length <= 3) || (parts[0] == "body" && parts.Length == 2));

            if (!isSupported)
                return null;

            if (parts[0] == "body")
                return catalog.Animations.Draw(number, catalog.Hues);

            byte[] raw = Ultima.Art.GetRawStatic(number);
            Picture picture = raw == null || (number > 0 && number > Ultima.Art.GetMaxItemID()) ? null : Picture.ReadStatic(raw);

            if (picture != null)
                catalog.Hues.Apply(picture, hue);

            return picture;
        }

        // ---- the catalog

        private Catalog LoadCatalog()
        {
            if (!Exists)
                throw new RefusalException(422, "NO_IMAGING", null, "the game server has no picture files; set the folder of a game client in Config/DataPath.cfg");

            int files;
            string stamp = MakeStamp(out files);

            lock (m_Lock)
            {
                if (m_Stamp != stamp && !m_IsReading)
                {
                    m_Stamp = stamp;
                    m_Catalog = null;
                    m_IsReading = true;
                    var thread = new Thread(() => ReadFiles(stamp, files)) { IsBackground = true, Name = "Guildhall pictures", Priority = ThreadPriority.BelowNormal };
                    thread.Start();
                }

                if (m_IsReading)
                    Monitor.Wait(m_Lock, WaitMs);

                if (!m_IsReading && m_Catalog == null)
                    throw new RefusalException(422, "NO_IMAGING", null, "the plugin cannot read the picture files of the game client; the console of the game server shows the error");

                return m_IsReading ? null : m_Catalog;
            }
        }

        private string MakeStamp(out int count)
        {
            var stamp = new StringBuilder("extractor " + ExtractorVersion + "\n");
            count = 0;

            foreach (string name in new[] { "artLegacyMUL.uop", "art.mul", "artidx.mul", "hues.mul", "verdata.mul", "body.def", "bodyconv.def", "anim.mul", "anim.idx", "anim2.mul", "anim2.idx", "anim3.mul", "anim3.idx", "anim4.mul", "anim4.idx", "anim5.mul", "anim5.idx" })
            {
                string path = FileTools.Find(m_Directories, name);

                if (path == null)
                    continue;

                var file = new FileInfo(path);
                stamp.Append(name).Append('|').Append(file.Length).Append('|').Append(file.LastWriteTimeUtc.Ticks).Append('\n');
                count++;
            }

            return stamp.ToString();
        }

        private void ReadFiles(string stamp, int files)
        {
            Catalog catalog = null;

            try
            {
                var newCatalog = new Catalog { Files = files, Hues = new HuePalettes(FileTools.Find(m_Directories, "hues.mul")), Animations = new AnimationFiles(m_Directories) };

                for (int body = 1; body < AnimationFiles.MaxBodies; body++)
                {
                    Picture picture = newCatalog.Animations.Draw(body, newCatalog.Hues);

                    if (picture != null)
                        newCatalog.Keys["body:" + body.ToString(CultureInfo.InvariantCulture)] = FileTools.Sha256(picture.ToPng());
                }

                newCatalog.SortedKeys = new List<string>(newCatalog.Keys.Keys).ToArray();
                newCatalog.Hash = FileTools.Sha256(Encoding.UTF8.GetBytes(stamp));
                catalog = newCatalog;
            }
            catch (Exception e)
            {
                Journal.Report("pictures", e);
            }

            lock (m_Lock)
            {
                m_Catalog = catalog;
                m_IsReading = false;
                Monitor.PulseAll(m_Lock);
            }
        }
    }

    /// <summary>A picture of 16-bit pixels: 5 bits each of red, green and blue, and a bit for opaque pixels.</summary>
    internal sealed class Picture
    {
        private const int MaxSide = 2048;
        private const ushort Opaque = 0x8000;

        public readonly int Width;
        public readonly int Height;
        public readonly ushort[] Pixels;

        public Picture(int width, int height)
        {
            Width = width;
            Height = height;
            Pixels = new ushort[width * height];
        }

        public static bool IsValidSize(int width, int height)
        {
            return width > 0 && height > 0 && width <= MaxSide && height <= MaxSide;
        }

        public void SetPixel(int x, int y, ushort color)
        {
            if (x >= 0 && y >= 0 && x < Width && y < Height)
                Pixels[y * Width + x] = (ushort)(color | Opaque);
        }

        /// <summary>
        /// Decodes an item's picture: 4 unused bytes, width, height, the offset of each row, then the rows as
        /// pairs of a gap and a run of colors. Returns null if it is malformed.
        /// </summary>
        public static Picture ReadStatic(byte[] raw)
        {
            if (raw.Length < 8)
                return null;

            int width = BitConverter.ToInt16(raw, 4), height = BitConverter.ToInt16(raw, 6), start = 8 + height * 2;

            if (!IsValidSize(width, height) || raw.Length < start)
                return null;

            var picture = new Picture(width, height);

            for (int y = 0; y < height; y++)
            {
                int at = start + BitConverter.ToUInt16(raw, 8 + y * 2) * 2, x = 0;

                while (at + 4 <= raw.Length)
                {
                    int gap = BitConverter.ToUInt16(raw, at), run = BitConverter.ToUInt16(raw, at + 2);
                    at += 4;

                    if (gap + run == 0)
                        break;

                    x += gap;

                    for (; run > 0 && at + 2 <= raw.Length; run--, at += 2)
                        picture.SetPixel(x++, y, BitConverter.ToUInt16(raw, at));
                }
            }

            return picture;
        }

        // ---- PNG

        public byte[] ToPng()
        {
            var rows = new byte[Height * (Width * 4 + 1)];
            int at = 0;

            for (int y = 0; y < Height; y++)
            {
                rows[at++] = 0; // no filter

                for (int x = 0; x < Width; x++)
                {
                    int pixel = Pixels[y * Width + x];

                    if ((pixel & Opaque) != 0)
                    {
                        rows[at] = WidenColor(pixel >> 10);
                        rows[at + 1] = WidenColor(pixel >> 5);
                        rows[at + 2] = WidenColor(pixel);
                        rows[at + 3] = 255;
                    }

                    at += 4;
                }
            }

            var png = new MemoryStream();
            png.Write(new byte[] { 0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A }, 0, 8);
            var head = new MemoryStream();
            WriteNumber(head, (uint)Width);
            WriteNumber(head, (uint)Height);
            head.Write(new byte[] { 8, 6, 0, 0, 0 }, 0, 5); // 8 bits each of red, green, blue and alpha
            WriteChunk(png, "IHDR", head.ToArray());
            WriteChunk(png, "IDAT", Compress(rows));
            WriteChunk(png, "IEND", new byte[0]);
            return png.ToArray();
        }

        private static byte WidenColor(int fiveBits)
        {
            fiveBits &= 31;
            return (byte)((fiveBits << 3) | (fiveBits >> 2));
        }

        private static byte[] Compress(byte[] data)
        {
            var result = new MemoryStream();
            result.WriteByte(0x78);
            result.WriteByte(0x9C);

            using (var deflate = new DeflateStream(result, CompressionMode.Compress, true))
                deflate.Write(data, 0, data.Length);

            uint a = 1, b = 0; // Adler-32

            foreach (byte each in data)
            {
                a = (a + each) % 65521;
                b = (b + a) % 65521;
            }

            WriteNumber(result, (b << 16) | a);
            return result.ToArray();
        }

        private static readonly uint[] m_Crcs = MakeCrcs();

        private static uint[] MakeCrcs()
        {
            var table = new uint[256];

            for (uint i = 0; i < 256; i++)
            {
                uint value = i;

                for (int bit = 0; bit < 8; bit++)
                    value = (value & 1) != 0 ? 0xEDB88320 ^ (value >> 1) : value >> 1;

                table[i] = value;
            }

            return table;
        }

        private static void WriteChunk(Stream to, string type, byte[] data)
        {
            byte[] name = Encoding.ASCII.GetBytes(type);
            WriteNumber(to, (uint)data.Length);
            to.Write(name, 0, 4);
            to.Write(data, 0, data.Length);
            uint crc = 0xFFFFFFFF;

            foreach (byte each in name)
                crc = m_Crcs[(crc ^ each) & 255] ^ (crc >> 8);

            foreach (byte each in data)
                crc = m_Crcs[(crc ^ each) & 255] ^ (crc >> 8);

            WriteNumber(to, ~crc);
        }

        private static void WriteNumber(Stream to, uint value)
        {
            to.WriteByte((byte)(value >> 24));
            to.WriteByte((byte)(value >> 16));
            to.WriteByte((byte)(value >> 8));
            to.WriteByte((byte)value);
        }
    }

    /// <summary>The colors of hues.mul: blocks of 8 hues, each of 32 colors from dark to light.</summary>
    internal sealed class HuePalettes
    {
        private const int BlockBytes = 708;
        private const int HueBytes = 88;
        private const int PartialHue = 0x8000; // only gray pixels take the color

        private readonly byte[] m_Data;

        public HuePalettes(string path)
        {
            m_Data = File.ReadAllBytes(path);
        }

        public void Apply(Picture picture, int hue)
        {
            int index = (hue & 0x3FFF) - 1;
            int start = index / 8 * BlockBytes + 4 + index % 8 * HueBytes;

            if (index < 0 || start + 64 > m_Data.Length)
                return;

            for (int i = 0; i < picture.Pixels.Length; i++)
            {
                int pixel = picture.Pixels[i], red = (pixel >> 10) & 31, green = (pixel >> 5) & 31, blue = pixel & 31;

                if (pixel == 0 || ((hue & PartialHue) != 0 && (red != green || green != blue)))
                    continue;

                picture.Pixels[i] = (ushort)(BitConverter.ToUInt16(m_Data, start + red * 2) | 0x8000);
            }
        }
    }

    /// <summary>The animations of creatures: anim.mul to anim5.mul with their indexes.</summary>
    internal sealed class AnimationFiles
    {
        public const int MaxBodies = 2048;

        private const int DirectionsPerAction = 5;
        private const int Direction = 1; // toward the lower right

        private sealed class AnimationFile
        {
            public string DataPath;
            public byte[] Index;
        }

        private struct Replacement
        {
            public int Body;
            public int Hue;
        }

        private readonly AnimationFile[] m_Files = new AnimationFile[6]; // index 1 to 5
        private readonly Dictionary<int, int[]> m_Conversions = new Dictionary<int, int[]>(); // by body: number of the file, and body in that file
        private readonly Dictionary<int, Replacement> m_Replacements = new Dictionary<int, Replacement>();

        public AnimationFiles(string[] directories)
        {
            for (int i = 1; i <= 5; i++)
            {
                string name = i == 1 ? "anim" : "anim" + i, data = FileTools.Find(directories, name + ".mul"), index = FileTools.Find(directories, name + ".idx");

                if (data != null && index != null)
                    m_Files[i] = new AnimationFile { DataPath = data, Index = File.ReadAllBytes(index) };
            }

            ReadConversions(FileTools.Find(directories, "bodyconv.def"));
            ReadReplacements(FileTools.Find(directories, "body.def"));
        }

        /// <summary>Reads lines of bodyconv.def: a body, then its number in anim2 to anim5, or -1.</summary>
        private void ReadConversions(string path)
        {
            foreach (string[] words in ReadWords(path))
            {
                int body;

                if (!Int32.TryParse(words[0], out body))
                    continue;

                for (int i = 1; i < words.Length && i <= 4; i++)
                {
                    int number;

                    if (Int32.TryParse(words[i], out number) && number >= 0)
                    {
                        m_Conversions[body] = new[] { i + 1, number };
                        break;
                    }
                }
            }
        }

        /// <summary>Reads lines of body.def: a body, {the body to draw instead}, a hue.</summary>
        private void ReadReplacements(string path)
        {
            foreach (string[] words in ReadWords(path))
            {
                int body, other, hue;

                if (words.Length >= 3 && Int32.TryParse(words[0], out body) && Int32.TryParse(words[1], out other) && Int32.TryParse(words[words.Length - 1], out hue))
                    m_Replacements[body] = new Replacement { Body = other, Hue = hue };
            }
        }

        private static IEnumerable<string[]> ReadWords(string path)
        {
            if (path == null)
                yield break;

            foreach (string line in File.ReadAllLines(path))
            {
                int end = line.IndexOf('#');
                string[] words = (end < 0 ? line : line.Substring(0, end)).Split(new[] { ' ', '\t', '{', '}', ',', '"' }, StringSplitOptions.RemoveEmptyEntries);

                if (words.Length >= 2)
                    yield return words;
            }
        }

        /// <summary>Draws the first frame of the standing body; returns null if the client has none.</summary>
        public Picture Draw(int body, HuePalettes hues)
        {
            int[] conversion;
            Replacement replacement;

            if (m_Conversions.TryGetValue(body, out conversion))
                return DrawBody(conversion[0], conversion[1]);

            Picture picture = DrawBody(1, body);

            if (picture != null || !m_Replacements.TryGetValue(body, out replacement))
                return picture;

            picture = m_Conversions.TryGetValue(replacement.Body, out conversion) ? DrawBody(conversion[0], conversion[1]) : DrawBody(1, replacement.Body);

            if (picture != null)
                hues.Apply(picture, replacement.Hue);

            return picture;
        }

        private Picture DrawBody(int file, int body)
        {
            int firstEntry, standingAction;

            if (m_Files[file] == null)
                return null;

            FindActions(file, body, out firstEntry, out standingAction);
            return ReadFrame(m_Files[file], firstEntry + standingAction * DirectionsPerAction + Direction) ?? ReadFrame(m_Files[file], firstEntry + Direction);
        }

        /// <summary>Monsters have 22 actions, animals 13 and people 35; the number of a body decides its group.</summary>
        private static void FindActions(int file, int body, out int firstEntry, out int standingAction)
        {
            const int monsters = 110, animals = 65, people = 175;

            if (file == 3 && body < 300)
            {
                firstEntry = body * animals;
                standingAction = 2;
            }
            else if (file == 3 && body < 400)
            {
                firstEntry = 33000 + (body - 300) * monsters;
                standingAction = 1;
            }
            else if (body < 200 && !(file == 5 && body == 34))
            {
                firstEntry = body * monsters;
                standingAction = 1;
            }
            else if (body < 400 || file == 2)
            {
                firstEntry = 22000 + (body - 200) * animals;
                standingAction = 2;
            }
            else
            {
                firstEntry = 35000 + (body - 400) * people;
                standingAction = 4;
            }
        }

        private static Picture ReadFrame(AnimationFile file, int entry)
        {
            long at = entry * 12L;

            if (entry < 0 || at + 12 > file.Index.Length)
                return null;

            int offset = BitConverter.ToInt32(file.Index, (int)at), length = BitConverter.ToInt32(file.Index, (int)at + 4) & 0x7FFFFFFF;

            if (offset < 0 || length < 524 || length > 4 * 1024 * 1024)
                return null;

            var data = new byte[length];

            using (var stream = new FileStream(file.DataPath, FileMode.Open, FileAccess.Read, FileShare.ReadWrite))
            {
                if (offset + (long)length > stream.Length)
                    return null;

                stream.Seek(offset, SeekOrigin.Begin);

                for (int done = 0; done < length; )
                {
                    int read = stream.Read(data, done, length - done);

                    if (read == 0)
                        return null;

                    done += read;
                }
            }

            return ReadFrame(data);
        }

        /// <summary>
        /// Decodes the first frame of an animation: 256 colors, the number of frames, their offsets, then for
        /// each frame its center, its size and runs of colors. The head of a run holds a signed x and y of 10
        /// bits each, and a length of 12 bits.
        /// </summary>
        private static Picture ReadFrame(byte[] data)
        {
            const int palette = 512;
            int frames = BitConverter.ToInt32(data, palette);

            if (frames < 1 || palette + 8 > data.Length)
                return null;

            int at = palette + BitConverter.ToInt32(data, palette + 4);

            if (at < 0 || at + 8 > data.Length)
                return null;

            int centerX = BitConverter.ToInt16(data, at), centerY = BitConverter.ToInt16(data, at + 2), width = BitConverter.ToUInt16(data, at + 4), height = BitConverter.ToUInt16(data, at + 6);

            if (!Picture.IsValidSize(width, height))
                return null;

            var picture = new Picture(width, height);

            for (at += 8; at + 4 <= data.Length; )
            {
                uint head = BitConverter.ToUInt32(data, at);
                at += 4;

                if (head == 0x7FFF7FFF)
                    break;

                int x = ReadSigned(head >> 22) + centerX, y = ReadSigned(head >> 12) + centerY + height, run = (int)(head & 0xFFF);

                for (; run > 0 && at < data.Length; run--, at++)
                    picture.SetPixel(x++, y, BitConverter.ToUInt16(data, data[at] * 2));
            }

            return picture;
        }

        private static int ReadSigned(uint tenBits)
        {
            int value = (int)(tenBits & 0x3FF);
            return value < 0x200 ? value : value - 0x400;
        }
    }
}
