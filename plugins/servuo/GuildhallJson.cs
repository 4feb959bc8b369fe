// Guildhall plugin for ServUO: a small JSON writer and reader, because the assemblies that the game's
// scripts reference have none.
using System;
using System.Collections.Generic;
using System.Globalization;
using System.Text;

namespace Guildhall
{
    /// <summary>
    /// Writes JSON into one array and adds the commas. The array can be reused: jobs write every state each
    /// minute to compare it with the last one, and most states did not change.
    /// </summary>
    internal sealed class JsonWriter
    {
        private static readonly UTF8Encoding m_Utf8 = new UTF8Encoding(false);

        private char[] m_Text;
        private int m_Length;
        private bool m_NeedsComma;

        public JsonWriter()
            : this(256)
        { }

        public JsonWriter(int capacity)
        {
            m_Text = new char[Math.Max(16, capacity)];
        }

        public int Length { get { return m_Length; } }

        public override string ToString()
        {
            return new string(m_Text, 0, m_Length);
        }

        // The writer replaces lone surrogates, so each text can be encoded.
        public int CountBytes()
        {
            return m_Utf8.GetByteCount(m_Text, 0, m_Length);
        }

        /// <summary>Copies the text as UTF-8 into an array with enough room. Returns the number of bytes.</summary>
        public int CopyBytes(byte[] to, int at)
        {
            return m_Utf8.GetBytes(m_Text, 0, m_Length, to, at);
        }

        public JsonWriter Clear()
        {
            m_Length = 0;
            m_NeedsComma = false;
            return this;
        }

        /// <summary>Returns the FNV-1a hash of the text. Jobs store it, because storing texts would take megabytes.</summary>
        public ulong Hash()
        {
            ulong hash = 14695981039346656037UL;

            for (int i = 0; i < m_Length; i++)
                hash = unchecked((hash ^ m_Text[i]) * 1099511628211UL);

            return hash;
        }

        // ---- objects and lists

        public JsonWriter Open()
        {
            PutPendingComma();
            Put('{');
            m_NeedsComma = false;
            return this;
        }

        public JsonWriter Open(string name)
        {
            return Name(name).Open();
        }

        public JsonWriter Close()
        {
            Put('}');
            m_NeedsComma = true;
            return this;
        }

        public JsonWriter OpenList()
        {
            PutPendingComma();
            Put('[');
            m_NeedsComma = false;
            return this;
        }

        public JsonWriter OpenList(string name)
        {
            return Name(name).OpenList();
        }

        public JsonWriter CloseList()
        {
            Put(']');
            m_NeedsComma = true;
            return this;
        }

        // ---- members of an object

        public JsonWriter Name(string name)
        {
            PutPendingComma();
            PutQuoted(name);
            Put(':');
            m_NeedsComma = false;
            return this;
        }

        public JsonWriter Null(string name)
        {
            return Name(name).Raw("null");
        }

        public JsonWriter Field(string name, string value)
        {
            return Name(name).Value(value);
        }

        public JsonWriter Field(string name, bool value)
        {
            return Name(name).Raw(value ? "true" : "false");
        }

        public JsonWriter Field(string name, long value)
        {
            return Name(name).Value(value);
        }

        public JsonWriter Field(string name, long? value)
        {
            return value == null ? Null(name) : Field(name, value.Value);
        }

        public JsonWriter Field(string name, double value)
        {
            return Name(name).Value(value);
        }

        /// <summary>Writes epoch milliseconds; null up to 1970 and from 9999, which mean "never" in the game.</summary>
        public JsonWriter Field(string name, DateTime time)
        {
            return time.Year <= 1970 || time.Year >= 9999 ? Null(name) : Field(name, EpochMs(time));
        }

        /// <summary>Writes a value that is already JSON.</summary>
        public JsonWriter FieldRaw(string name, string json)
        {
            return Name(name).Raw(json);
        }

        public JsonWriter FieldRaw(string name, JsonWriter json)
        {
            Name(name);
            Reserve(json.m_Length);
            Array.Copy(json.m_Text, 0, m_Text, m_Length, json.m_Length);
            m_Length += json.m_Length;
            m_NeedsComma = true;
            return this;
        }

        /// <summary>Writes 0x and eight hex digits.</summary>
        public JsonWriter FieldHex(string name, int value)
        {
            Name(name);
            Reserve(12);
            m_Text[m_Length++] = '"';
            m_Text[m_Length++] = '0';
            m_Text[m_Length++] = 'x';

            for (int shift = 28; shift >= 0; shift -= 4)
                m_Text[m_Length++] = "0123456789ABCDEF"[(value >> shift) & 15];

            m_Text[m_Length++] = '"';
            m_NeedsComma = true;
            return this;
        }

        // ---- values

        public JsonWriter Value(string value)
        {
            if (value == null)
                return Raw("null");

            PutPendingComma();
            PutQuoted(value);
            m_NeedsComma = true;
            return this;
        }

        // Do not format numbers with the host's culture, which may have another minus sign.
        public JsonWriter Value(long value)
        {
            if (value < 0)
                return Raw(value.ToString(CultureInfo.InvariantCulture));

            PutPendingComma();
            int digits = 1;

            for (long rest = value; rest >= 10; rest /= 10)
                digits++;

            Reserve(digits);
            m_Length += digits;

            for (int at = m_Length - 1; digits > 0; digits--, at--, value /= 10)
                m_Text[at] = (char)('0' + value % 10);

            m_NeedsComma = true;
            return this;
        }

        /// <summary>Writes null for NaN and infinity, which JSON lacks.</summary>
        public JsonWriter Value(double value)
        {
            if (Double.IsNaN(value) || Double.IsInfinity(value))
                return Raw("null");

            if (value == Math.Floor(value) && Math.Abs(value) < 9e15)
                return Value((long)value);

            return Raw(value.ToString("R", CultureInfo.InvariantCulture));
        }

        public JsonWriter Raw(string json)
        {
            PutPendingComma();
            Put(json, 0, json.Length);
            m_NeedsComma = true;
            return this;
        }

        private void PutPendingComma()
        {
            if (m_NeedsComma)
                Put(',');

            m_NeedsComma = false;
        }

        private void PutQuoted(string value)
        {
            Put('"');
            int start = 0;

            for (int i = 0; i < value.Length; i++)
            {
                char c = value[i];

                if (c >= ' ' && c != '"' && c != '\\' && !Char.IsSurrogate(c))
                    continue;

                if (Char.IsHighSurrogate(c) && i + 1 < value.Length && Char.IsLowSurrogate(value[i + 1]))
                {
                    i++;
                    continue;
                }

                Put(value, start, i - start);
                start = i + 1;
                PutEscaped(c);
            }

            Put(value, start, value.Length - start);
            Put('"');
        }

        private void PutEscaped(char c)
        {
            if (c == '"' || c == '\\')
            {
                Put('\\');
                Put(c);
            }
            else if (c < ' ')
            {
                string code = "\\u" + ((int)c).ToString("x4", CultureInfo.InvariantCulture);
                Put(code, 0, code.Length);
            }
            else
                Put('\uFFFD'); // a lone surrogate
        }

        private void Put(char c)
        {
            if (m_Length == m_Text.Length)
                Reserve(1);

            m_Text[m_Length++] = c;
        }

        private void Put(string text, int start, int count)
        {
            Reserve(count);
            text.CopyTo(start, m_Text, m_Length, count);
            m_Length += count;
        }

        private void Reserve(int count)
        {
            if (m_Length + count > m_Text.Length)
                Array.Resize(ref m_Text, Math.Max(m_Length + count, m_Text.Length * 2));
        }

        private static readonly DateTime Epoch = new DateTime(1970, 1, 1, 0, 0, 0, DateTimeKind.Utc);

        /// <summary>Reads a time without a kind as UTC: the game loses the kind when it loads a saved time.</summary>
        public static long EpochMs(DateTime time)
        {
            if (time.Kind == DateTimeKind.Local)
                time = time.ToUniversalTime();

            return (time.Ticks - Epoch.Ticks) / TimeSpan.TicksPerMillisecond;
        }
    }

    /// <summary>
    /// Reads JSON into Dictionary&lt;string, object&gt;, List&lt;object&gt;, string, long, double, bool and null.
    /// </summary>
    internal sealed class JsonReader
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

            int start = m_At;

            while (Peek() != '"' && m_Text[m_At] != '\\')
                m_At++;

            if (m_Text[m_At] == '"')
                return m_Text.Substring(start, m_At++ - start);

            var result = new StringBuilder(m_Text, start, m_At - start, m_At - start + 64);

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

    /// <summary>Reads members of parsed JSON; a member of the wrong type counts as absent.</summary>
    internal static class JsonMembers
    {
        public static string TextOf(this Dictionary<string, object> from, string name)
        {
            return MemberOf(from, name) as string;
        }

        public static long? IntegerOf(this Dictionary<string, object> from, string name)
        {
            object value = MemberOf(from, name);

            if (value is long)
                return (long)value;

            if (value is double && (double)value == Math.Floor((double)value) && Math.Abs((double)value) < 9e15)
                return (long)(double)value;

            return null;
        }

        public static bool? FlagOf(this Dictionary<string, object> from, string name)
        {
            return MemberOf(from, name) as bool?;
        }

        public static Dictionary<string, object> ObjectOf(this Dictionary<string, object> from, string name)
        {
            return MemberOf(from, name) as Dictionary<string, object>;
        }

        public static List<object> ListOf(this Dictionary<string, object> from, string name)
        {
            return MemberOf(from, name) as List<object>;
        }

        public static object MemberOf(this Dictionary<string, object> from, string name)
        {
            object value;
            return from != null && from.TryGetValue(name, out value) ? value : null;
        }

        /// <summary>Writes a parsed value with sorted names: equal values give equal texts.</summary>
        public static void WriteCanonical(JsonWriter writer, object value)
        {
            var members = value as Dictionary<string, object>;
            var list = value as List<object>;

            if (members != null)
            {
                var names = new List<string>(members.Keys);
                names.Sort(StringComparer.Ordinal);
                writer.Open();

                foreach (string name in names)
                {
                    writer.Name(name);
                    WriteCanonical(writer, members[name]);
                }

                writer.Close();
            }
            else if (list != null)
            {
                writer.OpenList();

                foreach (object item in list)
                    WriteCanonical(writer, item);

                writer.CloseList();
            }
            else if (value is long)
                writer.Value((long)value);
            else if (value is double)
                writer.Value((double)value);
            else if (value is bool)
                writer.Raw((bool)value ? "true" : "false");
            else
                writer.Value(value as string);
        }
    }
}
